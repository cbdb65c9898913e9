// Properties of notation and move generation over random games, Chess960 included: text and
// position are each other's inverse, counting equals listing, the mirrored board is the same game.
#include <gtest/gtest.h>

#include <cctype>
#include <string>

#include "host/notation/epd.hpp"
#include "host/notation/fen.hpp"
#include "host/notation/san_text.hpp"
#include "host/rules/movegen.hpp"
#include "host/rules/san_match.hpp"
#include "tests/support/random_play.hpp"

namespace cuarbiter {
namespace {

using test_support::legal_moves;
using test_support::play_random_games;
using test_support::PlayedPosition;

constexpr unsigned kGames = 60;
constexpr unsigned kPlies = 160;

TEST(NotationProperty, FenRoundTripWithoutDefects) {
  play_random_games(1, kGames, kPlies, [](const PlayedPosition& p, bool chess960) {
    for (const bool shredder : {false, true}) {
      const std::string text = write_fen(p.position, p.side_to_move, p.halfmove_clock,
                                         p.fullmove_number, FenWriteOptions{.shredder = shredder});
      const FenResult fen = read_fen(text, FenOptions{.chess960 = chess960});
      ASSERT_TRUE(fen.defects.empty())
          << text << ": " << fen_fault_code(fen.defects[0].fault) << " " << fen.defects[0].message;
      ASSERT_TRUE(fen.computable) << text;
      ASSERT_TRUE(same_position(fen.position, p.position)) << text;
      ASSERT_EQ(fen.side_to_move, p.side_to_move) << text;
      ASSERT_EQ(fen.halfmove_clock, p.halfmove_clock) << text;
      ASSERT_EQ(fen.fullmove_number, p.fullmove_number) << text;
      const PositionLine line = read_position_line(text, FenOptions{.chess960 = chess960});
      ASSERT_TRUE(same_position(line.fen.position, p.position)) << text;
      ASSERT_FALSE(line.epd) << text;
    }
  });
}

TEST(NotationProperty, EverySanIsReadBackAndCanonical) {
  unsigned long moves = 0;
  play_random_games(2, kGames / 2, kPlies, [&](const PlayedPosition& p, bool) {
    for (const Move move : legal_moves(p.position)) {
      const std::string san = san_text(p.position, move, p.black());
      const SanToken token = read_san(san);
      ASSERT_EQ(token.style(), 0u) << p.fen() << " " << san;
      const Match match = match_san(p.position, token, p.black());
      ASSERT_EQ(match.status, MatchStatus::ok) << p.fen() << " " << san;
      ASSERT_EQ(match.move, move) << p.fen() << " " << san;
      ASSERT_EQ(match.spelling, 0u) << p.fen() << " " << san;
      ++moves;
    }
  });
  EXPECT_GT(moves, 50000u);
}

TEST(NotationProperty, CountingEqualsListing) {
  play_random_games(3, kGames, kPlies, [](const PlayedPosition& p, bool) {
    ASSERT_EQ(count_legal_moves(p.position), static_cast<int>(legal_moves(p.position).size()))
        << p.fen();
  });
}

TEST(NotationProperty, NoLegalMoveLeavesTheKingInCheck) {
  play_random_games(4, kGames, kPlies, [](const PlayedPosition& p, bool) {
    for (const Move move : legal_moves(p.position)) {
      ASSERT_FALSE(opponent_in_check(make_move(p.position, move))) << p.fen();
    }
  });
}

// Colours swapped in the text: upper case for lower, ranks upside down, the other side to move.
std::string swap_colours(const std::string& fen) {
  std::string placement = fen.substr(0, fen.find(' '));
  std::string rest = fen.substr(fen.find(' ') + 1);
  std::string mirrored;
  for (std::size_t end = placement.size();;) {
    const std::size_t slash = placement.rfind('/', end - 1);
    const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
    mirrored += placement.substr(begin, end - begin);
    if (begin == 0) break;
    mirrored += '/';
    end = slash;
  }
  const auto swap_case = [](std::string& text) {
    for (char& c : text) {
      const unsigned char u = static_cast<unsigned char>(c);
      if (std::isupper(u)) {
        c = static_cast<char>(std::tolower(u));
      } else if (std::islower(u)) {
        c = static_cast<char>(std::toupper(u));
      }
    }
  };
  swap_case(mirrored);
  const char side = rest[0] == 'w' ? 'b' : 'w';
  const std::size_t castling_end = rest.find(' ', 2);
  std::string castling = rest.substr(2, castling_end - 2);
  swap_case(castling);
  // The mirrored right of the other side comes first in the normal form.
  std::string upper, lower;
  for (char c : castling) (c >= 'a' ? lower : upper) += c;
  std::string tail = rest.substr(castling_end);
  if (tail[1] != '-') tail[2] = tail[2] == '3' ? '6' : '3';
  return mirrored + ' ' + side + ' ' + upper + lower + tail;
}

TEST(NotationProperty, ColourMirrorIsTheSamePosition) {
  play_random_games(5, kGames, kPlies, [](const PlayedPosition& p, bool chess960) {
    const std::string text = write_fen(p.position, p.side_to_move, p.halfmove_clock, 500);
    const FenResult mirrored = read_fen(swap_colours(text), FenOptions{.chess960 = chess960});
    ASSERT_TRUE(mirrored.defects.empty()) << text << " -> " << swap_colours(text);
    ASSERT_NE(mirrored.side_to_move, p.side_to_move);
    ASSERT_TRUE(same_position(mirrored.position, p.position)) << text;
    ASSERT_EQ(count_legal_moves(mirrored.position), count_legal_moves(p.position));
  });
}

Bitboard mirror_files(Bitboard x) {
  x = ((x >> 1) & 0x5555555555555555u) | ((x & 0x5555555555555555u) << 1);
  x = ((x >> 2) & 0x3333333333333333u) | ((x & 0x3333333333333333u) << 2);
  return ((x >> 4) & 0x0F0F0F0F0F0F0F0Fu) | ((x & 0x0F0F0F0F0F0F0F0Fu) << 4);
}

// Left and right are the same but for castling.
TEST(NotationProperty, FileMirrorHasAsManyMoves) {
  play_random_games(6, kGames, kPlies, [](const PlayedPosition& p, bool) {
    Position plain = p.position;
    const Bitboard rights = plain.a & plain.b & plain.c;
    plain.a ^= rights;
    plain.b ^= rights;
    const Position mirrored{mirror_files(plain.a), mirror_files(plain.b), mirror_files(plain.c),
                            mirror_files(plain.d)};
    ASSERT_EQ(count_legal_moves(mirrored), count_legal_moves(plain)) << p.fen();
  });
}

}  // namespace
}  // namespace cuarbiter
