#include "host/pgn/lexer.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "host/notation/fen.hpp"
#include "host/notation/san_text.hpp"
#include "host/pgn/char_class.hpp"
#include "host/pgn/markers.hpp"
#include "host/pgn/san_lexer.hpp"
#include "host/pgn/tag_section.hpp"
#include "host/report/utf8.hpp"

namespace cuarbiter {
namespace {

constexpr std::uint32_t kMostProblems = 1000;  // told of one game's text

bool is_digit(char c) {
  return is_char(c, kCharDigit);
}
bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}
bool is_space(char c) {
  return is_char(c, kCharSpace);
}

// Signs by which annotators judge a position or a move without a NAG.
bool is_glyph(std::string_view token) {
  static constexpr std::string_view kGlyphs[] = {"=",
                                                 "+-",
                                                 "-+",
                                                 "+/-",
                                                 "-/+",
                                                 "+/=",
                                                 "=/+",
                                                 "+=",
                                                 "=+",
                                                 "~",
                                                 "N",
                                                 "D",
                                                 "/\\",
                                                 "\\/",
                                                 "|^",
                                                 "<=",
                                                 "=>",
                                                 "->",
                                                 "^",
                                                 "x",
                                                 "+--",
                                                 "--+",
                                                 "+/--",
                                                 "--/+",
                                                 "\xC2\xB1",
                                                 "\xE2\x88\x93",
                                                 "\xE2\x88\x9E",
                                                 "\xE2\xA9\xB2",
                                                 "\xE2\xA9\xB1",
                                                 "\xE2\x96\xA1",
                                                 "\xE2\xA8\x80",
                                                 "\xE2\x9F\xB3",
                                                 "\xE2\x86\x91",
                                                 "\xE2\x86\x92",
                                                 "\xE2\x87\x86",
                                                 "\xE2\x87\x84",
                                                 "\xE2\x87\x94",
                                                 "\xE2\x8A\x99",
                                                 "\xE2\x88\x86",
                                                 "\xE2\x8C\x93",
                                                 "\xE2\x9C\x95",
                                                 "\xE2\x80\xBC",
                                                 "\xE2\x81\x87",
                                                 "\xE2\x81\x88",
                                                 "\xE2\x81\x89",
                                                 "\xE2\x86\xBB",
                                                 "\xE2\xA9\xB2",
                                                 "\xC2\xB0",
                                                 "\xE2\x97\x8B",
                                                 "\xE2\x89\xB9",
                                                 "\xE2\x88\xBC",
                                                 "\xE2\x8A\x95",
                                                 "\xB1"};
  for (const std::string_view glyph : kGlyphs) {
    if (token == glyph) return true;
  }
  return false;
}

bool is_en_passant_mark(std::string_view token) {
  return token == "e.p." || token == "e.p" || token == "ep" || token == "ep." || token == "E.P.";
}

bool is_loose_suffix(std::string_view token) {
  return token == "+" || token == "++" || token == "#" || token == "ch" || token == "ch." ||
         token == "mate" || token == "check";
}

bool is_prose_mark(char c) {
  return c == '.' || c == ',' || c == ':';
}

bool is_unreadable(SanToken token) {
  return token.piece() == SanToken::kSpecial && token.target() == SanToken::kUnreadable;
}

class SlabLexer {
 public:
  SlabLexer(const Slab& slab, const LexerOptions& options, GameBatch& batch)
      : slab_(slab), options_(options), batch_(batch), tags_(slab), text_(slab.text.data()) {
    ReplayStart start;
    start.position = start_position();
    batch_.replay.starts.push_back(start);
  }

  void run() {
    const std::string_view all(text_, slab_.size);
    has_nul_ = all.find('\0') != std::string_view::npos;
    plain_ascii_ = ascii_prefix(all) == all.size();
    if (slab_.utf16) {
      report(Severity::error, Code::pgn_encoding, 0,
             "the file is UTF-16, which PGN does not allow: convert it to UTF-8");
      return;
    }
    for (std::size_t i = 0; i < slab_.frames.size(); ++i) {
      lex_frame(slab_.frames[i], slab_.frame_end(i));
    }
    const auto before = [](const TextProblem& x, const TextProblem& y) {
      return x.game != y.game ? x.game < y.game : x.at < y.at;
    };
    if (!std::is_sorted(batch_.problems.begin(), batch_.problems.end(), before)) {
      std::stable_sort(batch_.problems.begin(), batch_.problems.end(), before);
    }
  }

 private:
  // A line of play that is open: the main line or a variation.
  struct OpenLine {
    std::uint32_t segment;  // of the game, 0 is the main line
    std::uint32_t ply;      // plies before its first token
    std::uint32_t count;    // tokens so far
    std::uint32_t at;       // its parenthesis
  };
  struct Variation {
    std::uint32_t parent, branch, ply, count;
  };

  std::uint32_t position(const char* p) const { return static_cast<std::uint32_t>(p - text_); }

  // The game that a fault found now belongs to: the open one, the one that has just ended, or the
  // one to come.
  std::uint32_t current_game() const {
    const auto n = static_cast<std::uint32_t>(batch_.games.size());
    return after_game_ ? n - 1 : n;
  }

  // False when enough has been told of this game; of what comes next only that there is more.
  bool room_for_problem(Severity severity, Code code, std::uint32_t at) {
    if (++problem_count_ <= kMostProblems) return true;
    if (problem_count_ == kMostProblems + 1) {
      add_problem(severity, code, at,
                  "too many faults in the text of this game: the rest is not listed", 0);
    }
    return false;
  }
  void report(Severity severity, Code code, std::uint32_t at, std::string_view detail,
              std::uint32_t ply = 0) {
    if (room_for_problem(severity, code, at)) add_problem(severity, code, at, detail, ply);
  }
  void add_problem(Severity severity, Code code, std::uint32_t at, std::string_view detail,
                   std::uint32_t ply) {
    TextProblem problem{code, severity, current_game(), at};
    problem.ply = ply;
    if (!detail.empty()) {
      batch_.details.emplace_back(detail);
      problem.detail = static_cast<std::uint32_t>(batch_.details.size());
    }
    batch_.problems.push_back(problem);
  }
  void report(Code code, const char* at, std::string_view detail, std::uint32_t ply = 0) {
    report(code_severity(code), code, position(at), detail, ply);
  }
  // About a piece of text.
  void report_text(Code code, const char* from, const char* to, std::uint32_t ply = 0) {
    report_text(code_severity(code), code, from, to, ply);
  }
  void report_text(Severity severity, Code code, const char* from, const char* to,
                   std::uint32_t ply) {
    if (!room_for_problem(severity, code, position(from))) return;
    TextProblem problem{code, severity, current_game(), position(from)};
    problem.length = static_cast<std::uint32_t>(to - from);
    problem.ply = ply;
    batch_.problems.push_back(problem);
  }

  // ---- frames and games ----

  void lex_frame(const Frame& frame, std::uint32_t frame_end) {
    p_ = text_ + frame.begin;
    end_ = text_ + frame_end;
    const std::size_t first_game = batch_.games.size();
    in_game_ = after_game_ = garbage_reported_ = false;
    problem_count_ = 0;
    read_tags();
    movetext();
    if (in_game_) end_game(GameResult::none, end_, end_);
    frame_faults(frame, frame_end, first_game);
  }

  // Blank lines, escape lines, rest-of-line comments and tag pairs at the front of a frame.
  void read_tags() {
    tags_.clear();
    const char* first = nullptr;
    const char* line = p_;
    for (;;) {
      while (line != end_ && is_space(*line)) ++line;
      if (line == end_) break;
      if (*line == ';' || (*line == '%' && at_line_start(line))) {
        line = line_end(line);
        continue;
      }
      if (!at_tag_pair(line, end_)) break;
      if (!first) {
        first = line;
        open_game(line);
      }
      const TagPair tag = read_tag_pair(line, end_);
      tags_.add(tag, position(line), batch_);
      line = tag.next;
    }
    p_ = line;
    if (first) begin_moves();
  }

  bool at_line_start(const char* p) const { return p == text_ || p[-1] == '\n' || p[-1] == '\r'; }
  const char* line_end(const char* p) const {
    const auto n = static_cast<std::size_t>(end_ - p);
    const void* lf = std::memchr(p, '\n', n);
    const char* stop = lf ? static_cast<const char*>(lf) : end_;
    const void* cr = std::memchr(p, '\r', static_cast<std::size_t>(stop - p));
    return cr ? static_cast<const char*>(cr) : stop;
  }

  void open_game(const char* at) {
    game_ = GameRecord{};
    game_.text.begin = position(at);
    in_game_ = true;
    after_game_ = false;
    garbage_reported_ = false;
    number_reported_ = false;
    problem_count_ = 0;
    lines_.clear();
    variations_.clear();
    variation_tokens_.clear();
    variation_at_.clear();
    variation_segment_.clear();
    main_begin_ = static_cast<std::uint32_t>(batch_.replay.tokens.size());
  }

  // The tags are read (or there are none): sets up the start of play.
  void begin_moves() {
    ReplayStart start;
    start.position = batch_.replay.starts[0].position;
    tags_.finish(game_.text.begin, options_.chess960, game_, batch_, start);
    start_index_ = 0;
    if (start.black || start.halfmove_clock ||
        !same_position(start.position, batch_.replay.starts[0].position)) {
      start_index_ = static_cast<std::uint32_t>(batch_.replay.starts.size());
      batch_.replay.starts.push_back(start);
    }
    judged_ = !game_.skipped_variant && !game_.bad_start;
    lines_.push_back(OpenLine{0, 0, 0, 0});
  }

  void open_tagless_game(const char* at) {
    tags_.clear();
    open_game(at);
    begin_moves();
  }

  void end_game(GameResult marker, const char* marker_begin, const char* after) {
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      report(Severity::error, Code::pgn_unterminated_variation, lines_[i].at,
             "this variation is not closed");
    }
    lines_.resize(1);
    game_.marker = marker;
    game_.marker_at = position(marker_begin);
    game_.text.end = position(after);
    store_lines();
    batch_.games.push_back(game_);
    in_game_ = false;
    after_game_ = true;
  }

  // Lays out the game's segments: the main line is in place, the variations' tokens follow by
  // segment.
  void store_lines() {
    ReplayBatch& replay = batch_.replay;
    const auto main_count = static_cast<std::uint32_t>(replay.tokens.size()) - main_begin_;
    if (!judged_) {
      replay.tokens.resize(main_begin_);
      batch_.token_at.resize(main_begin_);
      return;
    }
    ReplayGame game;
    game.segment_begin = static_cast<std::uint32_t>(replay.segments.size());
    game.segment_count = 1 + static_cast<std::uint32_t>(variations_.size());
    game.start = start_index_;
    replay.segments.push_back(ReplaySegment{main_begin_, main_count, 0, 0, 0});
    if (!variations_.empty()) {
      std::uint32_t begin = main_begin_ + main_count;
      for (const Variation& v : variations_) {
        replay.segments.push_back(
            ReplaySegment{begin, v.count, game.segment_begin + v.parent, v.branch, v.ply});
        begin += v.count;
      }
      replay.tokens.resize(begin);
      batch_.token_at.resize(begin);
      cursors_.resize(variations_.size());
      for (std::size_t i = 0; i < variations_.size(); ++i) {
        cursors_[i] = replay.segments[game.segment_begin + 1 + i].token_begin;
      }
      for (std::size_t i = 0; i < variation_tokens_.size(); ++i) {
        const std::uint32_t at = cursors_[variation_segment_[i] - 1]++;
        replay.tokens[at] = variation_tokens_[i];
        batch_.token_at[at] = variation_at_[i];
      }
    }
    game_.replay = static_cast<std::uint32_t>(replay.games.size());
    replay.games.push_back(game);
  }

  // ---- movetext ----

  std::uint32_t next_ply() const { return lines_.back().ply + lines_.back().count + 1; }

  void movetext() {
    while (p_ != end_) {
      const char c = *p_;
      if (is_space(c)) {
        ++p_;
        if ((c == '\n' || c == '\r') && p_ != end_ && *p_ == '%') p_ = line_end(p_);
        continue;
      }
      if (in_game_ && is_digit(c)) {
        digit_token();
        continue;
      }
      if (in_game_) {
        SanToken token;
        const char* after = lex_canonical_san(p_, token);
        if (after) {
          push_move(token, p_);
          p_ = after;
          continue;
        }
      }
      other_token(c);
    }
  }

  void other_token(char c) {
    switch (c) {
      case '{':
        comment();
        return;
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
    const char* after = token_end(p_);
    stray(p_, after);
    p_ = after;
  }

  // Reports text that belongs to no game, once until the next game begins.
  void stray(const char* from, const char* to) {
    if (!garbage_reported_) report_text(Code::pgn_unexpected_token, from, to);
    garbage_reported_ = true;
  }

  // The end of the token at p: at least one character long; a promotion piece in parentheses
  // belongs to it.
  const char* token_end(const char* p) const {
    const char* q = p + 1;
    while (q != end_ && !is_char(*q, kCharEndsToken)) ++q;
    if (q + 2 < end_ && *q == '(' && q[2] == ')' && q - p >= 2 && q - p <= 5 &&
        (q[-1] == '8' || q[-1] == '1') && std::strchr("QRBNqrbn", q[1])) {
      q += 3;
      while (q != end_ && !is_char(*q, kCharEndsToken)) ++q;
    }
    return q;
  }

  void push_move(SanToken token, const char* at) {
    if (lines_.size() > 1) {
      push_variation_move(token, at);
      return;
    }
    batch_.replay.tokens.push_back(token);
    batch_.token_at.push_back(position(at));
    ++lines_.front().count;
    game_.has_moves = true;
  }

  [[gnu::noinline]] void push_variation_move(SanToken token, const char* at) {
    OpenLine& line = lines_.back();
    variation_tokens_.push_back(token);
    variation_at_.push_back(position(at));
    variation_segment_.push_back(line.segment);
    ++variations_[line.segment - 1].count;
    ++line.count;
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
        if (token.style() & s.style) report_text(s.code, from, to, next_ply());
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
    if (q == end_ || *q == '.' || is_space(*q)) {
      check_number(number, p_, q);
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
    if (game_.result_tag != GameResult::other || lines_.size() > 1) return false;
    if (slab_.view(game_.result_text.begin, game_.result_text.end) != "0-0") return false;
    while (after != end_ && is_space(*after)) ++after;
    return after == end_;
  }

  void check_number(std::uint32_t number, const char* from, const char* to) {
    const std::uint32_t ply = next_ply() - 1 + (game_.black_first ? 1 : 0);
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

  const char* find(char byte, const char* from) const {
    const void* found = std::memchr(from, byte, static_cast<std::size_t>(end_ - from));
    return found ? static_cast<const char*>(found) : end_;
  }

  void comment() {
    const char* open = p_;
    const char* close = find('}', p_ + 1);
    if (close == end_) {
      report(Code::pgn_unterminated_comment, open, "this comment is not closed");
      game_.open_comment = true;
      p_ = end_;
      return;
    }
    p_ = close + 1;
    const void* inner = std::memchr(open + 1, '{', static_cast<std::size_t>(close - open - 1));
    if (!inner || !in_game_) return;
    // Some programs nest comments, which the standard does not know. When a lone "}" follows
    // before any other brace, the text up to it was meant as comment.
    bool nested = false;
    const char* from = static_cast<const char*>(inner);
    for (const char* brace = from; brace < close; brace = find('{', brace + 1)) {
      const char* next_close = find('}', p_);
      if (next_close == end_ || find('{', p_) < next_close) break;
      p_ = next_close + 1;
      nested = true;
    }
    if (nested) report(Code::pgn_nested_comment, open, "a comment inside a comment");
  }

  // ---- variations ----

  void open_variation() {
    OpenLine& parent = lines_.back();
    if (parent.count == 0) {
      report(Code::pgn_unexpected_token, p_, "a variation before any move that it could replace");
    }
    const std::uint32_t branch = parent.count ? parent.count - 1 : 0;
    const std::uint32_t ply = parent.ply + branch;
    variations_.push_back(Variation{parent.segment, branch, ply, 0});
    lines_.push_back(
        OpenLine{static_cast<std::uint32_t>(variations_.size()), ply, 0, position(p_)});
    ++p_;
  }

  void close_variation() {
    if (lines_.size() > 1) {
      lines_.pop_back();
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
    if (lines_.size() > 1) {
      // A result at the end of a variation is that line's remark, not the end of the game.
      const char* q = p_;
      while (q != end_ && is_space(*q)) ++q;
      if (q != end_ && *q == ')') {
        report_text(Severity::warning, Code::pgn_unexpected_token, at, p_, 0);
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
      if (judged_) report_text(Code::san_en_passant, at, after, next_ply() - 1);
      return;
    }
    if (is_loose_suffix(token)) {
      if (judged_) report_text(Code::san_check_suffix, at, after, next_ply() - 1);
      return;
    }
    if (is_glyph(token)) {
      report_text(Code::pgn_nag_glyph, at, after);
      return;
    }
    SanToken move = read_san(token);
    bool unreadable = is_unreadable(move);
    if (unreadable && token.size() > 2 && is_prose_mark(token.back())) {
      move = read_san(token.substr(0, token.size() - 1));
      unreadable = is_unreadable(move);
      if (!unreadable && judged_) report_text(Code::san_punctuation, at, after, next_ply());
    }
    if (unreadable && !is_letter(token.front()) && lead != '-' && lead != '@') {
      if (judged_) report_text(Code::pgn_unexpected_token, at, after);
      return;
    }
    push_odd_move(move, at, after);
  }

  // ---- faults of the frame as a whole ----

  // NUL bytes, bytes that are not UTF-8 and the length limit: put where they belong among the
  // games' problems.
  void frame_faults(const Frame& frame, std::uint32_t frame_end, std::size_t first_game) {
    const std::size_t before = batch_.problems.size();
    const std::string_view text = slab_.view(frame.begin, frame_end);
    problem_count_ = 0;
    if (has_nul_) {
      for (std::size_t at = text.find('\0'); at != std::string_view::npos;) {
        const std::size_t stop = std::min(text.find_first_not_of('\0', at), text.size());
        report(Severity::error, Code::pgn_nul_byte, frame.begin + static_cast<std::uint32_t>(at),
               stop - at == 1 ? "a NUL byte" : std::to_string(stop - at) + " NUL bytes");
        at = text.find('\0', stop);
      }
    }
    for (const ElidedNul& nul : slab_.elided_nuls) {
      if (nul.at <= frame.begin || nul.at > frame_end) continue;
      report(Severity::error, Code::pgn_nul_byte, nul.at - 1,
             "a NUL byte in text left out, at byte " + std::to_string(nul.offset) + ", line " +
                 std::to_string(nul.line));
    }
    if (frame.begin == 0 && slab_.byte_order_mark) {
      report(Severity::warning, Code::pgn_encoding, 0, "a byte order mark before the first game");
    }
    const bool elided =
        std::any_of(slab_.elisions.begin(), slab_.elisions.end(),
                    [&](const Elision& e) { return e.at > frame.begin && e.at <= frame_end; });
    if (!plain_ascii_ && !elided && !valid_utf8(text)) {
      std::size_t at = 0;
      for (;;) {
        at += ascii_prefix(text.substr(at));
        const std::size_t n = utf8_sequence(text.substr(at));
        if (n == 0) break;
        at += n;
      }
      report(Severity::warning, Code::pgn_encoding, frame.begin + static_cast<std::uint32_t>(at),
             "not UTF-8 from here on, probably ISO 8859-1");
    }
    if (frame.too_long) {
      report(Severity::error, Code::pgn_game_too_long, frame_end - 1,
             "the text of this game passes the limit: the rest of it was skipped");
    }
    for (std::size_t i = before; i < batch_.problems.size(); ++i) {
      TextProblem& problem = batch_.problems[i];
      std::size_t game = batch_.games.size();
      while (game > first_game + 1 && batch_.games[game - 1].text.begin > problem.at) --game;
      problem.game = static_cast<std::uint32_t>(game > first_game ? game - 1 : game);
    }
  }

  const Slab& slab_;
  const LexerOptions& options_;
  GameBatch& batch_;
  TagSection tags_;
  const char* text_;
  const char* p_ = nullptr;
  const char* end_ = nullptr;
  bool has_nul_ = false;
  bool plain_ascii_ = true;

  GameRecord game_;
  std::uint32_t main_begin_ = 0;
  std::uint32_t start_index_ = 0;
  bool in_game_ = false;
  bool after_game_ = false;        // a game of this frame has ended
  bool garbage_reported_ = false;  // stray text since then has been reported
  bool number_reported_ = false;
  bool judged_ = true;
  std::uint32_t problem_count_ = 0;  // in this game's text
  std::vector<OpenLine> lines_;
  std::vector<Variation> variations_;
  std::vector<SanToken> variation_tokens_;
  std::vector<std::uint32_t> variation_at_, variation_segment_, cursors_;
};

}  // namespace

void lex_slab(const Slab& slab, const LexerOptions& options, GameBatch& batch) {
  SlabLexer(slab, options, batch).run();
}

}  // namespace cuarbiter
