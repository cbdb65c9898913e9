// perft without a suite: the start position, one FEN, or every line of files.
#include "cli/perft_command.hpp"

#include "cli/output.hpp"
#include "cli/perft_batch.hpp"
#include "cli/perft_input.hpp"
#include "cli/perft_roots.hpp"

namespace cuarbiter {
namespace {

// Gathers roots, counts them in large calls, and writes the answers in the order they came.
class PerftRun {
 public:
  PerftRun(const PerftArguments& arguments, Backend& backend, Output& output)
      : counter_(backend, arguments), batch_(form_of(arguments)), output_(output) {
    most_rows_ = arguments.batch_positions != 0 ? arguments.batch_positions : kRootsPerCall;
    output_.write(PerftRecords(form_of(arguments)).head());
  }

  void add(PerftRoot root) {
    batch_.add(std::move(root));
    if (batch_.rows().size() >= most_rows_) count();
  }

  void finish() {
    count();
    counter_.report();
  }

 private:
  void count() {
    if (batch_.empty()) return;
    nodes_.assign(batch_.rows().size(), Uint128{});
    counter_.count(batch_.rows(), batch_.depth(), nodes_);
    output_.write(batch_.records(nodes_));
    output_.flush();
    batch_.clear();
  }

  PerftCounter counter_;
  PerftBatch batch_;
  Output& output_;
  std::size_t most_rows_;
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
