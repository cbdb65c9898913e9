// perft without a suite: the start position, one FEN, or every line of files.
#include "cli/perft_command.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/output.hpp"
#include "cli/perft_input.hpp"
#include "cli/perft_roots.hpp"
#include "host/batch/uint128_text.hpp"
#include "host/report/csv.hpp"
#include "host/report/json.hpp"

namespace cuarbiter {
namespace {

// Gathers roots, counts them in large calls, and writes the answers in the order they came.
class PerftRun {
 public:
  PerftRun(const PerftArguments& arguments, Backend& backend, Output& output)
      : arguments_(arguments), counter_(backend, arguments), output_(output) {
    most_rows_ = arguments.batch_positions != 0 ? arguments.batch_positions : kRootsPerCall;
    if (arguments.common.format == Format::csv) {
      output_.write("type,line,fen,depth,move,nodes\n");
    }
  }

  void add(PerftRoot root) {
    if (divides()) {
      moves_.push_back(children(root));
      for (const auto& child : moves_.back()) rows_.push_back(child.second);
    } else {
      rows_.push_back(root.position);
    }
    roots_.push_back(std::move(root));
    if (rows_.size() >= most_rows_) count();
  }

  void finish() {
    count();
    counter_.report();
  }

 private:
  // At depth 0 there is no first move.
  bool divides() const { return arguments_.divide && arguments_.depth > 0; }

  void count() {
    if (roots_.empty()) return;
    nodes_.assign(rows_.size(), Uint128{});
    counter_.count(rows_, divides() ? arguments_.depth - 1 : arguments_.depth, nodes_);
    std::size_t row = 0;
    std::string out;
    for (std::size_t i = 0; i < roots_.size(); ++i) {
      const PerftRoot& root = roots_[i];
      Uint128 total{};
      if (divides()) {
        for (const auto& child : moves_[i]) {
          write_divide(out, root, child.first, nodes_[row]);
          total += nodes_[row++];
        }
      } else {
        total = nodes_[row++];
      }
      write_total(out, root, total);
    }
    output_.write(out);
    output_.flush();
    roots_.clear();
    moves_.clear();
    rows_.clear();
  }

  void write_divide(std::string& out, const PerftRoot& root, const std::string& move,
                    const Uint128& nodes) {
    switch (arguments_.common.format) {
      case Format::jsonl:
        JsonObject(out)
            .string("type", "divide")
            .integer("line", root.line)
            .string("move", move)
            .string("nodes", to_string(nodes))
            .end_line();
        break;
      case Format::csv:
        CsvRow(out)
            .field("divide")
            .field(root.line)
            .field(root.fen)
            .field(arguments_.depth)
            .field(move)
            .field(to_string(nodes))
            .end();
        break;
      default:
        fmt::format_to(std::back_inserter(out), "{}: {}\n", move, to_string(nodes));
        break;
    }
  }

  void write_total(std::string& out, const PerftRoot& root, const Uint128& nodes) {
    switch (arguments_.common.format) {
      case Format::jsonl:
        JsonObject(out)
            .string("type", "perft")
            .integer("line", root.line)
            .string("fen", root.fen)
            .integer("depth", arguments_.depth)
            .string("nodes", to_string(nodes))
            .end_line();
        break;
      case Format::csv:
        CsvRow(out)
            .field("perft")
            .field(root.line)
            .field(root.fen)
            .field(arguments_.depth)
            .empty()
            .field(to_string(nodes))
            .end();
        break;
      default:
        if (!arguments_.reads_files) {
          fmt::format_to(std::back_inserter(out), "{}Nodes: {}\n", divides() ? "\n" : "",
                         to_string(nodes));
        } else {
          fmt::format_to(std::back_inserter(out), "{} ;D{} {}\n", root.fen, arguments_.depth,
                         to_string(nodes));
        }
        break;
    }
  }

  const PerftArguments& arguments_;
  PerftCounter counter_;
  Output& output_;
  std::size_t most_rows_;
  std::vector<PerftRoot> roots_;
  std::vector<std::vector<std::pair<std::string, Position>>> moves_;  // one list a root
  std::vector<Position> rows_;                                        // what the backend counts
  std::vector<Uint128> nodes_;
};

}  // namespace

void run_perft(const PerftArguments& arguments, RunStatus& status) {
  const ChosenBackend chosen = choose_backend(arguments.common.backend, arguments.common.habits);
  Output output(arguments.common.output, status, arguments.common.exit_zero);
  PerftRun run(arguments, *chosen.backend, output);
  read_perft_roots(arguments, status, [&](PerftRoot root) { run.add(std::move(root)); });
  run.finish();
  output.commit();
}

}  // namespace cuarbiter
