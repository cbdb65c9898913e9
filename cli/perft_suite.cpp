// perft --suite: positions with known counts, each checked at each of its depths.
// Castling letters are read as in X-FEN, which is the same for every position of standard chess.
//
// Two forms: one line a position (FEN ;D1 20 ;D2 400), and blocks of id, epd and perft lines. Many
// positions of one depth go to the backend in one call; the report is in the order of the input.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/perft_command.hpp"
#include "cli/perft_roots.hpp"
#include "cli/position_lines.hpp"
#include "cli/position_text.hpp"
#include "host/batch/uint128_text.hpp"
#include "host/notation/perft_block.hpp"
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

class SuiteRun {
 public:
  SuiteRun(const PerftArguments& arguments, Backend& backend, Output& output, RunStatus& status)
      : arguments_(arguments), counter_(backend, arguments), output_(output), status_(status) {
    most_entries_ = arguments.batch_positions != 0 ? arguments.batch_positions : kRootsPerCall;
    if (arguments.common.format == Format::csv) {
      output_.write("type,line,fen,depth,nodes,expected,ok\n");
    }
  }

  // Takes a position and its counts. False when the run is to stop.
  bool add(const std::string& file, std::uint64_t line, const FenResult& fen,
           const std::vector<PerftCount>& counts) {
    const Habits& habits = arguments_.common.habits;
    std::string messages;
    report_defects(messages, file, line, fen);
    if (fen.computable && counts.empty() && !habits.quiet) {
      append_located(messages, file, line, 1, false, "the position has no known counts", {},
                     habits.color);
    }
    say(messages);
    if (!fen.computable || counts.empty()) return true;
    Entry entry;
    entry.root = make_root(fen, line, arguments_.fen_options.chess960);
    entry.file = file;
    for (const PerftCount& count : counts) add_check(entry, count);
    std::stable_sort(entry.checks.begin(), entry.checks.end(),
                     [](const Check& a, const Check& b) { return a.depth < b.depth; });
    entries_.push_back(std::move(entry));
    return entries_.size() < most_entries_ && pending_ < kMostPending ? true : check();
  }

  // Checks what has been gathered. False when the run is to stop.
  bool check() {
    count();
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

  // A line that is neither a position nor part of a block.
  void broken(const std::string& file, std::uint64_t line) {
    status_.raise(ExitStatus::findings);
    std::string messages;
    append_located(messages, file, line, 1, true,
                   "no \"perft DEPTH NODES\" line that belongs to a position",
                   fen_fault_code(FenFault::syntax), arguments_.common.habits.color);
    say(messages);
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
    counter_.report();
  }

 private:
  // About as many nodes are gathered before a report, so that long suites show their progress.
  static constexpr double kMostPending = 2e10;

  // A suite is about counts. What can be counted is: a position that no game can reach, or that was
  // read in the only way it can be, is worth a warning, and a mismatch if that was wrong.
  void report_defects(std::string& messages, const std::string& file, std::uint64_t line,
                      const FenResult& fen) {
    const Habits& habits = arguments_.common.habits;
    if (!fen.computable) {
      status_.raise(ExitStatus::findings);
      return append_defects(messages, file, line, fen, {false, habits.verbose, habits.color});
    }
    if (habits.quiet) return;
    for (const FenDefect& defect : fen.defects) {
      if (!fen_fault_is_error(defect.fault) && !habits.verbose) continue;
      append_located(messages, file, line, defect.column, false, defect.message,
                     fen_fault_code(defect.fault), habits.color);
    }
  }

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

  void count() {
    std::map<unsigned, std::vector<std::pair<Entry*, Check*>>> by_depth;
    for (Entry& entry : entries_) {
      for (Check& check : entry.checks) {
        if (!check.skipped) by_depth[check.depth].emplace_back(&entry, &check);
      }
    }
    std::vector<Position> rows;
    std::vector<Uint128> nodes;
    for (const auto& [depth, checks] : by_depth) {
      rows.clear();
      for (const auto& pair : checks) rows.push_back(pair.first->root.position);
      nodes.assign(rows.size(), Uint128{});
      counter_.count(rows, depth, nodes);
      for (std::size_t i = 0; i < checks.size(); ++i) checks[i].second->nodes = nodes[i];
    }
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
  PerftCounter counter_;
  Output& output_;
  RunStatus& status_;
  std::size_t most_entries_;
  double pending_ = 0;  // nodes gathered and not yet counted
  std::vector<Entry> entries_;
  std::uint64_t positions_ = 0, checks_ = 0, mismatches_ = 0, skipped_ = 0;
};

// Reads the lines of one file after the other and hands whole entries to the run.
class SuiteReader {
 public:
  SuiteReader(const PerftArguments& arguments, SuiteRun& run) : arguments_(arguments), run_(run) {}

  // False when the run is to stop.
  bool read(const LineBatch& batch) {
    if (batch.file_number != file_number_) {
      if (!finish()) return false;
      file_ = batch.file;
      file_number_ = batch.file_number;
    }
    for (const LineBatch::Ref& ref : batch.lines) {
      if (!read_line(batch, ref)) return false;
    }
    return true;
  }

  bool finish() {
    blocks_.finish();
    const bool go_on = take_block();
    blocks_ = PerftBlockReader();
    return go_on;
  }

 private:
  bool read_line(const LineBatch& batch, LineBatch::Ref ref) {
    // Old suites end their lines in NUL bytes.
    while (ref.length != 0 && batch.text[ref.begin + ref.length - 1] == '\0') --ref.length;
    if (!ref.truncated) {
      switch (blocks_.read(batch.line(ref), ref.number)) {
        case PerftBlockReader::Line::taken:
          return take_block();
        case PerftBlockReader::Line::broken:
          if (!take_block()) return false;
          run_.broken(batch.file, ref.number);
          return true;
        case PerftBlockReader::Line::other_form:
          break;
      }
    }
    blocks_.finish();
    if (!take_block()) return false;
    if (!read_record(batch, ref, arguments_.fen_options, record_)) return true;
    return run_.add(batch.file, ref.number, record_.fen, record_.counts);
  }

  bool take_block() {
    if (!blocks_.ready()) return true;
    const PerftBlock block = blocks_.take();
    read_position_line(block.position, arguments_.fen_options, record_);
    for (FenDefect& defect : record_.fen.defects) defect.column += block.column - 1;
    return run_.add(file_, block.line, record_.fen, block.counts);
  }

  const PerftArguments& arguments_;
  SuiteRun& run_;
  PerftBlockReader blocks_;
  PositionLine record_;
  std::string file_;
  std::size_t file_number_ = 0;
};

}  // namespace

void run_perft_suite(const PerftArguments& arguments, RunStatus& status) {
  const ChosenBackend chosen = choose_backend(arguments.common.backend, arguments.common.habits);
  Output output(arguments.common.output, status, arguments.common.exit_zero);
  SuiteRun run(arguments, *chosen.backend, output, status);
  SuiteReader reader(arguments, run);
  InputFiles files(arguments.files, InputKind::positions);
  PositionLines lines(files, 0);
  LineBatch batch;
  bool go_on = true;
  while (go_on && lines.next(batch)) {
    go_on = reader.read(batch);
    if (go_on) report_fault(batch, arguments.common.habits, status);
  }
  if (go_on) go_on = reader.finish();
  if (go_on) run.check();
  run.finish();
  output.commit();
}

}  // namespace cuarbiter
