// Pieces of a perft, one after the other.
#include "cli/perft_pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cli/arguments.hpp"
#include "cli/messages.hpp"
#include "cli/progress.hpp"
#include "cli/stop_signal.hpp"
#include "host/batch/checkpoint.hpp"
#include "host/batch/perft_estimate.hpp"
#include "host/batch/perft_frontier.hpp"
#include "host/batch/uint128_text.hpp"
#include "host/io/error.hpp"
#include "host/report/json.hpp"
#include "host/report/json_read.hpp"

namespace cuarbiter {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A level this large splits well and loses little merging; one that would grow beyond the second
// number is not made. Both decide what a row is: another number is another frontier.
constexpr std::size_t kEnoughRows = std::size_t{1} << 18;
constexpr std::uint64_t kMostChildren = std::uint64_t{1} << 22;
// Plies that are left to the backend at least.
constexpr unsigned kLeastDepth = 3;
// What a piece should take, so that a stop comes soon and little is lost by a kill.
constexpr double kPieceSeconds = 10;
// The first piece is this share of the work.
constexpr double kFirstShare = 1.0 / 1024;
// Roots of one call of the backend at most.
constexpr std::uint32_t kMostRoots = 65536;
// Between two checkpoints: at least this long, and so many times as long as saving takes.
constexpr double kLeastSeconds = 0.2;
constexpr double kSaveShare = 20;

class Pieces {
 public:
  Pieces(Backend& backend, const PerftArguments& arguments, const RunIdentity& identity,
         std::vector<PerftTask>& tasks)
      : backend_(backend),
        arguments_(arguments),
        identity_(identity),
        tasks_(tasks),
        progress_(arguments.common.habits) {}

  bool run() {
    for (PerftTask& task : tasks_) task.nodes.assign(task.roots.size(), Uint128{});
    const bool resumed = restore();
    weigh_tasks();
    std::optional<StopSignal> stop;
    if (saves()) {
      if (!resumed) save();
      stop.emplace(arguments_.common.habits.quiet);
    }
    for (; task_ < tasks_.size(); ++task_, row_ = 0) {
      if (!run_task(tasks_[task_], stop)) {
        save();
        progress_.clear();
        if (!arguments_.common.habits.quiet) {
          say(fmt::format("cuarbiter: stopped, {:.1f}% done; --resume goes on from {}\n",
                          100 * share(0), arguments_.long_run.checkpoint));
        }
        return false;
      }
      done_weight_ += weights_[task_];
      task_share_ = 0;
    }
    if (saves()) save();
    return true;
  }

 private:
  bool saves() const { return !arguments_.long_run.checkpoint.empty(); }

  // How much of the run each task is: only the clock is told by it.
  void weigh_tasks() {
    for (const PerftTask& task : tasks_) {
      weights_.push_back(tasks_.size() == 1 ? 1 : estimate_perft(task.roots, task.depth, 1024));
      all_weight_ += weights_.back();
    }
    for (std::size_t i = 0; i < task_; ++i) done_weight_ += weights_[i];
  }

  // The share done, with `piece` of the piece at hand.
  double share(double piece) const {
    if (all_weight_ <= 0 || task_ >= tasks_.size()) return 1;
    const double in_task = task_share_ + piece * piece_share_;
    return std::min(1.0, (done_weight_ + weights_[task_] * in_task) / all_weight_);
  }

  static PerftRowList frontier(const PerftTask& task, bool merge, unsigned& depth) {
    PerftRowList rows = row_list(PerftRows{task.roots, {}, {}});
    depth = task.depth;
    while (depth > kLeastDepth && rows.size() != 0 && rows.size() < kEnoughRows &&
           count_children(rows) <= kMostChildren) {
      rows = expanded_rows(rows, merge);
      --depth;
    }
    for (const Uint128& multiplicity : rows.multiplicities) {
      if (multiplicity == Uint128{~std::uint64_t{0}, ~std::uint64_t{0}}) overflow();
    }
    return rows;
  }

  // The paths of two plies below each row: what a row costs, nearly.
  std::vector<std::uint64_t> work_of(const PerftRowList& rows, unsigned depth) {
    std::vector<std::uint64_t> work;
    std::vector<Uint128> nodes;
    PerftOptions options;
    options.merge = false;
    for (std::size_t at = 0; at < rows.size(); at += kMostRoots) {
      const std::size_t n = std::min<std::size_t>(kMostRoots, rows.size() - at);
      nodes.assign(n, Uint128{});
      backend_.perft(std::span(rows.positions).subspan(at, n), std::min(depth, 2u), options, nodes);
      for (const Uint128& count : nodes) work.push_back(std::max<std::uint64_t>(count.lo, 1));
    }
    return work;
  }

  bool run_task(PerftTask& task, const std::optional<StopSignal>& stop) {
    unsigned depth = 0;
    const PerftRowList rows = frontier(task, arguments_.merge, depth);
    const std::vector<std::uint64_t> work = work_of(rows, depth);
    const ItemRange range = shard_items(work, identity_.shard);
    row_ = std::clamp(row_, range.begin, range.end);
    std::uint64_t all_work = 0, done_work = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      all_work += work[i];
      if (i < row_) done_work += work[i];
    }
    task_share_ =
        static_cast<double>(done_work) / static_cast<double>(std::max<std::uint64_t>(all_work, 1));
    if (!started_) {
      started_ = Clock::now();
      first_share_ = share(0);
    }
    // In units of work, grown to what takes some seconds.
    double wanted = kFirstShare * static_cast<double>(all_work);
    while (row_ < range.end) {
      if (stop && stop->asked()) return false;
      std::size_t end = row_;
      std::uint64_t piece = 0;
      do {
        piece += work[end++];
      } while (end < range.end && !is_enough(end - row_, static_cast<double>(piece), wanted) &&
               rows.roots[end] - rows.roots[row_] < kMostRoots);
      piece_share_ = static_cast<double>(piece) / static_cast<double>(all_work);
      const Clock::time_point start = Clock::now();
      count_piece(task, rows, end, depth);
      const double speed = static_cast<double>(piece) / std::max(seconds_since(start), 1e-6);
      wanted = std::min(4 * std::max(wanted, static_cast<double>(piece)), speed * kPieceSeconds);
      done_work += piece;
      task_share_ = static_cast<double>(done_work) / static_cast<double>(all_work);
      piece_share_ = 0;
      row_ = end;
      show(0, 0);
      save_when_due();
    }
    return true;
  }

  bool is_enough(std::size_t rows, double work, double wanted) const {
    if (arguments_.batch_positions != 0) return rows >= arguments_.batch_positions;
    return work >= wanted;
  }

  // Counts the rows from row_ to `end`.
  void count_piece(PerftTask& task, const PerftRowList& rows, std::size_t end, unsigned depth) {
    const PerftRows piece = rows.rows(row_, end);
    const std::uint32_t first = piece.roots.front();
    roots_.clear();
    for (const std::uint32_t root : piece.roots) roots_.push_back(root - first);
    sums_.assign(std::size_t{roots_.back()} + 1, Uint128{});
    PerftOptions options;
    options.merge = arguments_.merge;
    // By what the pieces before have shown: nodes a share.
    const double per_share = nodes_ / std::max(share(0) - first_share_, 1e-12);
    options.progress = [&](double so_far) {
      const double expected = per_share * (share(1) - share(0));
      show(so_far, nodes_ > 0 && expected > 0 ? std::min(1.0, so_far / expected) : 0);
    };
    backend_.perft(PerftRows{piece.positions, roots_, piece.multiplicities}, depth, options, sums_);
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      if (add(task.nodes[first + i], sums_[i])) overflow();
      nodes_ += to_double(sums_[i]);
    }
  }

  void show(double more_nodes, double piece) {
    const double now = share(piece), since = now - first_share_;
    ProgressState state;
    state.count = nodes_ + more_nodes;
    state.share = now;
    if (since > 0) state.seconds_left = seconds_since(*started_) * (1 - now) / since;
    progress_.show(state, "nodes");
  }

  [[noreturn]] static void overflow() { throw BackendError("perft: a count passes 128 bits"); }

  // The state from the checkpoint; false when there is none to go on from.
  bool restore() {
    const auto records = resumed_records(arguments_.long_run, identity_);
    if (!records) return false;
    for (const std::string& text : *records) {
      const auto record = JsonValue::parse(text);
      const auto task = record ? record->integer("task") : std::nullopt;
      if (!task || *task > tasks_.size()) broken();
      if (record->string("type") == "state") {
        const auto row = record->integer("row");
        if (!row) broken();
        task_ = *task;
        row_ = *row;
        continue;
      }
      const auto root = record->integer("root");
      const auto nodes = parse_uint128(record->string("nodes").value_or(""));
      if (!root || !nodes || *task == tasks_.size() || *root >= tasks_[*task].nodes.size())
        broken();
      tasks_[*task].nodes[*root] = *nodes;
    }
    return true;
  }

  [[noreturn]] void broken() const {
    throw IoError(arguments_.long_run.checkpoint + ": a record of the checkpoint cannot be read");
  }

  void save_when_due() {
    if (saves() && seconds_since(saved_) >= std::max(kLeastSeconds, kSaveShare * save_seconds_)) {
      save();
    }
  }

  void save() {
    const Clock::time_point start = Clock::now();
    std::vector<std::string> records(1);
    JsonObject(records[0])
        .string("type", "state")
        .integer("task", task_)
        .integer("row", row_)
        .end();
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      for (std::size_t r = 0; r < tasks_[t].nodes.size(); ++r) {
        if (tasks_[t].nodes[r].is_zero()) continue;
        JsonObject(records.emplace_back())
            .string("type", "count")
            .integer("task", t)
            .integer("root", r)
            .string("nodes", to_string(tasks_[t].nodes[r]))
            .end();
      }
    }
    save_checkpoint(arguments_.long_run.checkpoint, identity_, records);
    saved_ = Clock::now();
    save_seconds_ = seconds_since(start);
  }

  Backend& backend_;
  const PerftArguments& arguments_;
  const RunIdentity& identity_;
  std::vector<PerftTask>& tasks_;
  Progress progress_;
  std::size_t task_ = 0;  // where the run stands: everything before is counted
  std::size_t row_ = 0;   // of the task's frontier
  std::vector<double> weights_;
  double all_weight_ = 0, done_weight_ = 0;
  double task_share_ = 0;   // of the task at hand, counted
  double piece_share_ = 0;  // of that task, being counted
  double first_share_ = 0;  // of the run, where this process began
  double nodes_ = 0;        // counted by this process
  std::optional<Clock::time_point> started_;
  Clock::time_point saved_{};
  double save_seconds_ = 0;
  std::vector<std::uint32_t> roots_;
  std::vector<Uint128> sums_;
};

}  // namespace

bool count_in_pieces(Backend& backend, const PerftArguments& arguments, const RunIdentity& identity,
                     std::vector<PerftTask>& tasks) {
  return Pieces(backend, arguments, identity, tasks).run();
}

}  // namespace cuarbiter
