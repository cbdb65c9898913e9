// Positions that programs have been wrong about: what is wrong with them, their legal moves, their
// normal form. Facts from public bug reports, each with its source.
#include <gtest/gtest.h>

#include <string>

#include "host/notation/epd.hpp"
#include "host/notation/fen.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter {
namespace {

struct KnownPosition {
  const char* name;
  const char* line;
  bool chess960;
  const char* codes;  // of all defects, in order
  bool computable;
  int legal_moves;
  const char* normal;  // empty: the line itself
  const char* source;
};

void PrintTo(const KnownPosition& p, std::ostream* out) {
  *out << p.name << " (" << p.source << ")";
}

const KnownPosition kPositions[] = {
    {"seventh_field", "4k3/8/8/8/8/8/8/4KR2 w - - 0 1 foo", false, "fen.fields", false, 0, "",
     "https://github.com/official-stockfish/Stockfish/pull/6895"},
    {"en_passant_names_the_pawn", "rnbqkbnr/pppp2pp/5p2/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e5 0 1",
     false, "fen.en-passant", true, 29,
     "rnbqkbnr/pppp2pp/5p2/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1",
     "https://github.com/niklasf/shakmaty/issues/71"},
    {"en_passant_rank_of_the_other_side",
     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1", false, "fen.en-passant", true, 20,
     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
     "https://github.com/bhlangonijr/chesslib/issues/52"},
    {"clock_beyond_the_game", "4k3/8/8/8/8/8/8/4KR2 w - - 500 50", false, "fen.counters", true, 13,
     "", "https://github.com/bhlangonijr/chesslib/issues/52"},
    {"fullmove_zero", "4k3/8/8/8/8/8/8/4KR2 w - - 0 0", false, "fen.counters", true, 13,
     "4k3/8/8/8/8/8/8/4KR2 w - - 0 1", "https://github.com/TerjeKir/EngineTests/pull/3"},
    {"en_dash", "4k3/8/8/8/8/8/8/4K2R w K – 0 1", false, "fen.normalised", true, 15,
     "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
     "https://github.com/dlbbld/clean-chess/blob/main/specification.md"},
    {"castling_order", "4k3/8/8/8/8/8/8/R3K2R w QK - 0 1", false, "fen.normalised", true, 26,
     "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
     "https://github.com/dlbbld/clean-chess/blob/main/specification.md"},
    {"castling_right_twice", "4k3/8/8/8/8/8/8/4K2R w KK - 0 1", false, "fen.normalised", true, 15,
     "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
     "https://github.com/dlbbld/clean-chess/blob/main/specification.md"},
    {"no_white_king", "4k3/8/8/8/8/8/8/8 w - - 0 1", false, "fen.kings", false, 0, "",
     "https://github.com/niklasf/python-chess/issues/25"},
    {"ranks_of_kings", "kkkkkkkk/8/8/8/8/8/8/KKKKKKKK w KQkq - 0 1", false,
     "fen.castling-impossible fen.castling-impossible fen.castling-impossible "
     "fen.castling-impossible fen.kings fen.kings",
     false, 0, "", "https://github.com/jhlywa/chess.js/issues/289"},
    {"king_can_be_taken", "1n6/8/2Q5/1rK5/8/8/8/5k2 b - - 0 1", false, "fen.opponent-in-check",
     false, 0, "", "https://github.com/jhlywa/chess.js/issues/558"},
    {"pawn_on_last_rank", "4k2P/8/8/8/8/8/8/4K3 w - - 0 1", false, "fen.pawn-rank", false, 0, "",
     "https://github.com/davecom/chess.dart/pull/30"},
    {"nine_pawns", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", false, "fen.too-many", true, 17, "",
     "https://github.com/niklasf/python-chess/issues/25"},
    {"seventeen_men", "4k3/8/8/8/8/QQ6/PPPPPPPP/RNB1KBNR w - - 0 1", false, "fen.too-many", true,
     43, "", "measured here: chess.js 1.4.0, chessops 0.15.1, chess-library accept"},
    {"third_rook_with_eight_pawns", "4k3/8/8/8/8/R7/PPPPPPPP/RNBQK1NR w - - 0 1", false,
     "fen.too-many", true, 30, "", "https://github.com/tromp/ChessPositionRanking/issues/202"},
    {"board_of_rooks",
     "rRrRrRRK/RrRrrRrR/rrRrRrRR/rRrRrRrr/RRrRrRrR/rrRrRrRr/rRrRrRrR/krrRRrRr w - - 0 1", false,
     "fen.too-many fen.too-many", false, 0, "",
     "https://github.com/official-stockfish/Stockfish/issues/4549"},
    {"three_checkers", "4r1k1/8/8/8/7b/8/2n5/4K3 w - - 0 1", false, "fen.impossible-check", true, 3,
     "", "https://github.com/niklasf/python-chess/issues/458"},
    {"rooks_from_both_sides", "8/8/8/8/8/4K3/8/R3k2R b - - 0 1", false, "fen.impossible-check",
     true, 0, "", "https://github.com/niklasf/python-chess/issues/477"},
    {"two_knights_check", "8/8/N7/2k5/N7/8/8/3K4 b - - 0 1", false, "fen.impossible-check", true, 6,
     "", "https://github.com/niklasf/python-chess/issues/1192"},
    {"two_bishops_check", "8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1", false, "fen.impossible-check",
     true, 0, "", "https://github.com/miguel-ambrona/D3-Chess/issues/47"},
    {"check_before_double_step_on_diagonal", "7K/8/8/3Pp3/8/8/8/b3k3 w - e6 0 1", false,
     "fen.en-passant-impossible", true, 4, "7K/8/8/3Pp3/8/8/8/b3k3 w - - 0 1",
     "https://github.com/stannous/shatranj/pull/4"},
    {"right_without_corner_rook", "4k3/8/8/8/8/8/8/4KR2 w K - 0 1", false,
     "fen.castling-impossible", true, 13, "4k3/8/8/8/8/8/8/4KR2 w - - 0 1",
     "https://github.com/bhlangonijr/chesslib/issues/52"},
    {"rights_without_king_on_e1", "r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1", false,
     "fen.castling-impossible fen.castling-impossible", true, 24,
     "r3k2r/8/8/8/8/8/8/R2K3R w kq - 0 1", "https://github.com/lichess-org/lila/issues/18345"},
    {"inner_rook_by_file_letter", "4k3/8/8/8/8/8/8/4K1RR w G - 0 1", true, "", true, 21, "",
     "https://github.com/Disservin/chess-library/issues/217"},
    {"en_passant_opens_the_rank", "8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", false, "", true, 6,
     "8/8/8/r2Pp2K/8/8/4k3/8 w - - 0 1", "https://github.com/niklasf/python-chess/issues/70"},
    {"en_passant_takes_the_checker", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", false, "", true, 9, "",
     "https://github.com/official-stockfish/Stockfish/issues/3270"},
    {"check_before_double_step_capture_kept", "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", false,
     "fen.en-passant-impossible", true, 6, "",
     "https://github.com/official-stockfish/Stockfish/issues/3270"},
    {"en_passant_opens_the_rank_again", "8/8/3p4/KPp4r/1R3pPk/8/4P3/8 w - c6 0 1", false, "", true,
     16, "8/8/3p4/KPp4r/1R3pPk/8/4P3/8 w - - 0 1",
     "https://github.com/jniemann66/juddperft/issues/7"},
    {"king_takes_checking_queen", "rnb1kbnr/ppp3p1/8/7p/8/8/PPPPqPPP/RNB1K2R w KQkq - 0 1", false,
     "", true, 1, "", "https://github.com/emymin/EmyChess/pull/17"},
    {"clock_100", "4k3/8/8/8/8/8/8/4K2R w K - 100 80", false, "", true, 15, "",
     "https://github.com/lichess-org/lila/issues/8681"},
    {"clock_99", "4k3/8/8/8/8/8/8/4K2R w K - 99 80", false, "", true, 15, "",
     "https://github.com/cutechess/cutechess/issues/558"},
    {"clock_50", "4k3/8/8/8/8/8/8/4K2R w K - 50 80", false, "", true, 15, "",
     "https://github.com/shiro-nya/2025-chess-bot-tournament/issues/21"},
    {"clock_150", "4k3/8/8/8/8/8/8/4K2R w K - 150 90", false, "", true, 15, "",
     "https://github.com/lichess-org/lila/issues/20067"},
    {"bare_kings", "8/8/4k3/8/8/3K4/8/8 w - - 0 1", false, "", true, 8, "",
     "https://github.com/likeawizard/tofiks/issues/19"},
    {"bishops_of_opposite_colours", "8/8/8/4k3/5b2/3K4/8/3B4 w - - 0 1", false, "", true, 11, "",
     "https://github.com/bhlangonijr/chesslib/issues/33"},
    {"bishops_of_one_colour", "B1b1k3/3b4/4b3/8/8/8/8/4KB2 w - - 0 1", false, "", true, 18, "",
     "https://github.com/bhlangonijr/chesslib/issues/42"},
    {"two_light_bishops", "8/6k1/8/8/4B3/3B4/8/1K6 w - - 0 1", false, "", true, 21, "",
     "https://github.com/Disservin/chess-library/pull/106"},
    {"knight_against_knight", "8/8/4K3/8/1n6/8/5k1N/8 w - - 0 50", false, "", true, 10, "",
     "https://github.com/bhlangonijr/chesslib/issues/67"},
    {"two_knights", "8/8/8/4k3/8/8/4N3/3NK3 w - - 0 1", false, "", true, 13, "",
     "https://github.com/jhlywa/chess.js/issues/66"},
    {"knight_against_pawn", "8/8/8/4k3/4p3/4N3/4K3/8 w - - 0 1", false, "", true, 13, "",
     "https://github.com/cutechess/cutechess/issues/710"},
    {"rook_against_king", "8/8/3rk3/8/8/2K5/8/8 w - - 0 1", false, "", true, 5, "",
     "https://github.com/cutechess/cutechess/issues/710"},
    {"queen_against_knight", "8/8/3qk3/8/8/2K5/1N6/8 w - - 0 1", false, "", true, 7, "",
     "https://github.com/niklasf/python-chess/issues/362"},
    {"rook_against_bishop", "8/8/4k3/8/3r4/8/2B5/4K3 w - - 0 1", false, "", true, 12, "",
     "https://github.com/niklasf/python-chess/issues/362"},
    {"two_dark_bishops_against_pawn", "4k3/p7/8/8/8/8/8/B1B1K3 w - - 0 1", false, "", true, 19, "",
     "https://github.com/Disservin/chess-library/pull/106"},
    {"smothered_by_a_knight", "6rk/5N2/7K/8/8/8/8/8 b - - 0 1", false, "", true, 0, "",
     "https://github.com/lichess-org/lila/issues/14443"},
    {"pawn_wall", "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", false, "", true, 5, "",
     "https://github.com/lichess-org/lila/issues/4514"},
    {"pawn_wall_of_a_game", "8/8/3k4/1p2p1p1/pP1pP1P1/P2P4/1K6/8 b - - 32 62", false, "", true, 5,
     "", "https://github.com/dlbbld/clean-chess"},
    {"locked_king", "1k6/1P5p/BP3p2/1P6/8/8/5PKP/8 b - - 0 41", false, "", true, 3, "",
     "https://github.com/miguel-ambrona/D3-Chess/blob/main/tests/test-vector.txt"},
    {"mate_from_outside", "1b3kBR/4pP1P/1p1pP2P/1P1P4/8/K5p1/6P1/1B6 b - - 0 1", false, "", true, 2,
     "", "https://github.com/miguel-ambrona/D3-Chess/issues/41"},
    {"three_bishops_eight_pawns", "8/1p3b2/pPp1p1p1/BkP1P1P1/1P6/BPB5/PKP5/8 b - - 0 1", false,
     "fen.too-many", true, 2, "", "https://github.com/miguel-ambrona/D3-Chess/issues/41"},
    {"locked_bishops", "1k6/pPp5/BpP4b/1P6/8/7B/8/5B1K b - - 0 1", false, "", true, 7, "",
     "https://github.com/miguel-ambrona/D3-Chess/issues/37"},
    {"short_tree", "8/p3k1p1/6Pp/7K/2rq4/7P/8/8 w - - 0 1", false, "", true, 1, "",
     "https://github.com/miguel-ambrona/D3-Chess/issues/44"},
    {"forced_capture", "7k/q5Q1/5PPK/5PPP/p7/8/8/8 b - - 0 1", false, "", true, 1, "",
     "https://github.com/miguel-ambrona/D3-Chess/issues/44"},
    {"closed_pawns", "5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 60", false, "", true, 10, "",
     "https://github.com/miguel-ambrona/chasolver"},
    {"long_helpmate", "k7/1pK3p1/6Pb/1p4pB/bP4P1/Bp6/1P4P1/8 b - - 0 1", false, "", true, 2, "",
     "https://github.com/miguel-ambrona/chasolver/blob/main/tests/positions.txt"},
    {"nine_pawns_closed", "3b4/4p1p1/1p1pP1P1/1P1PpBp1/1pBpP1P1/1P1P4/4K1P1/2k5 w - - 0 1", false,
     "fen.too-many", true, 5, "",
     "https://github.com/miguel-ambrona/chasolver/blob/main/tests/positions.txt"},
    {"perft_rank_five", "8/8/3p4/KPp4r/1R3pPk/8/4P3/8 w - c6 0 1", false, "", true, 16,
     "8/8/3p4/KPp4r/1R3pPk/8/4P3/8 w - - 0 1", "https://github.com/jniemann66/juddperft/issues/7"},
    {"perft_double_step_check", "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3", false, "", true, 8, "",
     "https://github.com/official-stockfish/Stockfish/issues/3270"},
    {"perft_castling_past_b1", "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", false, "", true, 16, "",
     "https://github.com/stannous/shatranj/pull/2"},
};

std::string codes_of(const FenResult& fen) {
  std::string codes;
  for (const FenDefect& d : fen.defects) {
    if (!codes.empty()) codes += ' ';
    codes += fen_fault_code(d.fault);
  }
  return codes;
}

class KnownPositions : public testing::TestWithParam<KnownPosition> {};

TEST_P(KnownPositions, ReadAsFen) {
  const KnownPosition& known = GetParam();
  FenOptions options;
  options.chess960 = known.chess960;
  const FenResult fen = read_fen(known.line, options);
  EXPECT_EQ(codes_of(fen), known.codes);
  ASSERT_EQ(fen.computable, known.computable);
  if (!fen.computable) return;
  EXPECT_EQ(count_legal_moves(fen.position), known.legal_moves);
  EXPECT_EQ(write_fen(fen.position, fen.side_to_move, fen.halfmove_clock, fen.fullmove_number),
            *known.normal ? known.normal : known.line);
}

TEST_P(KnownPositions, ReadAsLineOfAFile) {
  const KnownPosition& known = GetParam();
  FenOptions options;
  options.chess960 = known.chess960;
  const PositionLine line = read_position_line(known.line, options);
  EXPECT_FALSE(line.epd);
  EXPECT_EQ(codes_of(line.fen), known.codes);
  EXPECT_EQ(line.fen.computable, known.computable);
}

INSTANTIATE_TEST_SUITE_P(Reports, KnownPositions, testing::ValuesIn(kPositions),
                         [](const auto& row) { return std::string(row.param.name); });

std::uint64_t perft(const Position& position, int depth) {
  if (depth == 0) return 1;
  std::uint64_t nodes = 0;
  for_each_child(position, [&](const Position& child) { nodes += perft(child, depth - 1); });
  return nodes;
}

TEST(KnownPositionsPerft, EnPassantAndCastling) {
  const struct {
    const char* fen;
    std::uint64_t nodes[3];
  } counts[] = {
      {"8/8/3p4/KPp4r/1R3pPk/8/4P3/8 w - c6 0 1", {16, 219, 3338}},
      {"8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3", {8, 72, 492}},
      {"1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", {16, 226, 3602}},
  };
  for (const auto& row : counts) {
    const FenResult fen = read_fen(row.fen);
    for (int depth = 1; depth <= 3; ++depth) {
      EXPECT_EQ(perft(fen.position, depth), row.nodes[depth - 1]) << row.fen << " " << depth;
    }
  }
}

// The right K of a king on e1 with a rook on f1 is void in standard chess and castling in Chess960.
TEST(KnownPositionsChess960, TheModeDecidesWhatARightMeans) {
  const std::string fen = "4k3/8/8/8/8/8/8/4KR2 w K - 0 1";
  EXPECT_EQ(count_legal_moves(read_fen(fen).position), 13);
  const FenResult chess960 = read_fen(fen, FenOptions{.chess960 = true});
  EXPECT_TRUE(chess960.defects.empty());
  EXPECT_TRUE(chess960.chess960);
  EXPECT_EQ(count_legal_moves(chess960.position), 14);
}

}  // namespace
}  // namespace cuarbiter
