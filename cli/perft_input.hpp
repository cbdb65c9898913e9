// The positions that a perft starts from: --fen, the start position, or every line of files.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cli/exit_status.hpp"
#include "cli/perft_command.hpp"
#include "cli/perft_roots.hpp"

namespace cuarbiter {

// Says on standard error what is wrong with a position that was read, and raises `status`. In a
// suite only what cannot be computed is a finding. True when the position can be computed.
bool take_defects(const PerftArguments& arguments, RunStatus& status, const std::string& file,
                  std::uint64_t line, const FenResult& fen);

// Hands every position that can be computed to `take`, in the order of the input.
void read_perft_roots(const PerftArguments& arguments, RunStatus& status,
                      const std::function<void(PerftRoot)>& take);

}  // namespace cuarbiter
