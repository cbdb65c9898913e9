// perft --suite: positions with known counts, each checked at each of its depths.
// Castling letters are read as in X-FEN, which is the same for every position of standard chess.
//
// Many positions of one depth go to the backend in one call; the report is in the order of the
// input.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/perft_command.hpp"
#include "cli/perft_input.hpp"
#include "cli/perft_pieces.hpp"
#include "cli/perft_roots.hpp"
#include "cli/perft_suite_reader.hpp"
#include "cli/position_lines.hpp"
#include "cli/position_text.hpp"
#include "host/batch/digest.hpp"
#include "host/batch/uint128_text.hpp"
#include "host/report/csv.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {
namespace {

struct Check {
  unsigned depth = 0;
  Uint128 expected{};
  Uint128 nodes{};
  bool skipped = false;
};

struct Entry {
  PerftRoot root;
  std::string file;
  std::vector<Check> checks;  // by depth, smallest first
};

class SuiteRun final : public SuiteTaker {
 public:
  SuiteRun(const PerftArguments& arguments, Backend& backend, Output& output, RunStatus& status)
      : arguments_(arguments),
        backend_(backend),
        counter_(backend, arguments),
        output_(output),
        status_(status) {
    most_entries_ = arguments.batch_positions != 0 ? arguments.batch_positions : kRootsPerCall;
    if (arguments.common.format == Format::csv) {
      output_.write("type,line,fen,depth,nodes,expected,ok\n");
    }
  }

  bool add(const std::string& file, std::uint64_t line, const FenResult& fen,
           const std::vector<PerftCount>& counts) override {
    const Habits& habits = arguments_.common.habits;
    if (!take_defects(arguments_, status_, file, line, fen)) return true;
    if (counts.empty()) {
      std::string messages;
      append_located(messages, file, line, 1, false, "the position has no known counts", {},
                     habits.color);
      if (!habits.quiet) say(messages);
      return true;
    }
    Entry entry;
    entry.root = make_root(fen, line, arguments_.fen_options.chess960);
    entry.file = file;
    for (const PerftCount& count : counts) add_check(entry, count);
    std::stable_sort(entry.checks.begin(), entry.checks.end(),
                     [](const Check& a, const Check& b) { return a.depth < b.depth; });
    entries_.push_back(std::move(entry));
    if (arguments_.long_run.any()) return true;  // all of them are one run
    const double most = arguments_.fail_fast ? kMostPendingFailFast : kMostPending;
    return entries_.size() < most_entries_ && pending_ < most ? true : check();
  }

  // Checks what has been gathered. False when the run is to stop.
  bool check() {
    if (!count()) return false;
    bool go_on = true;
    std::string out;
    for (const Entry& entry : entries_) {
      ++positions_;
      if (!write(out, entry) && arguments_.fail_fast) {
        go_on = false;
        break;
      }
    }
    output_.write(out);
    output_.flush();
    entries_.clear();
    pending_ = 0;
    return go_on;
  }

  void finish() {
    std::string out;
    if (arguments_.common.format == Format::jsonl) {
      JsonObject(out)
          .string("type", "summary")
          .integer("positions", positions_)
          .integer("checks", checks_)
          .integer("mismatches", mismatches_)
          .integer("skipped", skipped_)
          .end_line();
    } else if (arguments_.common.format == Format::text) {
      out = fmt::format("{} positions, {} checks, {} mismatches, {} skipped\n", positions_, checks_,
                        mismatches_, skipped_);
    }
    output_.write(out);
    if (!arguments_.long_run.any()) counter_.report();
  }

 private:
  // About as many nodes are gathered before a report, so that long suites show their progress.
  // With --fail-fast fewer, so that a mismatch soon ends the run.
  static constexpr double kMostPending = 2e10;
  static constexpr double kMostPendingFailFast = 5e8;

  void add_check(Entry& entry, const PerftCount& count) {
    Check check;
    check.depth = count.depth;
    const std::optional<Uint128> expected = parse_uint128(count.nodes);
    if (!expected || count.depth > kMostDepth) {
      status_.raise(ExitStatus::findings);
      std::string messages;
      append_located(messages, entry.file, entry.root.line, count.column, true,
                     fmt::format("D{} {} is more than can be counted", count.depth, count.nodes),
                     fen_fault_code(FenFault::epd_operand), arguments_.common.habits.color);
      say(messages);
      return;
    }
    check.expected = *expected;
    check.skipped = (arguments_.max_nodes && check.expected > *arguments_.max_nodes) ||
                    (arguments_.depth_limit && check.depth > *arguments_.depth_limit);
    if (!check.skipped) pending_ += to_double(check.expected);
    entry.checks.push_back(check);
  }

  using Checks = std::vector<std::pair<Entry*, Check*>>;

  // False when the run was stopped at a checkpoint.
  bool count() {
    std::map<unsigned, Checks> by_depth;
    for (Entry& entry : entries_) {
      for (Check& check : entry.checks) {
        if (!check.skipped) by_depth[check.depth].emplace_back(&entry, &check);
      }
    }
    std::vector<PerftTask> tasks;
    for (const auto& [depth, checks] : by_depth) {
      PerftTask& task = tasks.emplace_back();
      task.depth = depth;
      for (const auto& pair : checks) task.roots.push_back(pair.first->root.position);
      task.nodes.assign(task.roots.size(), Uint128{});
    }
    if (arguments_.long_run.any()) {
      if (!count_in_pieces(backend_, arguments_, identity(tasks), tasks)) {
        status_.raise(ExitStatus::stopped);
        return false;
      }
    } else {
      for (PerftTask& task : tasks) counter_.count(task.roots, task.depth, task.nodes);
    }
    auto task = tasks.begin();
    for (const auto& [depth, checks] : by_depth) {
      for (std::size_t i = 0; i < checks.size(); ++i) checks[i].second->nodes = task->nodes[i];
      ++task;
    }
    return true;
  }

  // Of a run with a checkpoint: what is counted, whatever is expected.
  RunIdentity identity(const std::vector<PerftTask>& tasks) const {
    Digest inputs;
    std::size_t positions = 0;
    for (const PerftTask& task : tasks) {
      inputs.add(std::uint64_t{task.depth});
      for (const Position& p : task.roots) {
        for (const std::uint64_t plane : {p.a, p.b, p.c, p.d}) inputs.add(plane);
      }
      positions += task.roots.size();
    }
    RunIdentity out;
    out.command = "perft --suite";
    out.fields = {{"inputs", inputs.text()},
                  {"positions", std::to_string(positions)},
                  {"merge", arguments_.merge ? "yes" : "no"}};
    return out;
  }

  // Writes an entry's checks; false when one of them does not hold.
  bool write(std::string& out, const Entry& entry) {
    bool all_ok = true;
    const Check* deepest = nullptr;
    for (const Check& check : entry.checks) {
      if (check.skipped) {
        ++skipped_;
        continue;
      }
      ++checks_;
      const bool ok = check.nodes == check.expected;
      if (!ok) {
        ++mismatches_;
        all_ok = false;
        status_.raise(ExitStatus::findings);
      }
      deepest = &check;
      write_check(out, entry, check, ok);
    }
    if (arguments_.common.format == Format::text && all_ok && deepest != nullptr &&
        !arguments_.common.habits.quiet) {
      fmt::format_to(std::back_inserter(out), "ok       D{} {:>12}  {}\n", deepest->depth,
                     to_string(deepest->nodes), entry.root.fen);
    }
    return all_ok;
  }

  void write_check(std::string& out, const Entry& entry, const Check& check, bool ok) {
    switch (arguments_.common.format) {
      case Format::jsonl:
        JsonObject(out)
            .string("type", "perft")
            .integer("line", entry.root.line)
            .string("fen", entry.root.fen)
            .integer("depth", check.depth)
            .string("nodes", to_string(check.nodes))
            .string("expected", to_string(check.expected))
            .boolean("ok", ok)
            .end_line();
        break;
      case Format::csv:
        CsvRow(out)
            .field("perft")
            .field(entry.root.line)
            .field(entry.root.fen)
            .field(check.depth)
            .field(to_string(check.nodes))
            .field(to_string(check.expected))
            .field(ok)
            .end();
        break;
      default:
        if (ok) break;
        out += "mismatch ";
        append_visible(out, entry.file);
        fmt::format_to(std::back_inserter(out), ":{}: D{} {}, expected {}: {}\n", entry.root.line,
                       check.depth, to_string(check.nodes), to_string(check.expected),
                       entry.root.fen);
        break;
    }
  }

  const PerftArguments& arguments_;
  Backend& backend_;
  PerftCounter counter_;
  Output& output_;
  RunStatus& status_;
  std::size_t most_entries_;
  double pending_ = 0;  // nodes gathered and not yet counted
  std::vector<Entry> entries_;
  std::uint64_t positions_ = 0, checks_ = 0, mismatches_ = 0, skipped_ = 0;
};

}  // namespace

void run_perft_suite(const PerftArguments& arguments, RunStatus& status) {
  const ChosenBackend chosen = choose_backend(arguments.common.backend, arguments.common.habits);
  Output output(arguments.common.output, status, arguments.common.exit_zero);
  SuiteRun run(arguments, *chosen.backend, output, status);
  if (read_suite(arguments, run, status)) run.check();
  if (status.status() == ExitStatus::stopped) return;
  run.finish();
  output.commit();
}

}  // namespace cuarbiter
