// Moves as people write them that programs have read or written wrongly. Facts from public bug
// reports, each with its source.
#include <gtest/gtest.h>

#include <string>

#include "host/notation/fen.hpp"
#include "host/notation/san_text.hpp"
#include "host/rules/movegen.hpp"
#include "host/rules/san_match.hpp"

namespace cuarbiter {
namespace {

struct KnownMove {
  const char* name;
  const char* fen;
  bool chess960;
  const char* text;
  MatchStatus status;
  const char* uci;    // the rest only with ok
  const char* san;    // canonical
  const char* after;  // FEN
  const char* source;
};

void PrintTo(const KnownMove& m, std::ostream* out) {
  *out << m.name << " (" << m.source << ")";
}

const KnownMove kMoves[] = {
    {"king_and_rook_swap", "bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRKRB w KQkq - 0 1", true, "O-O",
     MatchStatus::ok, "f1g1", "O-O", "bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRRKB b kq - 1 1",
     "https://github.com/jhlywa/chess.js/issues/122"},
    {"king_onto_own_rook", "brnbqkrn/pppppppp/8/8/8/8/PPPPPPPP/BRNBQKRN w KQkq - 0 1", true, "Kg1",
     MatchStatus::illegal, "", "", "", "https://github.com/kz04px/libchess/issues/12"},
    {"king_takes_rook", "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPPBPPP/RNBQK2R w KQkq - 0 4", false,
     "e1h1", MatchStatus::ok, "e1g1", "O-O",
     "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPPBPPP/RNBQ1RK1 b kq - 1 4",
     "https://github.com/rudzen/ChessLib/issues/71"},
    {"double_step_in_check", "rnbqkbnr/ppp1pppp/3p4/8/Q7/2P5/PP1PPPPP/RNB1KBNR b KQkq - 0 1", false,
     "c5", MatchStatus::king_left_in_check, "", "", "",
     "https://github.com/commonLuke/chess_engine/pull/13"},
    {"long_castling_past_attacked_b1", "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", false, "O-O-O",
     MatchStatus::ok, "e1c1", "O-O-O", "1r2k3/8/8/8/8/8/8/2KR4 b - - 1 1",
     "https://github.com/stannous/shatranj/pull/2"},
    {"castling_in_check", "r1b1k1nr/p2pp1bp/2p2pp1/q7/2B1P3/3Q4/PPP2PPP/RNB1K2R w KQkq - 0 1",
     false, "O-O", MatchStatus::illegal, "", "", "",
     "https://github.com/hansbinderup/meltdown-chess-engine/pull/54"},
    {"rook_takes_rook", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", false, "Rxa8+", MatchStatus::ok,
     "a1a8", "Rxa8+", "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1",
     "https://github.com/aperechnev/ChessKit/pull/7"},
    {"king_takes_unmoved_rook", "8/8/8/8/8/8/1k6/R3K3 b Q - 0 1", false, "Kxa1", MatchStatus::ok,
     "b2a1", "Kxa1", "8/8/8/8/8/8/8/k3K3 w - - 0 2",
     "https://github.com/romstad/Chess.jl/issues/26"},
    {"zeros_for_letters", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", false, "0-0-0", MatchStatus::ok,
     "e1c1", "O-O-O", "4k3/8/8/8/8/8/8/2KR3R b - - 1 1",
     "https://github.com/ajax333221/isepic-chess/issues/15"},
    {"castling_gives_check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", false, "O-O", MatchStatus::ok,
     "e1g1", "O-O+", "5k2/8/8/8/8/8/8/5RK1 b - - 1 1", "PGN standard 8.2.3.5"},
    {"rival_is_pinned", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", false, "Nge2", MatchStatus::ok,
     "g1e2", "Ne2", "4k3/8/8/8/1b6/2N5/4N3/4K3 b - - 1 1",
     "https://github.com/bhlangonijr/chesslib/issues/38"},
    {"pinned_knight", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", false, "Nce2",
     MatchStatus::king_left_in_check, "", "", "",
     "https://github.com/jven/studyopenings/issues/36"},
    {"two_rooks", "4k2r/r3bppp/p1p5/3pR3/Pp1P1B2/7P/1PP2PP1/R5K1 w k - 0 37", false, "Re1",
     MatchStatus::ambiguous, "", "", "", "https://github.com/rudzen/ChessLib/issues/65"},
    {"two_rooks_rank_and_file", "5r1k/p6p/4r1n1/3NPp2/8/8/PP4RP/4R1K1 w - - 3 53", false, "Re2",
     MatchStatus::ambiguous, "", "", "", "https://github.com/rudzen/ChessLib/issues/32"},
    {"file_is_not_enough", "8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82", false, "Nec3",
     MatchStatus::ambiguous, "", "", "",
     "https://github.com/official-stockfish/WDL_model/issues/210"},
    {"file_and_rank", "8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82", false, "Ne2c3", MatchStatus::ok,
     "e2c3", "Ne2c3", "8/8/6K1/4k3/4N3/p1N2r2/N7/8 b - - 4 82",
     "https://github.com/dwcoates/pygn-mode/pull/152"},
    {"promotion_without_equals", "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", false, "e8Q", MatchStatus::ok,
     "e7e8q", "e8=Q", "4Q3/6k1/8/8/8/8/8/4K3 b - - 0 1",
     "https://github.com/niklasf/python-chess/issues/24"},
    {"promotion_in_lower_case", "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", false, "e8=q", MatchStatus::ok,
     "e7e8q", "e8=Q", "4Q3/6k1/8/8/8/8/8/4K3 b - - 0 1",
     "https://github.com/dlbbld/clean-chess/blob/main/specification.md"},
    {"promotion_missing", "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", false, "e8", MatchStatus::ambiguous,
     "", "", "", "https://github.com/niklasf/python-chess/issues/539"},
    {"promotion_on_rank_four", "8/8/8/8/8/8/4PK1k/8 w - - 0 1", false, "e4=Q", MatchStatus::illegal,
     "", "", "", "https://github.com/dlbbld/clean-chess/blob/main/specification.md"},
    {"en_passant_suffix", "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 2", false, "dxe6 e.p.", MatchStatus::ok,
     "d5e6", "dxe6", "4k3/8/4P3/8/8/8/8/4K3 b - - 0 2",
     "https://github.com/rolandwalker/tree-sitter-pgn/pull/10"},
    {"en_passant_names_the_pawn", "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 2", false, "dxe5",
     MatchStatus::illegal, "", "", "", "https://github.com/marianogappa/cheesse/issues/28"},
    {"en_passant_with_check", "8/8/8/8/5Pp1/8/4K3/6k1 b - f3 0 1", false, "gxf3+", MatchStatus::ok,
     "g4f3", "gxf3+", "8/8/8/8/8/5p2/4K3/6k1 w - - 0 2",
     "https://github.com/brozeph/node-chess/issues/43"},
    {"double_plus_for_mate", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", false, "Ra8++", MatchStatus::ok,
     "a1a8", "Ra8#", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 1 1",
     "https://github.com/iigorr/pgn.net/issues/18"},
    {"spurious_check", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false, "Nf3+",
     MatchStatus::ok, "g1f3", "Nf3", "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1",
     "https://github.com/dlbbld/clean-chess/blob/main/specification.md"},
    {"pawn_letter", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false, "Pe4",
     MatchStatus::ok, "e2e4", "e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
     "https://github.com/dlbbld/clean-chess/blob/main/specification.md"},
    {"capture_mark_missing", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", false, "ed5", MatchStatus::ok,
     "e4d5", "exd5", "4k3/8/8/3P4/8/8/8/4K3 b - - 0 1",
     "https://github.com/dlbbld/clean-chess/blob/main/specification.md"},
    {"spurious_capture_mark", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false,
     "Nxf3", MatchStatus::ok, "g1f3", "Nf3",
     "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1",
     "https://github.com/dlbbld/clean-chess/blob/main/specification.md"},
    {"capture_of_nothing", "4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1", false, "dxe5", MatchStatus::illegal,
     "", "", "", "https://github.com/dlbbld/clean-chess/blob/main/specification.md"},
    {"figurine", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false, "♘f3",
     MatchStatus::ok, "g1f3", "Nf3", "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1",
     "https://github.com/rolandwalker/tree-sitter-pgn/pull/7"},
    {"german_letter", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false, "Sf3",
     MatchStatus::illegal, "", "", "", "https://github.com/Siderite/lichessTools/issues/345"},
    {"null_move_dashes", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false, "--",
     MatchStatus::illegal, "", "", "", "https://github.com/mliebelt/pgn-parser/issues/641"},
    {"null_move_z0", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false, "Z0",
     MatchStatus::illegal, "", "", "", "https://github.com/niklasf/shakmaty/issues/132"},
};

class KnownMoves : public testing::TestWithParam<KnownMove> {};

TEST_P(KnownMoves, NameTheMoveOrNone) {
  const KnownMove& known = GetParam();
  const FenResult fen = read_fen(known.fen, FenOptions{.chess960 = known.chess960});
  ASSERT_TRUE(fen.computable);
  const bool black = fen.black();
  const Match match = match_san(fen.position, read_san(known.text), black);
  ASSERT_EQ(match.status, known.status);
  if (match.status != MatchStatus::ok) return;
  EXPECT_EQ(uci_text(match.move, black, known.chess960), known.uci);
  EXPECT_EQ(san_text(fen.position, match.move, black), known.san);
  const bool zeroing = is_zeroing(fen.position, match.move);
  EXPECT_EQ(write_fen(make_move(fen.position, match.move), opposite(fen.side_to_move),
                      zeroing ? 0 : fen.halfmove_clock + 1, fen.fullmove_number + (black ? 1 : 0)),
            known.after);
}

INSTANTIATE_TEST_SUITE_P(Reports, KnownMoves, testing::ValuesIn(kMoves),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(KnownMovesAmbiguity, CanonicalFormsOfThreeKnights) {
  const FenResult fen = read_fen("8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82");
  const auto san = [&](const char* uci) {
    return san_text(fen.position, read_uci(fen.position, uci, false).value(), false);
  };
  EXPECT_EQ(san("e4c3"), "N4c3");
  EXPECT_EQ(san("e2c3"), "Ne2c3");
  EXPECT_EQ(san("a2c3"), "Nac3");
}

TEST(KnownMovesNull, AreReadAsNullMoves) {
  for (const char* text : {"--", "Z0", "null", "pass", "@@@@", "0000", "<>", "NULL"}) {
    EXPECT_EQ(read_san(text), SanToken::special(SanToken::kNullMove)) << text;
  }
}

}  // namespace
}  // namespace cuarbiter
