// The table behind the codes. Its order is the enumeration's, which the compiler checks.
#include "host/report/diagnostic.hpp"

#include <algorithm>
#include <array>

namespace cuarbiter {
namespace {

struct Entry {
  Code code;
  std::string_view name;
  Severity severity;
  std::string_view meaning;
};

using enum Severity;

constexpr std::array<Entry, kCodeCount> kTable{{
    {Code::fen_syntax, "fen.syntax", error, "the line cannot be read as a FEN or EPD record"},
    {Code::fen_fields, "fen.fields", error, "too few or too many fields"},
    {Code::fen_placement, "fen.placement", error,
     "the piece placement field does not describe eight ranks of eight squares"},
    {Code::fen_side, "fen.side", error, "the side to move is neither w nor b"},
    {Code::fen_castling, "fen.castling", error, "the castling field cannot be read"},
    {Code::fen_en_passant, "fen.en-passant", error,
     "the en passant field is neither a dash nor a square of the third or sixth rank"},
    {Code::fen_halfmove, "fen.halfmove", error, "the halfmove clock is not a number in range"},
    {Code::fen_fullmove, "fen.fullmove", error, "the fullmove number is not a number in range"},
    {Code::fen_counters, "fen.counters", warning,
     "the halfmove clock and fullmove number cannot both be right, or the fullmove number is 0"},
    {Code::fen_normalised, "fen.normalised", warning,
     "the record can be read but is not written in the normal form"},
    {Code::fen_kings, "fen.kings", error, "a side does not have exactly one king"},
    {Code::fen_pawn_rank, "fen.pawn-rank", error, "a pawn stands on the first or the last rank"},
    {Code::fen_too_many, "fen.too-many", error,
     "a side has more pawns, pieces or promoted pieces than a game can give it"},
    {Code::fen_opponent_in_check, "fen.opponent-in-check", error,
     "the side that has just moved has left its king in check"},
    {Code::fen_impossible_check, "fen.impossible-check", error,
     "no last move can have given all these checks at once"},
    {Code::fen_castling_impossible, "fen.castling-impossible", error,
     "a castling right is given without the king or the rook it needs"},
    {Code::fen_en_passant_impossible, "fen.en-passant-impossible", error,
     "no pawn can have passed over the en passant square with the last move"},
    {Code::fen_shut_in, "fen.shut-in", error,
     "a piece stands where it cannot have come past men that have never moved"},
    {Code::fen_pawn_structure, "fen.pawn-structure", error,
     "the pawns cannot have come to stand so with the captures that were made"},
    {Code::fen_promotions, "fen.promotions", error,
     "more pawns have promoted than the captures made can have let past each other"},
    {Code::epd_opcode, "epd.opcode", error, "the name of an EPD operation cannot be read"},
    {Code::epd_operand, "epd.operand", error, "an operand of an EPD operation cannot be read"},
    {Code::epd_move, "epd.move", warning,
     "a move operand of an EPD operation is not written as SAN"},
    {Code::touch_empty_square, "touch.empty-square", warning,
     "no man stands on a square that is given as touched"},
    {Code::pgn_tag_syntax, "pgn.tag-syntax", error, "a tag pair cannot be read"},
    {Code::pgn_tag_duplicate, "pgn.tag-duplicate", error, "a tag name occurs twice in one game"},
    {Code::pgn_unexpected_token, "pgn.unexpected-token", error,
     "something stands where PGN allows nothing of its kind"},
    {Code::pgn_unterminated_comment, "pgn.unterminated-comment", error,
     "a comment is opened and never closed"},
    {Code::pgn_unterminated_variation, "pgn.unterminated-variation", error,
     "a variation is opened and never closed"},
    {Code::pgn_unterminated_tag, "pgn.unterminated-tag", error,
     "a tag pair or its value is opened and never closed"},
    {Code::pgn_nul_byte, "pgn.nul-byte", error, "the text contains a NUL byte"},
    {Code::pgn_result_missing, "pgn.result-missing", error,
     "the movetext ends without a game termination marker"},
    {Code::pgn_result_mismatch, "pgn.result-mismatch", error,
     "the Result tag and the game termination marker disagree"},
    {Code::pgn_variant_unsupported, "pgn.variant-unsupported", warning,
     "the rules of this variant are not known here, so the game is not judged"},
    {Code::pgn_tag_missing, "pgn.tag-missing", warning, "a tag of the seven tag roster is missing"},
    {Code::pgn_tag_value, "pgn.tag-value", warning,
     "the value of a tag is not one its name allows"},
    {Code::pgn_move_number, "pgn.move-number", warning,
     "a move number indication does not fit the move it stands before"},
    {Code::pgn_encoding, "pgn.encoding", warning, "the text is not valid UTF-8"},
    {Code::pgn_setup_tag, "pgn.setup-tag", warning,
     "the SetUp and FEN tags do not go together as the standard asks"},
    {Code::pgn_nested_comment, "pgn.nested-comment", warning,
     "a comment contains an opening brace, which does not nest"},
    {Code::pgn_reserved, "pgn.reserved", warning,
     "text between angle brackets, which the standard keeps for later use, is skipped"},
    {Code::pgn_game_too_long, "pgn.game-too-long", error,
     "the game is longer than can be processed"},
    {Code::pgn_nag_glyph, "pgn.nag-glyph", warning,
     "an evaluation symbol stands where export format has a NAG"},
    {Code::pgn_result_spelling, "pgn.result-spelling", warning,
     "a game termination marker is not spelled as the standard has it"},
    {Code::move_invalid, "move.invalid", error, "the text cannot be read as a move"},
    {Code::move_illegal, "move.illegal", error, "no legal move fits the text"},
    {Code::move_ambiguous, "move.ambiguous", error, "more than one legal move fits the text"},
    {Code::move_king_left_in_check, "move.king-left-in-check", error,
     "the move would leave or put the mover's own king in check"},
    {Code::move_after_end, "move.after-end", error, "a move is made after the game has ended"},
    {Code::move_null, "move.null", warning,
     "a null move: let pass in a variation, an error in the main line"},
    {Code::san_check_suffix, "san.check-suffix", warning,
     "the check or checkmate sign is missing, wrong or not called for"},
    {Code::san_disambiguation, "san.disambiguation", warning,
     "the origin is given where it is not needed, or more of it than is needed"},
    {Code::san_capture, "san.capture", warning,
     "the capture sign is missing, or there although nothing is captured"},
    {Code::san_castling, "san.castling", warning, "castling is not written with capital letters O"},
    {Code::san_promotion, "san.promotion", warning,
     "the promotion is not written as an equals sign and the piece"},
    {Code::san_case, "san.case", warning, "a piece or file letter has the wrong case"},
    {Code::san_long, "san.long", warning,
     "the move is written in long algebraic or UCI form instead of SAN"},
    {Code::san_figurine, "san.figurine", warning, "a piece is written as a chess symbol"},
    {Code::san_pawn_letter, "san.pawn-letter", warning, "a pawn move is written with a letter"},
    {Code::san_en_passant, "san.en-passant", warning,
     "an en passant capture is marked as such, which SAN does not do"},
    {Code::san_punctuation, "san.punctuation", warning,
     "a full stop or another mark of prose is attached to the move"},
    {Code::result_checkmate, "result.checkmate", error,
     "the game ends in checkmate, and the result says otherwise"},
    {Code::result_stalemate, "result.stalemate", error,
     "the game ends in stalemate, and the result is no draw"},
    {Code::result_dead_position, "result.dead-position", error,
     "the game ends in a dead position, and the result is no draw"},
    {Code::result_cannot_win, "result.cannot-win", error,
     "the result gives the win to a side that no series of moves lets mate"},
    {Code::result_early, "result.early", error,
     "a resignation or an agreed draw before the move from which the rules count them"},
    {Code::result_void, "result.void", error,
     "a flag fell so early that the rules void the game, and there is a result"},
    {Code::game_beyond_fivefold, "game.beyond-fivefold", warning,
     "play went on after the fifth occurrence of a position"},
    {Code::game_beyond_seventyfive, "game.beyond-seventyfive", warning,
     "play went on after seventy-five moves by each side without capture or pawn move"},
    {Code::game_beyond_checks, "game.beyond-checks", warning,
     "play went on after so many checks that the rules draw the game"},
    {Code::game_duplicate, "game.duplicate", warning,
     "a game of the same players with the same moves was seen before"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kCodeCount; ++i) {
    if (static_cast<std::size_t>(kTable[i].code) != i || kTable[i].meaning.empty()) return false;
  }
  return true;
}
static_assert(in_order(), "the table must list every code once, in the order of the enumeration");

const Entry& entry(Code code) {
  return kTable[static_cast<std::size_t>(code)];
}

}  // namespace

std::string_view code_name(Code code) {
  return entry(code).name;
}

Severity code_severity(Code code) {
  return entry(code).severity;
}

std::string_view code_meaning(Code code) {
  return entry(code).meaning;
}

std::optional<Code> find_code(std::string_view name) {
  const auto found =
      std::find_if(kTable.begin(), kTable.end(), [&](const Entry& e) { return e.name == name; });
  if (found == kTable.end()) return std::nullopt;
  return found->code;
}

std::string_view severity_name(Severity severity) {
  return severity == error ? "error" : "warning";
}

}  // namespace cuarbiter
