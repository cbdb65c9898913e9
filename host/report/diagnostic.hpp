// The one table of everything that can be wrong with a position, a game or a move: code, severity
// and meaning. Messages, counts in summaries and the documentation all come from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cuarbiter {

enum class Severity : std::uint8_t { warning, error };

// In the order of the table; kCodeCount follows the last one.
enum class Code : std::uint8_t {
  fen_syntax,
  fen_fields,
  fen_placement,
  fen_side,
  fen_castling,
  fen_en_passant,
  fen_halfmove,
  fen_fullmove,
  fen_counters,
  fen_normalised,
  fen_kings,
  fen_pawn_rank,
  fen_too_many,
  fen_opponent_in_check,
  fen_impossible_check,
  fen_castling_impossible,
  fen_en_passant_impossible,
  fen_shut_in,
  fen_pawn_structure,
  fen_promotions,
  epd_opcode,
  epd_operand,
  epd_move,
  touch_empty_square,
  pgn_tag_syntax,
  pgn_tag_duplicate,
  pgn_unexpected_token,
  pgn_unterminated_comment,
  pgn_unterminated_variation,
  pgn_unterminated_tag,
  pgn_nul_byte,
  pgn_result_missing,
  pgn_result_mismatch,
  pgn_variant_unsupported,
  pgn_tag_missing,
  pgn_tag_value,
  pgn_move_number,
  pgn_encoding,
  pgn_setup_tag,
  pgn_nested_comment,
  pgn_reserved,
  pgn_game_too_long,
  pgn_nag_glyph,
  pgn_result_spelling,
  move_invalid,
  move_illegal,
  move_ambiguous,
  move_king_left_in_check,
  move_after_end,
  move_null,
  san_check_suffix,
  san_disambiguation,
  san_capture,
  san_castling,
  san_promotion,
  san_case,
  san_long,
  san_figurine,
  san_pawn_letter,
  san_en_passant,
  san_punctuation,
  result_checkmate,
  result_stalemate,
  result_dead_position,
  result_cannot_win,
  result_early,
  result_void,
  game_beyond_fivefold,
  game_beyond_seventyfive,
  game_beyond_checks,
  game_duplicate,
};

inline constexpr std::size_t kCodeCount = static_cast<std::size_t>(Code::game_duplicate) + 1;

// The name users see, such as "move.illegal".
std::string_view code_name(Code code);

// The usual severity. move_null is the one code that has both: it is a warning in a variation (what
// this returns) and an error in the main line.
Severity code_severity(Code code);

// One line of meaning, no full stop at the end.
std::string_view code_meaning(Code code);

// The code of that name, or nothing.
std::optional<Code> find_code(std::string_view name);

// "warning" or "error".
std::string_view severity_name(Severity severity);

}  // namespace cuarbiter
