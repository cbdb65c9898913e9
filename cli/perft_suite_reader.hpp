// Reading a suite: positions with known counts in either of two forms, one line a position
// (FEN ;D1 20 ;D2 400), or blocks of id, epd and perft lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/exit_status.hpp"
#include "cli/perft_command.hpp"
#include "host/notation/epd.hpp"

namespace cuarbiter {

// Who takes what a suite holds, in its order.
class SuiteTaker {
 public:
  virtual ~SuiteTaker() = default;
  // A position, which need not be computable, and its counts. False when the run is to stop.
  virtual bool add(const std::string& file, std::uint64_t line, const FenResult& fen,
                   const std::vector<PerftCount>& counts) = 0;
};

// Hands every position of the files to `taker`. What cannot be read goes to standard error and
// `status`. False when the taker has stopped it.
bool read_suite(const PerftArguments& arguments, SuiteTaker& taker, RunStatus& status);

}  // namespace cuarbiter
