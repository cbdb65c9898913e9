#include "host/pgn/export_writer.hpp"

#include <algorithm>
#include <charconv>

#include "host/notation/san_text.hpp"
#include "host/pgn/annotation_words.hpp"
#include "host/pgn/markers.hpp"
#include "host/pgn/movetext.hpp"
#include "host/pgn/san_lexer.hpp"
#include "host/report/utf8.hpp"

namespace cuarbiter {
namespace {

bool is_space(char c) {
  return is_char(c, kCharSpace);
}
bool is_line_end(char c) {
  return is_char(c, kCharLineEnd);
}
bool is_digit(char c) {
  return is_char(c, kCharDigit);
}
bool is_glyph(char c) {
  return c == '!' || c == '?';
}

std::string_view between(const char* from, const char* to) {
  return {from, static_cast<std::size_t>(to - from)};
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// A token as the lexer reads it: the move, and where its text and the glyphs behind it end.
struct ReadMove {
  SanToken token;
  std::size_t length = 0;  // without glyphs and marks of prose
  std::size_t glyphs = 0;
};

ReadMove read_move(std::string_view text) {
  const auto is_unreadable = [](SanToken t) {
    return t == SanToken::special(SanToken::kUnreadable);
  };
  unsigned glyphs = 0;
  ReadMove move{read_san(text, &glyphs), text.size(), 0};
  if (is_unreadable(move.token) && text.size() > 2 && is_prose_mark(text.back())) {
    move.token = read_san(text.substr(0, text.size() - 1), &glyphs);
    if (!is_unreadable(move.token)) --move.length;
  }
  if (is_unreadable(move.token)) return ReadMove{move.token, text.size(), 0};
  move.length -= glyphs;
  move.glyphs = glyphs;
  return move;
}

// True when a word that does not end its game could be read as if it did, with blanks around it.
bool seems_to_end(std::string_view word) {
  for (; !word.empty(); word.remove_prefix(1)) {
    if (read_marker(word).result != GameResult::none) return true;
  }
  return false;
}

}  // namespace

ExportWriter::ExportWriter(const Slab& slab, const GameBatch& batch, const ExportOptions& options)
    : slab_(slab), batch_(batch), options_(options), filler_(body_) {}

void ExportWriter::begin_game(std::uint32_t index) {
  game_ = &batch_.games[index];
  replayed_ = game_->replay != kNotReplayed;
  last_move_raw_ = true;
  line_.reset();
  tags_.clear();
  body_.clear();
  escapes_.clear();
  depth_ = 0;
  lines_.assign(1, OpenLine{});
  if (!replayed_) return;
  const ReplayGame& entry = batch_.replay.games[game_->replay];
  const ReplaySegment& main = batch_.replay.segments[entry.segment_begin];
  lines_[0] = OpenLine{entry.segment_begin, main.token_begin, main.token_begin + main.token_count,
                       main.ply, true};
  next_segment_ = entry.segment_begin + 1;
}

void ExportWriter::write_game(std::string& out, std::uint32_t index) {
  begin_game(index);
  const auto behind = std::upper_bound(
      slab_.frames.begin(), slab_.frames.end(), game_->text.begin,
      [](std::uint32_t position, const Frame& frame) { return position < frame.begin; });
  const auto frame = static_cast<std::size_t>(behind - slab_.frames.begin()) - 1;
  const std::uint32_t frame_begin = slab_.frames[frame].begin;
  const std::uint32_t frame_end = slab_.frame_end(frame);
  end_ = at(frame_end);
  if (index == 0 || batch_.games[index - 1].text.begin < frame_begin) {
    outside(at(frame_begin), at(game_->text.begin));
  }
  const char* p = at(game_->text.begin);
  if (at_tag_pair(p, end_)) p = read_tags(p);
  movetext(p, at(game_->marker_at));

  // What stands behind it in the frame: its comments are this game's.
  std::string before = std::move(escapes_);
  escapes_.clear();
  std::uint32_t next = frame_end;
  if (index + 1 < batch_.games.size()) {
    next = std::min(next, batch_.games[index + 1].text.begin);
  }
  outside(at(std::min(game_->text.end, next)), at(next));

  TagFacts facts;
  if (replayed_) {
    facts.verdict = &batch_.replay.game_verdicts[game_->replay];
    facts.start = &batch_.replay.starts[batch_.replay.games[game_->replay].start];
    facts.fullmove_number = game_->fullmove_number;
  }
  facts.result = options_.fix ? right_result(*game_, facts.verdict) : result_as_stated(*game_);
  if (options_.fix) tags_.repair(facts);
  tags_.arrange(facts.result);
  filler_.put(game_result_text(facts.result.marker));
  filler_.finish();

  out += before;
  tags_.write(out);
  out += '\n';
  out += body_;
  out += '\n';
  out += escapes_;
}

// ---- text around the movetext ----

// The tag pairs and what may stand between them, as the lexer reads them; returns what follows.
const char* ExportWriter::read_tags(const char* p) {
  for (;;) {
    while (p != end_ && is_space(*p)) ++p;
    if (p == end_) return p;
    if (at_byte_order_mark(p, end_)) {
      p += 3;
    } else if (*p == ';') {
      const char* stop = line_end_at(p, end_);
      put_comment(between(p + 1, stop), true);
      p = stop;
    } else if (*p == '%' && (p == at(0) || is_line_end(p[-1]))) {
      const char* stop = line_end_at(p, end_);
      escape_line(between(p, stop));
      p = stop;
    } else if (at_tag_pair(p, end_)) {
      const TagPair tag = read_tag_pair(p, end_);
      tags_.add(tag);
      if (tag.fault == TagFault::syntax) {
        // What stands behind the value is in no tag.
        const char* rest = tag.value.data() + tag.value.size();
        const bool more = std::any_of(rest, tag.next,
                                      [](char c) { return !is_space(c) && c != '"' && c != ']'; });
        if (more) escape_line(between(p, tag.next));
      }
      p = tag.next;
    } else {
      return p;
    }
  }
}

// Text outside of games: comments go into the game, the rest into escape lines.
void ExportWriter::outside(const char* p, const char* end) {
  while (p != end) {
    if (is_space(*p)) {
      ++p;
    } else if (at_byte_order_mark(p, end)) {
      p += 3;
    } else if (*p == '{') {
      const BraceComment found = brace_comment_at(p, end, false);
      put_comment(between(p + 1, found.closed ? found.next - 1 : found.next), !found.closed);
      p = found.next;
    } else if (*p == ';') {
      const char* stop = line_end_at(p, end);
      put_comment(between(p + 1, stop), true);
      p = stop;
    } else {
      const bool escape = *p == '%' && (p == at(0) || is_line_end(p[-1]));
      const char* stop = line_end_at(p, end);
      if (!escape) stop = std::find_if(p, stop, [](char c) { return c == '{' || c == ';'; });
      escape_line(between(p, stop));
      p = stop;
    }
  }
}

void ExportWriter::escape_line(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return;
  scratch_.clear();
  if (text.front() != '%') scratch_.append("% ");
  scratch_.append(text);
  // A lone brace could seem to close a comment that stands before it.
  std::replace(scratch_.begin(), scratch_.end(), '}', ')');
  std::replace(scratch_.begin(), scratch_.end(), '\0', ' ');
  if (options_.fix) repair_encoding(scratch_);
  escapes_ += scratch_;
  escapes_ += '\n';
}

void ExportWriter::write_loose_frame(std::string& out, std::size_t frame) {
  escapes_.clear();
  const char* p = at(slab_.frames[frame].begin);
  const char* end = at(slab_.frame_end(frame));
  if (at_byte_order_mark(p, end)) p += 3;
  while (p != end) {
    const char* stop = line_end_at(p, end);
    escape_line(between(p, stop));
    p = stop == end ? stop : stop + 1;
  }
  out += escapes_;
}

// ---- movetext ----

// Writes [p, stop). The lexer has told where the moves are; all else is read as it reads it.
void ExportWriter::movetext(const char* p, const char* stop) {
  stop_ = stop;
  while (p < stop) {
    const char c = *p;
    if (is_space(c)) {
      ++p;
      if (is_line_end(c) && p != end_ && *p == '%') {
        const char* line = line_end_at(p, end_);
        escape_line(between(p, line));
        p = line;
      }
      continue;
    }
    const OpenLine& line = lines_.back();
    if (replayed_ && line.next != line.end &&
        batch_.token_at[line.next] == static_cast<std::uint32_t>(p - at(0))) {
      p = move(p);
    } else {
      p = other_text(p);
    }
  }
  while (depth_ != 0) close_variation();
}

const char* ExportWriter::other_text(const char* p) {
  switch (*p) {
    case '{':
      return comment(p);
    case ';': {
      const char* stop = line_end_at(p, end_);
      put_comment(between(p + 1, stop), true);
      return stop;
    }
    case '!':
    case '?': {
      const char* stop = std::find_if_not(p, end_, is_glyph);
      return glyphs(p, stop);
    }
    case '$':
      return nag(p);
    case '%':
      if (p == at(0) || is_line_end(p[-1])) {
        const char* stop = line_end_at(p, end_);
        escape_line(between(p, stop));
        return stop;
      }
      break;
    case '*':
      put_comment("*", true);
      return p + 1;
    case '(':
      open_variation();
      return p + 1;
    case ')':
      if (depth_ != 0) {
        close_variation();
      } else {
        put_comment(")", true);
      }
      return p + 1;
    case '.':
      if (!replayed_) break;
      return p + 1;
    case '<':
    case '[': {
      const char close = *p == '<' ? '>' : ']';
      const char* stop = line_end_at(p, end_);
      const char* found = std::find(p, stop, close);
      const char* after = found != stop ? found + 1 : *p == '<' ? p + 1 : stop;
      if (!replayed_ && *p == '<' && after == p + 2) {
        filler_.put("<>");
      } else {
        put_comment(between(p, after), true);
      }
      return after;
    }
    default:
      break;
  }
  if (!replayed_) return raw_word(p);
  return is_digit(*p) ? number(p) : word(p);
}

const char* ExportWriter::comment(const char* p) {
  const BraceComment found = brace_comment_at(p, end_, true);
  put_comment(between(p + 1, found.closed ? found.next - 1 : found.next),
              found.nested || !found.closed);
  return found.next;
}

// Digits that begin no move: a number, or text that is none of ours.
const char* ExportWriter::number(const char* p) {
  const char* q = std::find_if_not(p, end_, is_digit);
  const bool zeros = q - p >= 2 && std::all_of(p, q, [](char c) { return c == '0'; });
  if ((q == end_ || *q == '.' || is_space(*q)) && !(zeros && (q == end_ || *q != '.'))) {
    return std::find_if_not(q, end_, [](char c) { return c == '.'; });
  }
  const Marker marker = read_marker(between(p, end_).substr(0, 16));
  const char* after = p + marker.length;
  if (marker.result == GameResult::none) {
    if (*q != '-' && *q != '/' && *q != ':' && *p != '0') return q;
    after = token_end_at(p, end_);
  }
  put_comment(between(p, after), true);
  return after;
}

const char* ExportWriter::word(const char* p) {
  const Marker marker = read_marker(between(p, end_).substr(0, 16));
  const char* after = marker.result != GameResult::none ? p + marker.length : token_end_at(p, end_);
  const std::string_view token = between(p, after);
  // The move that these belong to says it already.
  const bool said = is_en_passant_mark(token) || is_loose_suffix(token);
  if (const unsigned sign = nag_of_sign(token)) {
    put_nag(sign);
  } else if (!said || last_move_raw_) {
    put_comment(token, true);
  }
  return after;
}

// A word of a game that was not replayed.
const char* ExportWriter::raw_word(const char* p) {
  const char* after = std::min(token_end_at(p, end_), stop_);
  const std::string_view token = between(p, after);
  const bool escape = *p == '%' && filler_.empty();
  const bool bracket = *p == '}' || *p == ']' || *p == '>';
  if (escape || bracket || seems_to_end(token)) {
    put_comment(token, true);
  } else {
    filler_.put(token);
  }
  return after;
}

void ExportWriter::open_variation() {
  filler_.open();
  ++depth_;
  if (!replayed_) return;
  const std::uint32_t s = next_segment_++;
  const ReplaySegment& segment = batch_.replay.segments[s];
  lines_.push_back(OpenLine{s, segment.token_begin, segment.token_begin + segment.token_count,
                            segment.ply, true});
}

void ExportWriter::close_variation() {
  const bool written = filler_.close();
  --depth_;
  if (replayed_) lines_.pop_back();
  lines_.back().number_wanted = lines_.back().number_wanted || written;
}

// ---- annotations ----

void ExportWriter::put_nag(unsigned nag) {
  char text[12] = "$";
  filler_.put(between(text, std::to_chars(text + 1, text + sizeof text, nag).ptr));
}

const char* ExportWriter::nag(const char* p) {
  const char* q = std::find_if_not(p + 1, end_, is_digit);
  if (q == p + 1) {
    put_comment("$", true);
    return q;
  }
  const char* digits = std::find_if_not(p + 1, q - 1, [](char c) { return c == '0'; });
  scratch_.assign(1, '$').append(digits, q);
  filler_.put(scratch_);
  return q;
}

// Two at a time, then one.
const char* ExportWriter::glyphs(const char* p, const char* end) {
  static constexpr struct {
    std::string_view glyph;
    unsigned nag;
  } kGlyphs[] = {{"!!", 3}, {"??", 4}, {"!?", 5}, {"?!", 6}, {"!", 1}, {"?", 2}};
  while (p != end) {
    for (const auto& g : kGlyphs) {
      if (between(p, end).substr(0, g.glyph.size()) != g.glyph) continue;
      put_nag(g.nag);
      p += g.glyph.size();
      break;
    }
  }
  return end;
}

void ExportWriter::put_comment(std::string_view text, bool made) {
  scratch_.assign(1, '{').append(made ? trimmed(text) : text);
  if (made) {
    std::replace(scratch_.begin() + 1, scratch_.end(), '{', '(');
    std::replace(scratch_.begin() + 1, scratch_.end(), '}', ')');
  }
  scratch_ += '}';
  if (options_.fix) repair_encoding(scratch_);
  put_words(scratch_);
  lines_.back().number_wanted = true;
}

// The words of a comment. A short command such as [%clk 0:01:00] is one word.
void ExportWriter::put_words(std::string_view text) {
  constexpr std::size_t kLongestCommand = LineFiller::kWidth - 4;
  const char* p = text.data();
  const char* end = p + text.size();
  for (;;) {
    while (p != end && is_space(*p)) ++p;
    if (p == end) return;
    const char* stop = std::find_if(p, end, is_space);
    std::string_view unit = between(p, stop);
    if (unit.starts_with("[%") || unit.starts_with("{[%")) {
      unit_.assign(unit);
      const char* q = stop;
      while (unit_.find(']') == std::string::npos && q != end && unit_.size() < kLongestCommand) {
        while (q != end && is_space(*q)) ++q;
        const char* next = std::find_if(q, end, is_space);
        if (q != next) (unit_ += ' ').append(q, next);
        q = next;
      }
      if (unit_.find(']') != std::string::npos && unit_.size() <= kLongestCommand) {
        unit = unit_;
        stop = q;
      }
    }
    filler_.put(unit);
    p = stop;
  }
}

// ---- moves ----

// The number in front of the next move of a line: Black's only where something came between.
void ExportWriter::put_number(OpenLine& line) {
  const std::uint32_t half_moves = line.ply + (game_->black_first ? 1 : 0);
  const bool black = (half_moves & 1) != 0;
  if (!black || line.number_wanted) {
    const std::uint64_t number = std::uint64_t{game_->fullmove_number} + half_moves / 2;
    char text[28];
    char* end = std::to_chars(text, text + 20, number).ptr;
    *end++ = '.';
    if (black) {
      *end++ = '.';
      *end++ = '.';
    }
    filler_.put(between(text, end));
  }
  line.number_wanted = false;
  ++line.ply;
}

const char* ExportWriter::move(const char* p) {
  OpenLine& line = lines_.back();
  const std::uint32_t token = line.next++;
  const std::uint32_t in_line = token - batch_.replay.segments[line.segment].token_begin;
  const bool judged = in_line < batch_.replay.plies_judged[line.segment];
  put_number(line);
  SanToken read;
  const char* after = lex_canonical_san(p, read);
  if (after && judged && batch_.replay.verdicts[token] == kVerdictOk) {
    // The replay has found nothing to say of it: it is spelled as it must be.
    filler_.put(between(p, after));
    last_move_raw_ = false;
    return after;
  }
  return odd_move(p, token, judged);
}

const char* ExportWriter::odd_move(const char* p, std::uint32_t token, bool judged) {
  SanToken read;
  const char* after = lex_canonical_san(p, read);
  std::size_t glyph_count = 0;
  const char* stop = after;
  if (!after) {
    after = *p == '<' && p + 1 != end_ && p[1] == '>' ? p + 2 : token_end_at(p, end_);
    const ReadMove found = read_move(between(p, after));
    stop = p + found.length;
    glyph_count = found.glyphs;
  }
  const unsigned outcome = judged ? batch_.replay.verdicts[token] & kVerdictOutcomeMask : 0u;
  last_move_raw_ = true;
  scratch_.clear();
  if (judged && outcome == kVerdictNullInLine) {
    scratch_.assign(2, '-');
  } else if (judged && outcome == kVerdictOk) {
    if (!line_) line_ = std::make_unique<GameLine>(batch_, *game_);
    if (const LinePoint* point = line_->before(token)) {
      const Match m = match_san(point->position, batch_.replay.tokens[token], point->black);
      if (m.status == MatchStatus::ok) append_san(scratch_, point->position, m.move, point->black);
    }
  }
  if (!scratch_.empty()) {
    last_move_raw_ = false;
  } else {
    // As it is written, marks of prose included.
    scratch_.assign(p, glyph_count ? stop : after);
  }
  filler_.put(scratch_);
  glyphs(stop, stop + glyph_count);
  return after;
}

}  // namespace cuarbiter
