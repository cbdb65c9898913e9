// The table of FEN and EPD faults: code and severity.
#include <array>
#include <string>
#include <utility>

#include "host/notation/fen.hpp"
#include "host/notation/fen_fields.hpp"

namespace cuarbiter {

namespace {

struct FaultEntry {
  FenFault fault;
  const char* code;
  bool error;
};

constexpr std::array<FaultEntry, kFenFaultCount> kFaults{{
    {FenFault::syntax, "fen.syntax", true},
    {FenFault::fields, "fen.fields", true},
    {FenFault::placement, "fen.placement", true},
    {FenFault::side, "fen.side", true},
    {FenFault::castling, "fen.castling", true},
    {FenFault::en_passant, "fen.en-passant", true},
    {FenFault::halfmove, "fen.halfmove", true},
    {FenFault::fullmove, "fen.fullmove", true},
    {FenFault::counters, "fen.counters", false},
    {FenFault::normalised, "fen.normalised", false},
    {FenFault::kings, "fen.kings", true},
    {FenFault::pawn_rank, "fen.pawn-rank", true},
    {FenFault::too_many, "fen.too-many", true},
    {FenFault::opponent_in_check, "fen.opponent-in-check", true},
    {FenFault::impossible_check, "fen.impossible-check", true},
    {FenFault::castling_impossible, "fen.castling-impossible", true},
    {FenFault::en_passant_impossible, "fen.en-passant-impossible", true},
    {FenFault::shut_in, "fen.shut-in", true},
    {FenFault::pawn_structure, "fen.pawn-structure", true},
    {FenFault::promotions, "fen.promotions", true},
    {FenFault::epd_opcode, "epd.opcode", true},
    {FenFault::epd_operand, "epd.operand", true},
    {FenFault::epd_move, "epd.move", false},
}};

constexpr bool in_order() {
  for (unsigned i = 0; i < kFenFaultCount; ++i) {
    if (static_cast<unsigned>(kFaults[i].fault) != i) return false;
  }
  return true;
}
static_assert(in_order());

}  // namespace

const char* fen_fault_code(FenFault fault) {
  return kFaults[static_cast<unsigned>(fault)].code;
}

bool fen_fault_is_error(FenFault fault) {
  return kFaults[static_cast<unsigned>(fault)].error;
}

bool fen_fault_is_of_history(FenFault fault) {
  return fault == FenFault::shut_in || fault == FenFault::pawn_structure ||
         fault == FenFault::promotions;
}

namespace fen_detail {

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 24;
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (char c : text.substr(0, kLongest)) {
    const unsigned byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F && c != '"' && c != '\\') {
      out += c;
    } else {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  if (text.size() > kLongest) out += "...";
  return out += '"';
}

void add_defect(std::vector<FenDefect>& defects, FenFault fault, bool fatal, unsigned column,
                std::string message) {
  defects.push_back(FenDefect{fault, fatal, std::move(message), column});
}

}  // namespace fen_detail

}  // namespace cuarbiter
