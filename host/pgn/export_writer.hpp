// Games in export format (PGN standard 3.2 and 8): what a game says, written in the one way that
// the standard has for it. Moves are canonical SAN, numbers and the termination marker are where
// they belong, glyphs are NAGs, all comments are in braces, lines have less than 80 characters.
//
// Nothing is lost:
// - A move that could not be made, and what follows it in its line, stays as it is written.
// - Text that PGN has no place for becomes a comment where it stands. In comments made of other
// text
//   braces turn into parentheses. White space in a comment is layout: any run of it is one space or
//   line end.
// - Comments outside of games go to the game before them, or to the first one. Escape lines and
// other
//   text outside of games become escape lines in front of the game that they stand before or in.
// - A game that was not replayed (unknown variant, unusable FEN) keeps its movetext word by word.
//
// What has been written is written again without a change.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/pgn/export_tags.hpp"
#include "host/pgn/game_batch.hpp"
#include "host/pgn/game_line.hpp"
#include "host/pgn/line_filler.hpp"
#include "host/pgn/slab.hpp"

namespace cuarbiter {

struct ExportOptions {
  // Repair what has one right answer: results (right_result), tags (ExportTags::repair), text in
  // ISO 8859-1 (repair_encoding). Moves stay as they are.
  bool fix = false;
};

// Writes games of one slab, lexed and replayed. Not thread-safe; keeps references.
class ExportWriter {
 public:
  ExportWriter(const Slab& slab, const GameBatch& batch, const ExportOptions& options);

  // Appends game number `index` of the batch and an empty line, with what stands around it up to
  // the games beside it in its frame.
  void write_game(std::string& out, std::uint32_t index);
  // Appends a frame in which there is no game, as escape lines.
  void write_loose_frame(std::string& out, std::size_t frame);

 private:
  // A line of play that is being written: the main line or a variation.
  struct OpenLine {
    std::uint32_t segment = 0;  // index into the replay's segments
    std::uint32_t next = 0;     // token
    std::uint32_t end = 0;      // behind its last token
    std::uint32_t ply = 0;      // plies from the game's start to the next token
    bool number_wanted = true;  // before the next move, even if it is Black's
  };

  const char* at(std::uint32_t position) const { return slab_.text.data() + position; }

  void begin_game(std::uint32_t index);
  const char* read_tags(const char* p);
  void outside(const char* p, const char* end);
  void outside_run(const char* p, const char* end);
  void movetext(const char* p, const char* stop);
  const char* other_text(const char* p);
  const char* comment(const char* p);
  void open_variation();
  void close_variation();
  const char* nag(const char* p);
  const char* glyphs(const char* p, const char* end);
  const char* number(const char* p);
  const char* word(const char* p);
  const char* raw_word(const char* p);
  const char* move(const char* p);
  const char* odd_move(const char* p, std::uint32_t token, bool judged);
  void put_number(OpenLine& line);
  void put_nag(unsigned nag);
  // Text between braces; with `made` it was no comment before.
  void put_comment(std::string_view text, bool made);
  void put_words(std::string_view text);
  void escape_line(std::string_view text);
  void write_loose_lines(std::string_view text);

  const Slab& slab_;
  const GameBatch& batch_;
  ExportOptions options_;
  ExportTags tags_;

  // Of the game being written.
  const GameRecord* game_ = nullptr;
  bool replayed_ = false;
  bool last_move_raw_ = true;   // the last move written is as it was read
  const char* end_ = nullptr;   // of its frame
  const char* stop_ = nullptr;  // of its movetext
  std::unique_ptr<GameLine> line_;
  std::vector<OpenLine> lines_;
  std::uint32_t next_segment_ = 0;
  std::uint32_t depth_ = 0;  // of parentheses
  std::string body_, escapes_, scratch_, unit_;
  LineFiller filler_;
};

}  // namespace cuarbiter
