// The quick ways of reading and writing positions say what the thorough ones say: FEN in plain
// form, positions that are ordinary, the text of a line that is in normal form, counts of men.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "host/notation/epd.hpp"
#include "host/notation/fen_fields.hpp"
#include "host/notation/material_text.hpp"
#include "tests/support/random_play.hpp"

namespace cuarbiter {
namespace {

using namespace fen_detail;
using test_support::play_random_games;
using test_support::PlayedPosition;
using test_support::Random;

// Lines of games, each with up to three things changed.
template <class F>
void for_each_line(std::uint64_t seed, F&& f) {
  Random random(seed);
  const auto pick = [&](std::string_view text) {
    return text[random.below(static_cast<unsigned>(text.size()))];
  };
  const std::vector<std::string> castling = {"-",  "K",  "Q",    "k",   "q",    "KQ", "kq", "Kq",
                                             "Qk", "QK", "kqKQ", "KK",  "HAha", "HA", "Ah", "KQkqK",
                                             "x",  "--", "-K",   "KQ;", "qk",   "KAk"};
  const std::vector<std::string> en_passant = {"-",  "e3", "e6", "a6", "h3", "e4",
                                               "E3", "i3", "e9", "e",  "e33"};
  const std::vector<std::string> numbers = {"0",          "1",  "2", "50", "007", "00", "123456789",
                                            "1234567890", "-1", "x", "",   "1;",  "99"};
  play_random_games(seed, 60, 120, [&](const PlayedPosition& p, bool chess960) {
    std::string fields[6];
    const std::string fen = p.fen();
    f(fen, chess960);
    std::size_t at = 0;
    for (std::string& field : fields) {
      const std::size_t end = std::min(fen.find(' ', at), fen.size());
      field = fen.substr(at, end - at);
      at = end + 1;
    }
    const auto any = [&](const std::vector<std::string>& of) {
      return of[random.below(static_cast<unsigned>(of.size()))];
    };
    std::string separator = " ";
    for (unsigned change = random.below(3) + 1; change > 0; --change) {
      std::string& placement = fields[0];
      const unsigned where =
          placement.empty() ? 0 : random.below(static_cast<unsigned>(placement.size()));
      switch (random.below(11)) {
        case 0:
          if (!placement.empty()) placement[where] = pick("pnbrqkPNBRQK12345678/90x");
          break;
        case 1:
          placement.insert(where, 1, pick("pnbrqkPNBRQK12345678/"));
          break;
        case 2:
          if (!placement.empty()) placement.erase(where, 1);
          break;
        case 3:
        case 4:
          // Another man in the place of one.
          for (char& c : placement) {
            if (is_letter(c) && random.below(12) == 0) c = pick("pppnbrqPPPNBRQ");
          }
          break;
        case 5:
          fields[1] = fields[1] == "w" ? "b" : "w";
          break;
        case 6:
          fields[2] = any(castling);
          break;
        case 7:
          fields[3] = any(en_passant);
          break;
        case 8:
          fields[4] = any(numbers);
          break;
        case 9:
          fields[5] = any(numbers);
          break;
        default:
          separator = random.below(4) ? " " : "  ";
          break;
      }
    }
    std::string line = fields[0];
    for (unsigned i = 1; i < 6; ++i) line += separator + fields[i];
    f(line, chess960);
  });
}

bool same_defects(const FenResult& x, const FenResult& y) {
  if (x.defects.size() != y.defects.size()) return false;
  for (std::size_t i = 0; i < x.defects.size(); ++i) {
    const FenDefect &a = x.defects[i], &b = y.defects[i];
    if (a.fault != b.fault || a.fatal != b.fatal || a.message != b.message ||
        a.column != b.column) {
      return false;
    }
  }
  return true;
}

TEST(PlainFen, IsReadAsAnyOtherLine) {
  unsigned plain = 0, others = 0, faulty = 0, normal = 0;
  for_each_line(21, [&](const std::string& line, bool chess960) {
    FenFields fields;
    FenCounters counters;
    if (!read_plain_fields(line, fields, counters)) {
      ++others;
      ASSERT_FALSE(read_fen(line).normal) << line;
      return;
    }
    ++plain;
    for (const bool flag : {chess960, false, true}) {
      const FenOptions options{.chess960 = flag};
      const PositionLine quick = read_position_line(line, options);
      // A blank behind the line changes nothing but the way that it is read.
      const PositionLine slow = read_position_line(line + ' ', options);
      const FenResult &q = quick.fen, &s = slow.fen;
      ASSERT_TRUE(same_defects(q, s)) << line;
      ASSERT_TRUE(same_position(q.position, s.position)) << line;
      ASSERT_EQ(q.side_to_move, s.side_to_move) << line;
      ASSERT_EQ(q.halfmove_clock, s.halfmove_clock) << line;
      ASSERT_EQ(q.fullmove_number, s.fullmove_number) << line;
      ASSERT_EQ(q.chess960, s.chess960) << line;
      ASSERT_EQ(q.computable, s.computable) << line;
      ASSERT_EQ(quick.epd, slow.epd) << line;
      ASSERT_FALSE(s.normal) << line;
      ASSERT_EQ(s.men, 0u) << line;
      faulty += q.defects.empty() ? 0 : 1;
      normal += q.normal ? 1 : 0;
      const FenResult fen = read_fen(line, options);
      ASSERT_TRUE(same_defects(fen, q) && same_position(fen.position, q.position) &&
                  fen.normal == q.normal && fen.men == q.men)
          << line;
    }
  });
  EXPECT_GT(plain, 8000u);
  EXPECT_GT(others, 1000u);
  EXPECT_GT(faulty, 3000u);
  EXPECT_GT(normal, 10000u);
}

TEST(PlainFen, ALineInNormalFormIsWhatIsWritten) {
  unsigned normal = 0;
  for_each_line(22, [&](const std::string& line, bool chess960) {
    const FenResult fen = read_fen(line, FenOptions{.chess960 = chess960});
    if (!fen.normal) return;
    ++normal;
    ASSERT_TRUE(fen.defects.empty()) << line;
    ASSERT_EQ(write_fen(fen.position, fen.side_to_move, fen.halfmove_clock, fen.fullmove_number),
              line);
  });
  EXPECT_GT(normal, 5000u);
  // An en passant square without a capture is no defect, and not written.
  EXPECT_FALSE(read_fen("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1").normal);
  EXPECT_TRUE(read_fen("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1").normal);
  // Rooks are named by side where that is enough.
  EXPECT_FALSE(read_fen("4k3/8/8/8/8/8/8/4K2R w H - 0 1").normal);
  EXPECT_TRUE(read_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").normal);
  EXPECT_TRUE(read_fen("4k3/8/8/8/8/8/8/3K2R1 w K - 0 1", FenOptions{.chess960 = true}).normal);
}

TEST(PlainFen, MenAreCounted) {
  for_each_line(23, [&](const std::string& line, bool chess960) {
    const FenResult fen = read_fen(line, FenOptions{.chess960 = chess960});
    if (fen.men == 0) return;
    ASSERT_EQ(fen.men, count_men(fen.position, fen.black())) << line;
    std::string expected;
    const std::string placement = line.substr(0, line.find(' '));
    for (const char letter : std::string("KQRBNPvkqrbnp")) {
      if (letter == 'v') {
        expected += letter;
        continue;
      }
      const auto number = std::count(placement.begin(), placement.end(), letter);
      expected.append(static_cast<std::size_t>(number), static_cast<char>(letter & ~0x20));
    }
    ASSERT_EQ(MaterialText(fen.men).text(), expected) << line;
  });
  const MenCounts many = 31 * one_man(1, false) + 20 * one_man(0, true) + 2 * one_man(5, true);
  EXPECT_EQ(MaterialText(many).text(), std::string(31, 'N') + "vKK" + std::string(20, 'P'));
}

// Counts past what their bits hold are not taken for others.
TEST(PlainFen, ManyMenAreNoPlainFen) {
  FenFields fields;
  FenCounters counters;
  const std::string rank = "PPPPPPPP/";
  EXPECT_FALSE(
      read_plain_fields("k6K/" + rank + rank + rank + rank + "8/8/8 w - - 0 1", fields, counters));
  EXPECT_TRUE(
      read_plain_fields("k6K/" + rank + rank + rank + "PPPPPP2/8/8/8 w - - 0 1", fields, counters));
}

// Men moved about, turned into others and pawns doubled, so that every test of history has work.
TEST(Ordinary, NothingCanBeSaidOfOrdinaryPositions) {
  Random random(24);
  unsigned ordinary = 0, of_games = 0, ordinary_of_games = 0, defective = 0;
  const auto look_at = [&](Position board) {
    const MenCounts men = count_men(board, false);
    for (const bool chess960 : {false, true}) {
      std::vector<FenDefect> defects;
      find_placement_defects(board, Color::white, 1, defects);
      if (defects.empty()) find_history_defects(board, Color::white, chess960, 1, defects);
      const bool is = is_ordinary(board, men, chess960);
      ASSERT_FALSE(is && !defects.empty())
          << write_fen(board, Color::white, 0, 1) << ' ' << defects[0].message;
      ordinary += is ? 1 : 0;
      defective += defects.empty() ? 0 : 1;
    }
  };
  play_random_games(24, 80, 100, [&](const PlayedPosition& p, bool chess960) {
    Position board = p.black() ? flipped(p.position) : p.position;
    board.d &= view(board).occupied;
    look_at(board);
    ++of_games;
    ordinary_of_games += is_ordinary(board, count_men(board, false), chess960) ? 1 : 0;
    for (unsigned times = 0; times < 6; ++times) {
      // One man goes elsewhere, as it is or as another; now and then one goes altogether.
      const int from = static_cast<int>(random.below(64)), to = static_cast<int>(random.below(64));
      const PieceType code = piece_at(board, from);
      const bool black = (board.d >> from) & 1;
      for (Bitboard* plane : {&board.a, &board.b, &board.c, &board.d}) {
        *plane &= ~(square_bit(from) | square_bit(to));
      }
      if (static_cast<unsigned>(code) != 0 && random.below(5) != 0) {
        const unsigned other = random.below(12);
        const PieceType then = other >= 1 && other <= 5   ? static_cast<PieceType>(other)
                               : other >= 6 && other <= 8 ? PieceType::pawn
                                                          : code;
        put_piece(board, to, then, black);
      }
      look_at(board);
    }
  });
  EXPECT_GT(ordinary, 5000u);
  EXPECT_GT(defective, 5000u);
  EXPECT_GT(ordinary_of_games * 10, of_games * 5);
}

// One more man of a kind than a side starts with, a pawn too many on a file, a capture too many.
TEST(Ordinary, AtTheBorders) {
  const auto ordinary = [](std::string_view placement) {
    const FenResult fen = read_fen(std::string(placement) + " w - - 0 90");
    return is_ordinary(fen.position, fen.men, false);
  };
  EXPECT_TRUE(ordinary("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"));
  EXPECT_TRUE(ordinary("k7/8/8/8/8/PPPPPPPP/8/K7"));
  EXPECT_FALSE(ordinary("k7/8/8/8/P7/PPPPPPPP/8/K7"));
  EXPECT_FALSE(ordinary("k7/8/pppppppp/p7/8/8/8/K7"));
  for (const char* men : {"NN", "RR", "Q", "BB", "nn", "rr", "q", "bb"}) {
    const std::string most = std::string("k7/8/8/8/8/8/") + men + "6/K7";
    const std::string one_more = std::string("k7/8/8/8/8/2") + men[0] + "5/" + men + "6/K7";
    EXPECT_TRUE(ordinary(men[1] ? most : std::string("k7/8/8/8/8/8/1") + men + "6/K7")) << men;
    EXPECT_FALSE(
        ordinary(men[1] ? one_more : std::string("k7/8/8/8/8/2") + men + "5/1" + men + "6/K7"))
        << men;
  }
  EXPECT_FALSE(ordinary("k7/8/8/8/8/8/B1B5/K7"));  // on one colour
  EXPECT_TRUE(ordinary("rnbqkbn1/pppppppp/8/8/8/1P6/1PPPPPPP/RNBQKBNR"));
  EXPECT_FALSE(ordinary("rnbqkbnr/pppppppp/8/8/8/1P6/1PPPPPPP/RNBQKBNR"));
  EXPECT_FALSE(ordinary("rnbqkbn1/pppppppp/8/8/8/1P4P1/1PPPPPP1/RNBQKBNR"));
  EXPECT_TRUE(ordinary("rnbqkb2/pppppppp/8/8/8/1P4P1/1PPPPPP1/RNBQKBNR"));
  EXPECT_FALSE(ordinary("rnbqkb2/pppppppp/8/8/1P6/1P6/1PPPPPP1/RNBQKBNR"));
}

}  // namespace
}  // namespace cuarbiter
