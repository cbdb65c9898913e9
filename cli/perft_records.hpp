// The records of perft without a suite, in every form: of a run, and of parts put together.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/arguments.hpp"
#include "cli/perft_command.hpp"
#include "host/batch/uint128.hpp"

namespace cuarbiter {

// What decides how records look.
struct PerftForm {
  Format format = Format::text;
  unsigned depth = 0;
  bool lines = false;   // roots are lines of files
  bool divide = false;  // counts of first moves stand before the sum
};

PerftForm form_of(const PerftArguments& arguments);

class PerftRecords {
 public:
  explicit PerftRecords(const PerftForm& form) : form_(form) {}

  struct Root {
    std::uint64_t line;
    std::string_view fen;
  };

  // What comes before all records.
  std::string head() const;
  // Appends the record of a first move; the sum of its root follows after the last of them.
  void divide(std::string& out, const Root& root, std::string_view move,
              const Uint128& nodes) const;
  void total(std::string& out, const Root& root, const Uint128& nodes) const;

 private:
  PerftForm form_;
};

}  // namespace cuarbiter
