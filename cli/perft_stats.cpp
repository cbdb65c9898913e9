// perft --stats: the count of each position with what its leaf moves are.
#include <fmt/format.h>

#include <algorithm>

#include "cli/output.hpp"
#include "cli/perft_command.hpp"
#include "cli/perft_input.hpp"
#include "cli/perft_roots.hpp"
#include "host/batch/uint128_text.hpp"
#include "host/notation/san_text.hpp"
#include "host/report/csv.hpp"
#include "host/report/json.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter {
namespace {

// By LeafColumn: the name of the field, and the words of the text form.
struct ColumnName {
  const char* field;
  const char* words;
};
constexpr ColumnName kColumns[] = {
    {"nodes", "Nodes"},
    {"captures", "Captures"},
    {"en_passants", "En passants"},
    {"castles", "Castles"},
    {"promotions", "Promotions"},
    {"checks", "Checks"},
    {"discovered_checks", "Discovered checks"},
    {"double_checks", "Double checks"},
    {"checkmates", "Checkmates"},
};
static_assert(std::size(kColumns) == kLeafColumns);

// A first move: what it is by itself, and the position it leads to.
struct FirstMove {
  std::string uci;
  PerftStats own;
  Position child;
};

std::vector<FirstMove> first_moves(const PerftRoot& root) {
  std::vector<FirstMove> moves;
  for_each_legal_move(root.position, [&](Move move) {
    const LeafStats own = move_stats(root.position, move);
    FirstMove first{uci_text(move, root.black, root.chess960), {}, make_move(root.position, move)};
    for (unsigned c = 0; c < kLeafColumns; ++c) first.own.count[c] = Uint128{own.count[c], 0};
    moves.push_back(std::move(first));
  });
  std::sort(moves.begin(), moves.end(),
            [](const FirstMove& a, const FirstMove& b) { return a.uci < b.uci; });
  return moves;
}

// Gathers roots, counts them in large calls, and writes the answers in the order they came.
class StatsRun {
 public:
  StatsRun(const PerftArguments& arguments, Backend& backend, Output& output)
      : arguments_(arguments), counter_(backend, arguments), output_(output) {
    most_rows_ = arguments.batch_positions != 0 ? arguments.batch_positions : kRootsPerCall;
    if (arguments.common.format == Format::csv) {
      std::string head = "type,line,fen,depth,move";
      for (const ColumnName& column : kColumns) head.append(",").append(column.field);
      output_.write(head + "\n");
    }
  }

  void add(PerftRoot root) {
    if (divides()) {
      moves_.push_back(first_moves(root));
      for (const FirstMove& move : moves_.back()) rows_.push_back(move.child);
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
    stats_.assign(rows_.size(), PerftStats{});
    counter_.count(rows_, divides() ? arguments_.depth - 1 : arguments_.depth, stats_);
    std::size_t row = 0;
    std::string out;
    for (std::size_t i = 0; i < roots_.size(); ++i) {
      PerftStats total{};
      if (divides()) {
        for (const FirstMove& move : moves_[i]) {
          // At depth 1 the first moves are the leaf moves.
          const PerftStats& stats = arguments_.depth == 1 ? move.own : stats_[row];
          ++row;
          write(out, roots_[i], &move.uci, stats);
          total += stats;
        }
      } else {
        total = stats_[row++];
      }
      write(out, roots_[i], nullptr, total);
    }
    output_.write(out);
    output_.flush();
    roots_.clear();
    moves_.clear();
    rows_.clear();
  }

  // The record of a position, or of its first move when `move` is not null.
  void write(std::string& out, const PerftRoot& root, const std::string* move,
             const PerftStats& stats) const {
    switch (arguments_.common.format) {
      case Format::jsonl:
        write_json(out, root, move, stats);
        break;
      case Format::csv: {
        CsvRow row(out);
        row.field(move ? "divide" : "perft").field(root.line).field(root.fen);
        row.field(arguments_.depth);
        move ? row.field(*move) : row.empty();
        for (const Uint128& count : stats.count) row.field(to_string(count));
        row.end();
        break;
      }
      default:
        if (move) {
          write_text(out, *move + ":", stats);
        } else if (arguments_.reads_files) {
          write_text(out, fmt::format("{} ;D{}", root.fen, arguments_.depth), stats);
        } else {
          if (divides()) out += '\n';
          for (unsigned c = 0; c < kLeafColumns; ++c) {
            fmt::format_to(std::back_inserter(out), "{}: {}\n", kColumns[c].words,
                           to_string(stats.count[c]));
          }
        }
        break;
    }
  }

  void write_json(std::string& out, const PerftRoot& root, const std::string* move,
                  const PerftStats& stats) const {
    JsonObject object(out);
    if (move) {
      object.string("type", "divide").integer("line", root.line).string("move", *move);
    } else {
      object.string("type", "perft").integer("line", root.line).string("fen", root.fen);
      object.integer("depth", arguments_.depth);
    }
    for (unsigned c = 0; c < kLeafColumns; ++c) {
      object.string(kColumns[c].field, to_string(stats.count[c]));
    }
    object.end_line();
  }

  // One line: the nodes after what it is about, then name and count of the other columns.
  static void write_text(std::string& out, const std::string& about, const PerftStats& stats) {
    fmt::format_to(std::back_inserter(out), "{} {}", about, to_string(stats[kLeafNodes]));
    for (unsigned c = kLeafNodes + 1; c < kLeafColumns; ++c) {
      fmt::format_to(std::back_inserter(out), " ;{} {}", kColumns[c].field,
                     to_string(stats.count[c]));
    }
    out += '\n';
  }

  const PerftArguments& arguments_;
  PerftCounter counter_;
  Output& output_;
  std::size_t most_rows_;
  std::vector<PerftRoot> roots_;
  std::vector<std::vector<FirstMove>> moves_;  // one list a root
  std::vector<Position> rows_;                 // what the backend counts
  std::vector<PerftStats> stats_;
};

}  // namespace

void run_perft_stats(const PerftArguments& arguments, RunStatus& status) {
  const ChosenBackend chosen = choose_backend(arguments.common.backend, arguments.common.habits);
  Output output(arguments.common.output, status, arguments.common.exit_zero);
  StatsRun run(arguments, *chosen.backend, output);
  read_perft_roots(arguments, status, [&run](PerftRoot root) { run.add(std::move(root)); });
  run.finish();
  output.commit();
}

}  // namespace cuarbiter
