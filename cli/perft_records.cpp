// Records of counts.
#include "cli/perft_records.hpp"

#include <fmt/format.h>

#include <iterator>

#include "host/batch/uint128_text.hpp"
#include "host/report/csv.hpp"
#include "host/report/json.hpp"

namespace cuarbiter {

PerftForm form_of(const PerftArguments& arguments) {
  // At depth 0 there is no first move.
  return PerftForm{arguments.common.format, arguments.depth, arguments.reads_files,
                   arguments.divide && arguments.depth > 0};
}

std::string PerftRecords::head() const {
  return form_.format == Format::csv ? "type,line,fen,depth,move,nodes\n" : "";
}

void PerftRecords::divide(std::string& out, const Root& root, std::string_view move,
                          const Uint128& nodes) const {
  switch (form_.format) {
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
          .field(form_.depth)
          .field(move)
          .field(to_string(nodes))
          .end();
      break;
    default:
      fmt::format_to(std::back_inserter(out), "{}: {}\n", move, to_string(nodes));
      break;
  }
}

void PerftRecords::total(std::string& out, const Root& root, const Uint128& nodes) const {
  switch (form_.format) {
    case Format::jsonl:
      JsonObject(out)
          .string("type", "perft")
          .integer("line", root.line)
          .string("fen", root.fen)
          .integer("depth", form_.depth)
          .string("nodes", to_string(nodes))
          .end_line();
      break;
    case Format::csv:
      CsvRow(out)
          .field("perft")
          .field(root.line)
          .field(root.fen)
          .field(form_.depth)
          .empty()
          .field(to_string(nodes))
          .end();
      break;
    default:
      if (form_.lines) {
        fmt::format_to(std::back_inserter(out), "{} ;D{} {}\n", root.fen, form_.depth,
                       to_string(nodes));
      } else {
        fmt::format_to(std::back_inserter(out), "{}Nodes: {}\n", form_.divide ? "\n" : "",
                       to_string(nodes));
      }
      break;
  }
}

}  // namespace cuarbiter
