#include "host/pgn/lexer.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "host/notation/fen.hpp"
#include "host/notation/san_text.hpp"
#include "host/pgn/annotation_words.hpp"
#include "host/pgn/char_class.hpp"
#include "host/pgn/frame_faults.hpp"
#include "host/pgn/line_tree.hpp"
#include "host/pgn/markers.hpp"
#include "host/pgn/move_run.hpp"
#include "host/pgn/movetext.hpp"
#include "host/pgn/san_lexer.hpp"
#include "host/pgn/tag_section.hpp"
#include "host/pgn/text_problems.hpp"
#include "host/pgn/text_scan.hpp"

namespace cuarbiter {
namespace {

bool is_digit(char c) {
  return is_char(c, kCharDigit);
}
bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}
bool is_space(char c) {
  return is_char(c, kCharSpace);
}

bool is_unreadable(SanToken token) {
  return token.piece() == SanToken::kSpecial && token.target() == SanToken::kUnreadable;
}

class SlabLexer {
 public:
  SlabLexer(const Slab& slab, const LexerOptions& options, WordCache& words, GameBatch& batch)
      : slab_(slab),
        options_(options),
        batch_(batch),
        problems_(batch),
        words_(words),
        tags_(slab),
        lines_(batch),
        text_(slab.text.data()) {
    ReplayStart start;
    start.position = start_position();
    batch_.replay.starts.push_back(start);
  }

  void run() {
    if (slab_.utf16) {
      problems_.add(Severity::error, Code::pgn_encoding, 0,
                    "the file is UTF-16, which PGN does not allow: convert it to UTF-8");
      return;
    }
    for (std::size_t i = 0; i < slab_.frames.size(); ++i) {
      const std::size_t first_game = batch_.games.size();
      lex_frame(slab_.frames[i], slab_.frame_end(i));
      find_frame_faults(slab_, i, first_game, batch_, problems_);
    }
    const auto before = [](const TextProblem& x, const TextProblem& y) {
      return x.game != y.game ? x.game < y.game : x.at < y.at;
    };
    if (!std::is_sorted(batch_.problems.begin(), batch_.problems.end(), before)) {
      std::stable_sort(batch_.problems.begin(), batch_.problems.end(), before);
    }
  }

 private:
  std::uint32_t position(const char* p) const { return static_cast<std::uint32_t>(p - text_); }
  TextSpan span(const char* from, const char* to) const { return {position(from), position(to)}; }

  void report(Code code, const char* at, std::string_view detail) {
    problems_.add(code, position(at), detail);
  }
  // About a piece of text.
  void report_text(Code code, const char* from, const char* to, std::uint32_t ply = 0) {
    problems_.add_text(code, span(from, to), ply);
  }

  // ---- frames and games ----

  void lex_frame(const Frame& frame, std::uint32_t frame_end) {
    p_ = text_ + frame.begin;
    end_ = text_ + frame_end;
    in_game_ = after_game_ = garbage_reported_ = false;
    problems_.begin(static_cast<std::uint32_t>(batch_.games.size()));
    read_tags();
    movetext();
    if (in_game_) end_game(GameResult::none, end_, end_);
  }

  // Blank lines, escape lines, rest-of-line comments and tag pairs at the front of a frame.
  void read_tags() {
    tags_.clear();
    const char* first = nullptr;
    const char* line = p_;
    for (;;) {
      while (line != end_ && is_space(*line)) ++line;
      if (line == end_) break;
      if (at_byte_order_mark(line, end_)) {
        report(Code::pgn_encoding, line, "a byte order mark inside the file");
        line += 3;
        continue;
      }
      if (*line == ';' || (*line == '%' && at_line_start(line))) {
        line = line_end(line);
        continue;
      }
      const UsualTag quotes = *line == '[' ? usual_tag_at(line) : UsualTag{};
      const bool usual = quotes.close != 0 && line + quotes.close + 2 <= end_;
      if (!usual && !at_tag_pair(line, end_)) break;
      if (!first) {
        first = line;
        open_game(line);
      }
      const TagPair tag = usual ? usual_tag_pair(line, quotes) : read_tag_pair(line, end_);
      tags_.add(tag, position(line), problems_);
      line = tag.next;
    }
    p_ = line;
    if (first) begin_moves();
  }

  // Most were seen when the text was cut into frames.
  UsualTag usual_tag_at(const char* line) {
    const std::uint32_t at = position(line);
    const std::vector<SlabTag>& seen = slab_.tags;
    while (seen_tag_ < seen.size() && seen[seen_tag_].at < at) ++seen_tag_;
    if (seen_tag_ == seen.size() || seen[seen_tag_].at != at) return scan_.usual_tag(line);
    return {seen[seen_tag_].open, seen[seen_tag_].close};
  }

  bool at_line_start(const char* p) const { return p == text_ || p[-1] == '\n' || p[-1] == '\r'; }
  const char* line_end(const char* p) const { return line_end_at(p, end_); }
  const char* token_end(const char* p) const { return token_end_at(p, end_); }

  void open_game(const char* at) {
    game_ = GameRecord{};
    game_.text.begin = position(at);
    in_game_ = true;
    after_game_ = false;
    garbage_reported_ = false;
    number_reported_ = false;
    problems_.begin(static_cast<std::uint32_t>(batch_.games.size()));
    lines_.begin_game();
  }

  // The tags are read (or there are none): sets up the start of play.
  void begin_moves() {
    ReplayStart start;
    start.position = batch_.replay.starts[0].position;
    tags_.finish(game_.text.begin, options_.chess960, game_, problems_, start);
    start_index_ = 0;
    if (start.black || start.halfmove_clock ||
        !same_position(start.position, batch_.replay.starts[0].position)) {
      start_index_ = static_cast<std::uint32_t>(batch_.replay.starts.size());
      batch_.replay.starts.push_back(start);
    }
    judged_ = !game_.skipped_variant && !game_.bad_start;
  }

  void open_tagless_game(const char* at) {
    tags_.clear();
    open_game(at);
    begin_moves();
  }

  void end_game(GameResult marker, const char* marker_begin, const char* after) {
    lines_.close_all([this](std::uint32_t at) {
      problems_.add(Code::pgn_unterminated_variation, at, "this variation is not closed");
    });
    game_.marker = marker;
    game_.marker_at = position(marker_begin);
    game_.text.end = position(after);
    if (judged_) {
      game_.replay = lines_.store(start_index_);
    } else {
      lines_.drop();
    }
    batch_.games.push_back(game_);
    in_game_ = false;
    after_game_ = true;
  }

  // ---- movetext ----

  void movetext() {
    while (p_ != end_) {
      const char c = *p_;
      if (in_game_ && !is_char(c, kCharStopsRun) && move_run()) continue;
      if (is_space(c)) {
        ++p_;
        if ((c == '\n' || c == '\r') && p_ != end_ && *p_ == '%') p_ = line_end(p_);
        continue;
      }
      if (in_game_ && is_digit(c)) {
        digit_token();
        continue;
      }
      if (c == '{') {
        comment();
        continue;
      }
      if (in_game_) {
        SanToken token;
        const char* after = lex_canonical_san(p_, token);
        if (after) {
          push_move(token, p_);
          p_ = after != end_ && *after == ' ' ? after + 1 : after;
          continue;
        }
      }
      other_token(c);
    }
  }

  // Takes moves, fitting numbers and plain comments as far as nothing else comes; false when there
  // are none.
  bool move_run() {
    const char* const begin = p_;
    run_.text = text_;
    run_.at = position(p_);
    run_.end = position(end_);
    run_.ply = lines_.next_ply() - 1 + (game_.black_first ? 1 : 0);
    run_.fullmove_number = game_.fullmove_number;
    run_.any_number = number_reported_ || !judged_;
    bool more;
    do {
      more = scan_.read_moves(run_, words_);
      if (run_.count) {
        lines_.push(run_.tokens, run_.places, run_.count);
        game_.has_moves = true;
        run_.count = 0;
      }
    } while (more);
    p_ = text_ + run_.at;
    return p_ != begin;
  }

  void other_token(char c) {
    switch (c) {
      case ';':
        p_ = line_end(p_);
        return;
      case '!':
      case '?':
        while (p_ != end_ && (*p_ == '!' || *p_ == '?')) ++p_;
        if (after_game_ || !in_game_) stray(p_ - 1, p_);
        return;
      case '$':
        nag();
        return;
      case '*':
        marker(read_marker(rest()));
        return;
      case '%':
        if (at_line_start(p_)) {
          p_ = line_end(p_);
          return;
        }
        break;
      default:
        break;
    }
    if (!in_game_) {
      outside_game(c);
      return;
    }
    switch (c) {
      case '(':
        open_variation();
        return;
      case ')':
        close_variation();
        return;
      case '.':
        ++p_;
        return;
      case '<':
        reserved();
        return;
      case '[': {
        const char* stop = line_end(p_);
        const void* bracket = std::memchr(p_, ']', static_cast<std::size_t>(stop - p_));
        const char* after = bracket ? static_cast<const char*>(bracket) + 1 : stop;
        report_text(Code::pgn_unexpected_token, p_, after);
        p_ = after;
        return;
      }
      default:
        break;
    }
    word();
  }

  std::string_view rest() const {
    return {p_, std::min<std::size_t>(static_cast<std::size_t>(end_ - p_), 16)};
  }

  // Text between games: a move number or, where no game came before, a move begins one.
  void outside_game(char c) {
    const char* q = p_;
    while (q != end_ && is_digit(*q)) ++q;
    const Marker m = read_marker(rest());
    if (m.result != GameResult::none) {
      marker(m);
      return;
    }
    bool begins = q != p_ && q != end_ && *q == '.';
    if (!begins && !after_game_ && (is_letter(c) || is_digit(c))) {
      SanToken token;
      const char* after = token_end(p_);
      begins = lex_canonical_san(p_, token) != nullptr ||
               (q != p_ && (q == end_ || is_space(*q))) ||
               !is_unreadable(read_san({p_, static_cast<std::size_t>(after - p_)}));
    }
    if (begins) {
      open_tagless_game(p_);
      return;
    }
    if (at_byte_order_mark(p_, end_)) {
      report(Code::pgn_encoding, p_, "a byte order mark inside the file");
      p_ += 3;
      return;
    }
    const char* after = token_end(p_);
    stray(p_, after);
    p_ = after;
  }

  // Reports text that belongs to no game, once until the next game begins.
  void stray(const char* from, const char* to) {
    if (!garbage_reported_) report_text(Code::pgn_unexpected_token, from, to);
    garbage_reported_ = true;
  }

  void push_move(SanToken token, const char* at) {
    lines_.push(token, position(at));
    game_.has_moves = true;
  }

  void push_odd_move(SanToken token, const char* from, const char* to) {
    if (judged_ && token.style()) {
      static constexpr struct {
        std::uint32_t style;
        Code code;
      } kStyles[] = {
          {kStyleCastling, Code::san_castling},   {kStylePromotion, Code::san_promotion},
          {kStyleCase, Code::san_case},           {kStyleLong, Code::san_long},
          {kStyleFigurine, Code::san_figurine},   {kStylePawnLetter, Code::san_pawn_letter},
          {kStyleEnPassant, Code::san_en_passant}};
      for (const auto& s : kStyles) {
        if (token.style() & s.style) report_text(s.code, from, to, lines_.next_ply());
      }
      // The replay finds "++" wrong by itself; words and daggers are right but for their form.
      if ((token.style() & kStyleMate) && token.suffix() != SanToken::kDoublePlus) {
        report_text(Code::san_check_suffix, from, to, lines_.next_ply());
      }
    }
    push_move(token, from);
  }

  void digit_token() {
    const char* q = p_;
    std::uint32_t number = 0;
    while (q != end_ && is_digit(*q)) {
      if (number < 1000000) number = number * 10 + static_cast<std::uint32_t>(*q - '0');
      ++q;
    }
    const bool zeros = number == 0 && q - p_ >= 2;  // "00": castling or a null move
    if ((q == end_ || *q == '.' || is_space(*q)) && !(zeros && (q == end_ || *q != '.'))) {
      check_number(number, p_, q);
      while (q != end_ && *q == '.') ++q;
      p_ = q;
      return;
    }
    const Marker m = read_marker(rest());
    if (m.result != GameResult::none) {
      marker(m);
      return;
    }
    if (*q != '-' && *q != '/' && *q != ':' && *p_ != '0') {
      // A number run together with what follows: "1e4".
      check_number(number, p_, q);
      p_ = q;
      return;
    }
    const char* after = token_end(p_);
    const std::string_view token(p_, static_cast<std::size_t>(after - p_));
    if (token == "0-0" && closing_double_zero(after)) {
      report(Code::pgn_result_spelling, p_, "\"0-0\" is no result that PGN knows");
      const char* at = p_;
      p_ = after;
      end_game(GameResult::other, at, after);
      return;
    }
    const SanToken move = read_san(token);
    if (is_unreadable(move)) {
      if (judged_) report_text(Code::pgn_unexpected_token, p_, after);
    } else {
      push_odd_move(move, p_, after);
    }
    p_ = after;
  }

  // True when "0-0" ends the game as a result: nothing follows, and the Result tag says the same.
  bool closing_double_zero(const char* after) const {
    if (game_.result_tag != GameResult::other || lines_.in_variation()) return false;
    if (slab_.view(game_.result_text.begin, game_.result_text.end) != "0-0") return false;
    while (after != end_ && is_space(*after)) ++after;
    return after == end_;
  }

  void check_number(std::uint32_t number, const char* from, const char* to) {
    const std::uint32_t ply = lines_.next_ply() - 1 + (game_.black_first ? 1 : 0);
    if (number == game_.fullmove_number + ply / 2 || number_reported_ || !judged_) return;
    number_reported_ = true;
    report_text(Code::pgn_move_number, from, to, 0);
  }

  void nag() {
    const char* q = p_ + 1;
    while (q != end_ && is_digit(*q)) ++q;
    if (q == p_ + 1 && in_game_) report_text(Code::pgn_unexpected_token, p_, q);
    p_ = q;
  }

  void reserved() {
    const char* stop = line_end(p_);
    const void* close = std::memchr(p_, '>', static_cast<std::size_t>(stop - p_));
    if (!close) {
      report_text(Code::pgn_unexpected_token, p_, p_ + 1);
      ++p_;
      return;
    }
    const char* after = static_cast<const char*>(close) + 1;
    if (after - p_ == 2) {
      push_odd_move(SanToken::special(SanToken::kNullMove), p_, after);
    } else {
      report_text(Code::pgn_reserved, p_, after);
    }
    p_ = after;
  }

  // ---- comments ----

  void comment() {
    const char* open = p_;
    const BraceComment found = brace_comment_at(open, end_, in_game_);
    p_ = found.next;
    if (!found.closed) {
      report(Code::pgn_unterminated_comment, open, "this comment is not closed");
      game_.open_comment = true;
    } else if (found.nested) {
      report(Code::pgn_nested_comment, open, "a comment inside a comment");
    }
  }

  // ---- variations ----

  void open_variation() {
    if (lines_.line_is_empty()) {
      report(Code::pgn_unexpected_token, p_, "a variation before any move that it could replace");
    }
    lines_.open_variation(position(p_));
    ++p_;
  }

  void close_variation() {
    if (lines_.in_variation()) {
      lines_.close_variation();
    } else {
      report(Code::pgn_unexpected_token, p_, "\")\" closes no variation");
    }
    ++p_;
  }

  // ---- markers and words ----

  void marker(const Marker& m) {
    const char* at = p_;
    p_ += m.length;
    if (!in_game_) {
      if (after_game_) {
        if (!garbage_reported_) {
          report(Code::pgn_unexpected_token, at, "a second termination marker");
        }
        garbage_reported_ = true;
      } else {
        // A game of nothing but its result.
        open_tagless_game(at);
        end_game(m.result, at, p_);
      }
      return;
    }
    if (!m.standard) report_text(Code::pgn_result_spelling, at, p_);
    if (lines_.in_variation()) {
      // A result at the end of a variation is that line's remark, not the end of the game.
      const char* q = p_;
      while (q != end_ && is_space(*q)) ++q;
      if (q != end_ && *q == ')') {
        problems_.add_text(Severity::warning, Code::pgn_unexpected_token, span(at, p_));
        return;
      }
    }
    end_game(m.result, at, p_);
  }

  void word() {
    const char* after = token_end(p_);
    const std::string_view token(p_, static_cast<std::size_t>(after - p_));
    const char* at = p_;
    const auto lead = static_cast<unsigned char>(token.front());
    if (lead >= 0x80) {
      const Marker m = read_marker(rest());
      if (m.result != GameResult::none) {
        marker(m);
        return;
      }
    }
    p_ = after;
    if (is_en_passant_mark(token)) {
      if (judged_) report_text(Code::san_en_passant, at, after, lines_.next_ply() - 1);
      return;
    }
    if (is_loose_suffix(token)) {
      if (judged_) report_text(Code::san_check_suffix, at, after, lines_.next_ply() - 1);
      return;
    }
    if (is_evaluation_sign(token)) {
      report_text(Code::pgn_nag_glyph, at, after);
      return;
    }
    SanToken move = read_san(token);
    bool unreadable = is_unreadable(move);
    if (unreadable && token.size() > 2 && is_prose_mark(token.back())) {
      move = read_san(token.substr(0, token.size() - 1));
      unreadable = is_unreadable(move);
      if (!unreadable && judged_) report_text(Code::san_punctuation, at, after, lines_.next_ply());
    }
    if (unreadable && !is_letter(token.front()) && lead != '-' && lead != '@') {
      if (judged_) report_text(Code::pgn_unexpected_token, at, after);
      return;
    }
    push_odd_move(move, at, after);
  }

  const Slab& slab_;
  const LexerOptions& options_;
  GameBatch& batch_;
  TextProblems problems_;
  const TextScan& scan_ = text_scan();
  WordCache& words_;
  MoveRun run_;
  TagSection tags_;
  std::size_t seen_tag_ = 0;  // the first of slab_.tags that may still come
  LineTree lines_;
  const char* text_;
  const char* p_ = nullptr;
  const char* end_ = nullptr;

  GameRecord game_;
  std::uint32_t start_index_ = 0;
  bool in_game_ = false;
  bool after_game_ = false;        // a game of this frame has ended
  bool garbage_reported_ = false;  // stray text since then has been reported
  bool number_reported_ = false;
  bool judged_ = true;
};

}  // namespace

void lex_slab(const Slab& slab, const LexerOptions& options, GameBatch& batch) {
  thread_local WordCache words;
  SlabLexer(slab, options, words, batch).run();
}

}  // namespace cuarbiter
