#include "host/pgn/tag_section.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "host/notation/fen.hpp"
#include "host/pgn/markers.hpp"

namespace cuarbiter {
namespace {

constexpr std::string_view kRoster[] = {"Event", "Site",  "Date",  "Round",
                                        "White", "Black", "Result"};
constexpr std::size_t kManyTags = 256;  // duplicates are looked for among so many

enum class Variant { standard, chess960, unsupported };

Variant read_variant(std::string_view value) {
  std::string word;
  for (const char c : value) {
    if (c >= 'A' && c <= 'Z') {
      word.push_back(static_cast<char>(c - 'A' + 'a'));
    } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      word.push_back(c);
    }
  }
  for (const std::string_view name :
       {"", "standard", "chess", "normal", "fromposition", "classical", "regular", "orthodox"}) {
    if (word == name) return Variant::standard;
  }
  for (const std::string_view name :
       {"chess960", "960", "fischerandom", "fischerrandom", "fischerandomchess",
        "fischerrandomchess", "frc", "chess9lx", "chess960frc", "fischerrandomchess960"}) {
    if (word == name) return Variant::chess960;
  }
  return Variant::unsupported;
}

// Text from a tag for a message: in quotes, cut short.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 60;
  return '"' + std::string(text.substr(0, kMost)) + (text.size() > kMost ? "...\"" : "\"");
}

// Equality with a name of known length, which needs no call.
template <std::size_t N>
bool is(std::string_view name, const char (&known)[N]) {
  return name.size() == N - 1 && std::memcmp(name.data(), known, N - 1) == 0;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// YYYY.MM.DD with question marks for what is not known (PGN standard 8.1.1.3).
bool good_date(std::string_view value) {
  if (value == "?") return true;
  if (value.size() != 10 || value[4] != '.' || value[7] != '.') return false;
  for (const std::size_t i : {0, 1, 2, 3, 5, 6, 8, 9}) {
    if (!is_digit(value[i]) && value[i] != '?') return false;
  }
  if (is_digit(value[5]) && is_digit(value[6])) {
    const int month = (value[5] - '0') * 10 + value[6] - '0';
    if (month < 1 || month > 12) return false;
  }
  if (is_digit(value[8]) && is_digit(value[9])) {
    const int day = (value[8] - '0') * 10 + value[9] - '0';
    if (day < 1 || day > 31) return false;
  }
  return true;
}

}  // namespace

void TagSection::clear() {
  names_.clear();
  name_marks_ = 0;
  faulty_ = false;
  roster_ = 0;
  for (Value* v : {&result_, &fen_, &setup_, &variant_, &termination_, &termination_details_,
                   &ply_count_, &date_, &white_, &black_}) {
    *v = Value{};
  }
}

std::string_view TagSection::text(const Value& value) const {
  return slab_.view(value.span.begin, value.span.end);
}

void TagSection::take(Value& value, const TagPair& tag, std::uint32_t at) {
  if (value.there) return;  // the first of several counts
  value.there = true;
  value.at = at;
  value.escaped = tag.escaped;
  value.span.begin = static_cast<std::uint32_t>(tag.value.data() - slab_.text.data());
  value.span.end = value.span.begin + static_cast<std::uint32_t>(tag.value.size());
}

// Most names are new, which their marks show.
bool TagSection::given_before(std::string_view name) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(name[i]); };
  const std::size_t n = name.size();
  const std::uint64_t hash = (n * 29 + byte(0) * 17u + byte(n - 1) * 5u + byte(n / 2)) & 63;
  const std::uint64_t mark = std::uint64_t{1} << hash;
  const bool seen = (name_marks_ & mark) != 0;
  name_marks_ |= mark;
  return seen && std::find(names_.begin(), names_.end(), name) != names_.end();
}

void TagSection::add(const TagPair& tag, std::uint32_t at, TextProblems& problems) {
  if (tag.fault != TagFault::none) {
    const bool open = tag.fault == TagFault::unterminated;
    problems.add(
        open ? Code::pgn_unterminated_tag : Code::pgn_tag_syntax, at,
        "tag pair " + shown(tag.name) +
            (open ? " does not close on its line" : " is not of the form [Name \"value\"]"));
    faulty_ = true;
  }
  if (tag.bad_escape) {
    problems.add(Code::pgn_tag_value, at,
                 "tag " + shown(tag.name) +
                     ": a backslash stands before something other than a quote or a backslash");
  }
  if (tag.name.empty()) return;
  if (names_.size() < kManyTags) {
    if (given_before(tag.name)) {
      problems.add(Code::pgn_tag_duplicate, at,
                   "tag " + shown(tag.name) + " has been given before");
    } else {
      names_.push_back(tag.name);
    }
  }
  const std::string_view name = tag.name;
  switch (name.front()) {
    case 'E':
      if (is(name, "Event")) roster_ |= 1;
      break;
    case 'S':
      if (is(name, "Site")) roster_ |= 2;
      if (is(name, "SetUp") || is(name, "Setup")) take(setup_, tag, at);
      break;
    case 'D':
      if (is(name, "Date")) {
        roster_ |= 4;
        take(date_, tag, at);
      }
      break;
    case 'R':
      if (is(name, "Round")) roster_ |= 8;
      if (is(name, "Result")) {
        roster_ |= 64;
        take(result_, tag, at);
      }
      break;
    case 'W':
      if (is(name, "White")) {
        roster_ |= 16;
        take(white_, tag, at);
      }
      break;
    case 'B':
      if (is(name, "Black")) {
        roster_ |= 32;
        take(black_, tag, at);
      }
      break;
    case 'F':
      if (is(name, "FEN") || is(name, "Fen")) take(fen_, tag, at);
      break;
    case 'V':
      if (is(name, "Variant")) take(variant_, tag, at);
      break;
    case 'T':
      if (is(name, "Termination")) take(termination_, tag, at);
      if (is(name, "TerminationDetails")) take(termination_details_, tag, at);
      break;
    case 'P':
      if (is(name, "PlyCount")) take(ply_count_, tag, at);
      break;
    default:
      break;
  }
}

void TagSection::check_roster(std::uint32_t at, TextProblems& problems) const {
  if (roster_ == 127) return;
  std::string missing;
  for (std::size_t i = 0; i < 7; ++i) {
    if (roster_ & (1u << i)) continue;
    missing += missing.empty() ? "" : ", ";
    missing += kRoster[i];
  }
  problems.add(Code::pgn_tag_missing, at, "of the seven tag roster these are missing: " + missing);
}

void TagSection::read_start(bool chess960, GameRecord& game, TextProblems& problems,
                            ReplayStart& start) {
  if (setup_.there && text(setup_) != "0" && text(setup_) != "1") {
    problems.add(Code::pgn_setup_tag, setup_.at, "SetUp is neither \"0\" nor \"1\"");
  }
  if (!fen_.there) {
    if (setup_.there && text(setup_) == "1") {
      problems.add(Code::pgn_setup_tag, setup_.at,
                   "SetUp is \"1\" but there is no FEN tag: the usual start position is taken");
    }
    return;
  }
  if (!setup_.there) {
    problems.add(Code::pgn_setup_tag, fen_.at, "a FEN tag without SetUp \"1\"");
  } else if (text(setup_) == "0") {
    problems.add(Code::pgn_setup_tag, setup_.at, "SetUp is \"0\" but there is a FEN tag");
  }
  const std::string value = fen_.escaped ? unescape_tag_value(text(fen_)) : std::string(text(fen_));
  FenOptions options;
  options.chess960 = chess960;
  const FenResult fen = read_fen(value, options);
  for (const FenDefect& defect : fen.defects) {
    const std::optional<Code> code = find_code(fen_fault_code(defect.fault));
    problems.add(code.value_or(Code::fen_syntax), fen_.at, "FEN tag: " + defect.message);
  }
  game.bad_start = !fen.computable;
  if (!fen.computable) return;
  game.black_first = fen.black();
  game.fullmove_number = fen.fullmove_number;
  start.position = fen.position;
  start.halfmove_clock = fen.halfmove_clock;
  start.black = fen.black() ? 1 : 0;
}

void TagSection::finish(std::uint32_t at, bool chess960, GameRecord& game, TextProblems& problems,
                        ReplayStart& start) {
  check_roster(at, problems);
  game.termination = termination_.span;
  game.termination_details = termination_details_.span;
  game.ply_count = ply_count_.span;
  game.white = white_.span;
  game.black = black_.span;
  if (result_.there) {
    const Marker m = read_result_value(text(result_));
    game.result_tag = m.result;
    game.result_text = result_.span;
    game.result_at = result_.at;
    if (!m.standard) {
      problems.add(Code::pgn_tag_value, result_.at,
                   "Result " + shown(text(result_)) + " is none of 1-0, 0-1, 1/2-1/2 and *");
    }
  }
  if (date_.there && !good_date(text(date_))) {
    problems.add(Code::pgn_tag_value, date_.at,
                 "Date " + shown(text(date_)) + " is not of the form YYYY.MM.DD");
  }
  if (variant_.there) {
    switch (read_variant(text(variant_))) {
      case Variant::standard:
        chess960 = false;
        break;
      case Variant::chess960:
        chess960 = true;
        break;
      case Variant::unsupported:
        game.skipped_variant = true;
        problems.add(Code::pgn_variant_unsupported, variant_.at,
                     "variant " + shown(text(variant_)) + " is not known: game skipped");
        return;
    }
  }
  read_start(chess960, game, problems, start);
}

}  // namespace cuarbiter
