// perft --against: our counts and those of another engine, and the first move where they part.
#include <fmt/format.h>

#include <memory>

#include "cli/perft_command.hpp"
#include "cli/perft_input.hpp"
#include "cli/perft_roots.hpp"
#include "cli/perft_suite_reader.hpp"
#include "cli/perft_walk.hpp"
#include "cli/position_lines.hpp"
#include "cli/position_text.hpp"
#include "cli/uci_engine.hpp"
#include "host/batch/uint128_text.hpp"
#include "host/report/csv.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += ' ';
    out += word;
  }
  return out;
}

class AgainstRun final : public SuiteTaker {
 public:
  AgainstRun(const PerftArguments& arguments, Backend& backend, Output& output, RunStatus& status)
      : arguments_(arguments),
        counter_(backend, arguments),
        engine_(arguments.against, std::chrono::seconds(arguments.against_seconds)),
        output_(output),
        status_(status) {
    if (arguments.common.format == Format::csv) {
      output_.write(
          "type,line,fen,depth,nodes,engine_nodes,ok,path,position,missing,extra,remark\n");
    }
  }

  // A position of a suite: its deepest count that is not to be skipped.
  bool add(const std::string& file, std::uint64_t line, const FenResult& fen,
           const std::vector<PerftCount>& counts) override {
    if (!take_defects(arguments_, status_, file, line, fen)) return true;
    unsigned depth = 0;
    for (const PerftCount& count : counts) {
      const std::optional<Uint128> nodes = parse_uint128(count.nodes);
      const bool skipped = (arguments_.max_nodes && (!nodes || *nodes > *arguments_.max_nodes)) ||
                           (arguments_.depth_limit && count.depth > *arguments_.depth_limit);
      if (!skipped && count.depth <= kMostDepth) depth = std::max(depth, count.depth);
    }
    // Suites are read as Chess960; the engine is told so only where a position needs it.
    return depth == 0 || compare(make_root(fen, line, false), depth) || !arguments_.fail_fast;
  }

  // False when the counts differ.
  bool compare(const PerftRoot& root, unsigned depth) {
    const PerftComparison result = compare_perft(counter_, engine_, root, depth);
    ++positions_;
    if (!result.equal) {
      ++differences_;
      status_.raise(ExitStatus::findings);
    }
    std::string out;
    write(out, root, depth, result);
    output_.write(out);
    output_.flush();
    return result.equal;
  }

  void finish() {
    std::string out;
    if (arguments_.common.format == Format::jsonl) {
      JsonObject(out)
          .string("type", "summary")
          .integer("positions", positions_)
          .integer("differences", differences_)
          .end_line();
    } else if (arguments_.common.format == Format::text) {
      out = fmt::format("{} positions, {} differences\n", positions_, differences_);
    }
    output_.write(out);
  }

 private:
  void write(std::string& out, const PerftRoot& root, unsigned depth,
             const PerftComparison& result) {
    switch (arguments_.common.format) {
      case Format::jsonl:
        return write_json(out, root, depth, result);
      case Format::csv:
        CsvRow(out)
            .field("against")
            .field(root.line)
            .field(root.fen)
            .field(depth)
            .field(to_string(result.nodes))
            .field(to_string(result.engine_nodes))
            .field(result.equal)
            .field(joined(result.path))
            .field(result.position)
            .field(joined(result.missing))
            .field(joined(result.extra))
            .field(result.remark)
            .end();
        return;
      default:
        return write_text(out, root, depth, result);
    }
  }

  void write_json(std::string& out, const PerftRoot& root, unsigned depth,
                  const PerftComparison& result) {
    JsonObject object(out);
    const auto list = [&](std::string_view name, const std::vector<std::string>& moves) {
      object.open_array(name);
      for (const std::string& move : moves) object.string_item(move);
      object.close_array();
    };
    object.string("type", "against")
        .integer("line", root.line)
        .string("fen", root.fen)
        .integer("depth", depth)
        .string("nodes", to_string(result.nodes))
        .string("engine_nodes", to_string(result.engine_nodes))
        .boolean("ok", result.equal);
    if (!result.equal) {
      list("path", result.path);
      object.string("position", result.position);
      list("missing", result.missing);
      list("extra", result.extra);
      object.string("remark", result.remark);
    }
    object.end_line();
  }

  void write_text(std::string& out, const PerftRoot& root, unsigned depth,
                  const PerftComparison& result) {
    const auto into = std::back_inserter(out);
    if (result.equal) {
      if (!arguments_.common.habits.quiet) {
        fmt::format_to(into, "ok       D{} {:>12}  {}\n", depth, to_string(result.nodes), root.fen);
      }
      return;
    }
    fmt::format_to(into, "differs  D{} {}, engine {}: {}\n", depth, to_string(result.nodes),
                   to_string(result.engine_nodes), root.fen);
    const auto line = [&](std::string_view name, const std::string& text) {
      if (!text.empty()) fmt::format_to(into, "  {:<9}{}\n", name, text);
    };
    line("path", joined(result.path));
    line("position", result.position);
    line("missing", joined(result.missing));
    line("extra", joined(result.extra));
    line("remark", result.remark);
  }

  const PerftArguments& arguments_;
  PerftCounter counter_;
  UciEngine engine_;
  Output& output_;
  RunStatus& status_;
  std::uint64_t positions_ = 0, differences_ = 0;
};

}  // namespace

void run_perft_against(const PerftArguments& arguments, RunStatus& status) {
  const ChosenBackend chosen = choose_backend(arguments.common.backend, arguments.common.habits);
  Output output(arguments.common.output, status, arguments.common.exit_zero);
  AgainstRun run(arguments, *chosen.backend, output, status);
  if (arguments.suite) {
    read_suite(arguments, run, status);
  } else {
    read_perft_roots(arguments, status,
                     [&](const PerftRoot& root) { run.compare(root, arguments.depth); });
  }
  run.finish();
  output.commit();
}

}  // namespace cuarbiter
