// perft --unique: how many different positions there are at each ply.
#include <fmt/format.h>

#include "cli/output.hpp"
#include "cli/perft_command.hpp"
#include "cli/perft_input.hpp"
#include "cli/perft_roots.hpp"
#include "cli/progress.hpp"
#include "host/report/csv.hpp"
#include "host/report/json.hpp"

namespace cuarbiter {
namespace {

class UniqueRun {
 public:
  UniqueRun(const PerftArguments& arguments, Backend& backend, Output& output)
      : arguments_(arguments),
        backend_(backend),
        output_(output),
        progress_(arguments.common.habits) {
    if (arguments.common.format == Format::csv) output_.write("type,line,fen,ply,positions\n");
  }

  // Writes each ply as soon as it is known: the last ones take the time.
  void take(const PerftRoot& root) {
    PerftOptions options;
    if (progress_.enabled()) {
      options.progress = [this](double made) {
        progress_.show(ProgressState{made, {}, {}, {}}, "moves");
      };
    }
    const bool line_form = arguments_.common.format == Format::text && arguments_.reads_files;
    if (line_form) output_.write(root.fen);
    if (arguments_.depth == 0) write(root, 0, 1);
    backend_.perft_unique(root.position, arguments_.depth, options,
                          [&](unsigned ply, std::uint64_t positions) {
                            progress_.clear();
                            write(root, ply, positions);
                            if (!line_form) output_.flush();
                          });
    if (line_form) output_.write("\n");
    output_.flush();
  }

 private:
  void write(const PerftRoot& root, unsigned ply, std::uint64_t positions) {
    std::string out;
    switch (arguments_.common.format) {
      case Format::jsonl:
        JsonObject(out)
            .string("type", "unique")
            .integer("line", root.line)
            .string("fen", root.fen)
            .integer("ply", ply)
            .string("positions", fmt::format("{}", positions))
            .end_line();
        break;
      case Format::csv:
        CsvRow(out)
            .field("unique")
            .field(root.line)
            .field(root.fen)
            .field(ply)
            .field(positions)
            .end();
        break;
      default:
        out = !arguments_.reads_files ? fmt::format("{}: {}\n", ply, positions)
                                      : fmt::format(" ;U{} {}", ply, positions);
        break;
    }
    output_.write(out);
  }

  const PerftArguments& arguments_;
  Backend& backend_;
  Output& output_;
  Progress progress_;
};

}  // namespace

void run_perft_unique(const PerftArguments& arguments, RunStatus& status) {
  const ChosenBackend chosen = choose_backend(arguments.common.backend, arguments.common.habits);
  Output output(arguments.common.output, status, arguments.common.exit_zero);
  UniqueRun run(arguments, *chosen.backend, output);
  read_perft_roots(arguments, status, [&](PerftRoot root) { run.take(root); });
  output.commit();
}

}  // namespace cuarbiter
