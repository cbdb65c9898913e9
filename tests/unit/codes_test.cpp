// One text for every code of the table in which it is found, and a text like it in which it is not.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "host/notation/epd.hpp"
#include "tests/support/pgn_run.hpp"

namespace cuarbiter {
namespace {

using namespace test;

struct CodeCase {
  Code code;
  std::string faulty;
  std::string clean;
};

std::string moves(const std::string& text, const std::string& result = "*",
                  const std::string& tags = {}) {
  return roster(result, tags) + text + ' ' + result + "\n";
}

std::string from(const std::string& fen, const std::string& text, const std::string& result = "*") {
  return with_fen(fen, result) + text + ' ' + result + "\n";
}

std::string shuffled(int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += "Nf3 Nf6 Ng1 Ng8 ";
  return text;
}

std::vector<CodeCase> pgn_cases() {
  const std::string italian = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 ";
  const std::string mate = "1. f3 e5 2. g4 Qh4#";
  const std::string stalemate = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1";
  const std::string promotion = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
  const std::string rook_ending = "4k3/8/8/8/8/8/R7/4K3 w - - ";
  return {
      {Code::pgn_tag_syntax, moves("e4", "*", "[ECO A00]\n"), moves("e4", "*", "[ECO \"A00\"]\n")},
      {Code::pgn_tag_duplicate, moves("e4", "*", "[White \"V\"]\n"),
       moves("e4", "*", "[white \"V\"]\n")},
      {Code::pgn_unexpected_token, moves("1. e4 )"), moves("1. e4")},
      {Code::pgn_unterminated_comment, moves("1. e4 {a"), moves("1. e4 {a}")},
      {Code::pgn_unterminated_variation, moves("1. e4 (1. d4"), moves("1. e4 (1. d4)")},
      {Code::pgn_unterminated_tag, moves("e4", "*", "[ECO \"A00\n"),
       moves("e4", "*", "[ECO \"A00\"]\n")},
      {Code::pgn_nul_byte, moves(std::string("e4\0e5", 5)), moves("e4 e5")},
      {Code::pgn_result_missing, roster() + "1. e4\n", roster() + "1. e4 *\n"},
      {Code::pgn_result_mismatch, roster("1-0") + "1. e4 0-1\n", roster("1-0") + "1. e4 1-0\n"},
      {Code::pgn_variant_unsupported, moves("e4", "*", "[Variant \"Atomic\"]\n"),
       moves("e4", "*", "[Variant \"Standard\"]\n")},
      {Code::pgn_tag_missing, "[Event \"E\"]\n\n1. e4 *\n", moves("1. e4")},
      {Code::pgn_tag_value, moves("e4", "*", "[PlyCount \"2\"]\n"),
       moves("e4", "*", "[PlyCount \"1\"]\n")},
      {Code::pgn_move_number, moves("1. e4 3. e5"), moves("1. e4 1. e5")},
      {Code::pgn_encoding, moves("{\xE9} e4"), moves("{\xC3\xA9} e4")},
      {Code::pgn_setup_tag, moves("e4", "*", "[SetUp \"1\"]\n"),
       moves("e4", "*", "[SetUp \"0\"]\n")},
      {Code::pgn_nested_comment, moves("{a {b} c} e4"), moves("{a {b} e4")},
      {Code::pgn_reserved, moves("<a> e4"), moves("{<a>} e4")},
      {Code::pgn_game_too_long,
       moves("{" + std::string(9000, 'x') + "} e4 {" + std::string(9000, 'x') + "} e5"),
       moves("{" + std::string(4000, 'x') + "} e4")},
      {Code::pgn_nag_glyph, moves("e4 +-"), moves("e4 $18")},
      {Code::pgn_result_spelling, roster("1-0") + "1. e4 1:0\n", roster("1-0") + "1. e4 1-0\n"},
      {Code::move_invalid, moves("1. Nf9"), moves("1. Nf3")},
      {Code::move_illegal, moves("1. Nf4"), moves("1. Nf3")},
      {Code::move_ambiguous, moves("1. d4 d5 2. Nf3 Nf6 3. Nd2"),
       moves("1. d4 d5 2. Nf3 Nf6 3. Nbd2")},
      {Code::move_king_left_in_check, moves("1. e4 f6 2. Qh5+ Nh6"), moves("1. e4 f6 2. Qh5+ g6")},
      {Code::move_after_end, moves(mate + " 3. e4", "0-1"), moves(mate, "0-1")},
      {Code::move_null, moves("1. e4 (1. --)"), moves("1. e4 (1. d4)")},
      {Code::san_check_suffix, moves("1. e4+"), moves("1. e4")},
      {Code::san_disambiguation, moves("1. Ngf3"), moves("1. Nf3")},
      {Code::san_capture, moves("1. e4 d5 2. exd5 Qd5"), moves("1. e4 d5 2. exd5 Qxd5")},
      {Code::san_castling, moves(italian + "4. 0-0"), moves(italian + "4. O-O")},
      {Code::san_promotion, from(promotion, "1. e8Q"), from(promotion, "1. e8=Q")},
      {Code::san_case, moves("1. nf3"), moves("1. Nf3")},
      {Code::san_long, moves("1. e2-e4"), moves("1. e4")},
      {Code::san_figurine,
       moves("1. \xE2\x99\x98"
             "f3"),
       moves("1. Nf3")},
      {Code::san_pawn_letter, moves("1. Pe4"), moves("1. e4")},
      {Code::san_en_passant, moves("1. e4 d5 2. e5 f5 3. exf6 e.p."),
       moves("1. e4 d5 2. e5 f5 3. exf6")},
      {Code::san_punctuation, moves("1. e4, e5"), moves("1. e4 e5")},
      {Code::result_checkmate, moves(mate, "1-0"), moves(mate, "0-1")},
      {Code::result_stalemate, from(stalemate, "1. Qf7", "1-0"),
       from(stalemate, "1. Qf7", "1/2-1/2")},
      {Code::result_dead_position, from("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "1. Kxe2", "1-0"),
       from("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "1. Kxe2", "1/2-1/2")},
      {Code::result_cannot_win, from(rook_ending + "0 1", "1. Kd1 Kf7", "0-1"),
       from(rook_ending + "0 1", "1. Kd1 Kf7", "1-0")},
      {Code::game_beyond_fivefold, moves(shuffled(4) + "e4"), moves(shuffled(4))},
      {Code::game_beyond_seventyfive, from(rook_ending + "149 120", "Kd1 Kd7 Ra1"),
       from(rook_ending + "149 120", "Kd1")},
  };
}

const std::string kBoard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const std::string kStart = kBoard + " w KQkq - 0 1";

std::vector<CodeCase> line_cases() {
  const std::string record = kBoard + " w KQkq -";
  return {
      {Code::fen_syntax, "", kStart},
      {Code::fen_fields, kStart + " 7", kStart},
      {Code::fen_placement, "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", kStart},
      {Code::fen_side, kBoard + " x KQkq - 0 1", kStart},
      {Code::fen_castling, kBoard + " w KQxq - 0 1", kStart},
      {Code::fen_en_passant, kBoard + " w KQkq e9 0 1", kStart},
      {Code::fen_halfmove, kBoard + " w KQkq - x 1", kStart},
      {Code::fen_fullmove, kBoard + " w KQkq - 0 x", kStart},
      {Code::fen_counters, kBoard + " w KQkq - 9 1", kStart},
      {Code::fen_normalised, kBoard + " w QKkq - 0 1", kStart},
      {Code::fen_kings, "8/8/8/8/8/8/8/K7 w - - 0 1", "7k/8/8/8/8/8/8/K7 w - - 0 1"},
      {Code::fen_pawn_rank, "7k/8/8/8/8/8/8/K6P w - - 0 1", "7k/8/8/8/8/8/7P/K7 w - - 0 1"},
      {Code::fen_too_many, "rnbqkbnr/pppppppp/8/8/8/Q7/PPPPPPPP/RNBQKBNR w KQkq - 0 1", kStart},
      {Code::fen_opponent_in_check, "7k/8/8/8/8/8/8/K6R w - - 0 1", "7k/8/8/8/8/8/8/K6R b - - 0 1"},
      {Code::fen_impossible_check, "4r1k1/8/8/8/7b/8/2n5/4K3 w - - 0 1",
       "6k1/8/8/8/8/8/2n5/4K3 w - - 0 1"},
      {Code::fen_castling_impossible, "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
       "4k3/8/8/8/8/8/8/4K2R w K - 0 1"},
      {Code::fen_en_passant_impossible, "4k3/8/8/8/8/8/8/4K3 b - e3 0 1",
       "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"},
      {Code::fen_shut_in, "4k3/8/8/8/8/B1B5/PPPPPPP1/4K3 w - - 0 1",
       "4k3/8/8/8/8/B1B5/PPPPPP2/4K3 w - - 0 1"},
      {Code::fen_pawn_structure, "rnbqkbnr/pppppppp/8/8/8/4P3/PPP1PPPP/RNBQKBNR w KQkq - 0 1",
       "rnbqkb1r/pppppppp/8/8/8/4P3/PPP1PPPP/RNBQKBNR w KQkq - 0 1"},
      {Code::fen_promotions, "rnbqkbnr/1ppppppp/p7/8/8/N7/1PPPPPPP/RNBQKBNR w KQkq - 0 1",
       "rnbqkb1r/1ppppppp/p7/8/8/N7/1PPPPPPP/RNBQKBNR w KQkq - 0 1"},
      {Code::epd_opcode, record + " b*m e4;", record + " bm e4;"},
      {Code::epd_operand, record + " bm e5;", record + " bm e4;"},
      {Code::epd_move, record + " bm e2e4;", record + " bm e4;"},
  };
}

std::set<Code> codes_in_line(const std::string& line) {
  std::set<Code> out;
  const bool is_epd = line.ends_with(";");
  const FenResult fen = is_epd ? read_position_line(line).fen : read_fen(line);
  for (const FenDefect& d : fen.defects) {
    out.insert(find_code(fen_fault_code(d.fault)).value());
  }
  return out;
}

std::set<Code> codes_in_games(const std::string& text) {
  PgnOptions options;
  options.max_frame_bytes = 8000;
  std::set<Code> out;
  for (const PgnFinding& f : run_pgn(text, options).findings) out.insert(find_code(f.code).value());
  return out;
}

TEST(Codes, EachIsFoundWhereItAppliesAndNotBesideIt) {
  std::set<Code> covered;
  for (const CodeCase& c : pgn_cases()) {
    covered.insert(c.code);
    EXPECT_EQ(codes_in_games(c.faulty).count(c.code), 1u) << code_name(c.code);
    EXPECT_EQ(codes_in_games(c.clean).count(c.code), 0u) << code_name(c.code);
  }
  for (const CodeCase& c : line_cases()) {
    covered.insert(c.code);
    EXPECT_EQ(codes_in_line(c.faulty).count(c.code), 1u) << code_name(c.code);
    EXPECT_EQ(codes_in_line(c.clean).count(c.code), 0u) << code_name(c.code);
  }
  // Told by a whole run or another command, or under house rules: tested with those.
  for (const Code code : {Code::game_duplicate, Code::touch_empty_square, Code::result_early,
                          Code::result_void, Code::game_beyond_checks}) {
    covered.insert(code);
  }
  for (std::size_t i = 0; i < kCodeCount; ++i) {
    EXPECT_EQ(covered.count(static_cast<Code>(i)), 1u)
        << code_name(static_cast<Code>(i)) << " has no case";
  }
}

// Faults of a FEN tag carry the codes of FEN lines.
TEST(Codes, FenTagsAreReadAsLines) {
  for (const CodeCase& c : line_cases()) {
    if (code_name(c.code).substr(0, 3) != "fen" || c.code == Code::fen_syntax) continue;
    EXPECT_EQ(codes_in_games(from(c.faulty, "")).count(c.code), 1u) << code_name(c.code);
    EXPECT_EQ(codes_in_games(from(c.clean, "")).count(c.code), 0u) << code_name(c.code);
  }
}

}  // namespace
}  // namespace cuarbiter
