// Games written in export format are the same games: random play with random comments, NAGs and
// variations, spelled and laid out at random.
#include <gtest/gtest.h>

#include <string>

#include "host/notation/san_text.hpp"
#include "tests/support/export_run.hpp"
#include "tests/support/random_play.hpp"

namespace cuarbiter {
namespace {

using namespace test;
using test_support::Random;

const char* const kBlanks[] = {" ", "\n", "  ", "\r\n", "\t", "\n\n"};
const char* const kComments[] = {"{}",
                                 "{short}",
                                 "{ a  b\n c }",
                                 "{[%clk 0:01:02] and more words}",
                                 "; to the end } of { line\n",
                                 "{ {inner} }",
                                 "{% not an escape %}",
                                 "{J\xE9r\xF4me}",
                                 "{\xC3\xA9t\xC3\xA9 \xE2\x99\x98}"};
const char* const kMarks[] = {"$1", "$140", "!", "?!", "!!?", "+-", "=", "N", "\xC2\xB1"};

// Writes a game as a careless annotator would; the moves themselves are legal.
class Annotator {
 public:
  explicit Annotator(std::uint64_t seed) : random_(seed) {}

  std::string game(unsigned plies) {
    text_.clear();
    const bool chess960 = random_.below(3) == 0;
    const std::string fen = chess960 ? test_support::random_chess960_fen(random_) : "";
    if (random_.below(2)) text_ += "[Zed \"z\"]\n";
    text_ += "[White \"W\\\"x\\\\\"]\n[Event \"E\"]\n";
    if (chess960) text_ += "[Variant \"chess 960\"]\n[FEN \"" + fen + "\"]\n[SetUp \"1\"]\n";
    text_ += "\n";
    const FenResult start = read_fen(chess960 ? fen : std::string(kStartFen));
    annotate();
    line(start.position, false, 0, plies, 0);
    text_ += kBlanks[random_.below(6)];
    text_ += random_.below(2) ? "*" : "1/2-1/2";
    if (random_.below(4) == 0) text_ += " {late}";
    return text_ + "\n\n";
  }

 private:
  void annotate() {
    while (random_.below(4) == 0) {
      text_ += ' ';
      text_ += kMarks[random_.below(9)];
    }
    while (random_.below(5) == 0) {
      text_ += ' ';
      text_ += kComments[random_.below(9)];
    }
  }

  void line(const Position& start, bool black, unsigned ply, unsigned plies, unsigned depth) {
    Position position = start;
    for (unsigned i = 0; i < plies; ++i, ++ply, black = !black) {
      const std::vector<Move> moves = test_support::legal_moves(position);
      if (moves.empty()) return;
      const auto any = [&] { return moves[random_.below(static_cast<unsigned>(moves.size()))]; };
      const Move move = any();
      text_ += kBlanks[random_.below(6)];
      if (random_.below(3) == 0) {
        text_ += std::to_string(ply / 2 + 1) + (black ? "..." : ".") + kBlanks[random_.below(6)];
      }
      std::string san = san_text(position, move, black);
      if (random_.below(6) == 0 && (san.back() == '+' || san.back() == '#')) san.pop_back();
      if (san[0] == 'O' && random_.below(2)) std::replace(san.begin(), san.end(), 'O', '0');
      if (move.kind != MoveKind::castling && random_.below(8) == 0) {
        san = uci_text(move, black, true);
      }
      text_ += san;
      annotate();
      if (depth < 4 && random_.below(12) == 0) {
        text_ += " (";
        const Move other = any();
        text_ += ' ';
        text_ += san_text(position, other, black);
        annotate();
        line(make_move(position, other), !black, ply + 1, random_.below(6), depth + 1);
        text_ += random_.below(2) ? ")" : " )";
        annotate();
      }
      position = make_move(position, move);
    }
  }

  Random random_;
  std::string text_;
};

// The main line and all variations as canonical SAN, from a fresh reading.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  GameBatch batch;
  MemorySource source(text, "<test>");
  for_each_slab(source, {}, [&](const Slab& slab) {
    batch.clear();
    lex_slab(slab, LexerOptions{}, batch);
    cpu_for_pgn().replay(batch.replay);
    for (const GameRecord& game : batch.games) {
      const GameLine line(batch, game);
      const ReplayGame& entry = batch.replay.games[game.replay];
      for (std::uint32_t s = 0; s < entry.segment_count; ++s) {
        const ReplaySegment& segment = batch.replay.segments[entry.segment_begin + s];
        std::string moves = std::to_string(segment.ply) + ":";
        for (std::uint32_t i = 0; i < segment.token_count; ++i) {
          const LinePoint* point = line.before(segment.token_begin + i);
          if (!point) return;
          const SanToken token = batch.replay.tokens[segment.token_begin + i];
          const Match match = match_san(point->position, token, point->black);
          EXPECT_EQ(match.status, MatchStatus::ok);
          moves += ' ' + san_text(point->position, match.move, point->black);
        }
        out.push_back(moves);
      }
    }
  });
  return out;
}

// Every canonical move of `text`, in the order of its lines, stands there letter by letter.
void expect_canonical(const std::string& text) {
  for (const PgnFinding& f : run_pgn(text).findings) {
    EXPECT_NE(f.code.substr(0, 4), "san.") << f.message;
    EXPECT_NE(f.code.substr(0, 5), "move.") << f.message;
    EXPECT_NE(f.code, "pgn.move-number") << f.message;
  }
}

TEST(Export, WrittenGamesAreTheSameGames) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Annotator annotator(seed);
    std::string text;
    for (unsigned game = 0; game < 3; ++game) text += annotator.game(5 + 30 * game);
    for (const bool fix : {false, true}) {
      const std::string once = export_pgn(text, fix);
      ASSERT_EQ(export_pgn(once, fix), once) << seed;
      ASSERT_EQ(lines_of(once), lines_of(text)) << seed;
      expect_canonical(once);
      if (!fix) continue;
      ASSERT_EQ(run_pgn(once).places(), std::vector<std::string>{}) << seed;
      // Its lines: full, but never too long.
      std::size_t begin = 0;
      for (std::size_t end; (end = once.find('\n', begin)) != std::string::npos; begin = end + 1) {
        const std::string_view row = std::string_view(once).substr(begin, end - begin);
        EXPECT_LE(character_count(row), LineFiller::kWidth) << row;
        EXPECT_FALSE(row.ends_with(' ') || row.starts_with(' ') || row.starts_with('%')) << row;
      }
    }
  }
}

// Annotations, in order: the comments' words and the NAGs.
std::string annotations_of(const std::string& text) {
  std::string out;
  for (std::size_t at = text.find("\n\n"); at < text.size(); ++at) {
    if (text[at] == '[' && text[at - 1] == '\n') at = text.find("\n\n", at);
    if (text[at] == '$') {
      while (text[at] == '$' || (text[at] >= '0' && text[at] <= '9')) out += text[at++];
      out += ' ';
    }
    if (text[at] != '{') continue;
    const std::size_t close = text.find('}', at);
    for (; at <= close; ++at) out += text[at] == '\n' || text[at] == '\t' ? ' ' : text[at];
  }
  return out;
}

TEST(Export, AnnotationsComeThroughInOrder) {
  const std::string text =
      roster() +
      "{a b} $3 1. e4! {c d} (1. d4 $7 {e} d5 (1... f5 {f {g}) {h} 2. c4) ; i\n"
      "e5?? {j} *\n";
  const std::string once = export_pgn(text);
  EXPECT_EQ(annotations_of(once), "{a b}$3 $1 {c d}$7 {e}{f {g}{h}{i}$4 {j}");
}

}  // namespace
}  // namespace cuarbiter
