#include "host/pgn/export_tags.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "host/notation/fen.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kRosterSize = 7;
constexpr std::string_view kRoster[kRosterSize] = {"Event", "Site",  "Date",  "Round",
                                                   "White", "Black", "Result"};

std::size_t roster_rank(std::string_view name) {
  return static_cast<std::size_t>(std::find(kRoster, kRoster + kRosterSize, name) - kRoster);
}

bool says_nothing(std::string_view value) {
  return value.find_first_not_of(" ?-.") == std::string_view::npos;
}

// The normal form of a FEN tag with defects that are warnings only, when both ways of reading its
// castling letters give the same start as the tag did; empty otherwise.
std::string normal_fen(const std::string& value, const TagFacts& facts) {
  const FenResult read = read_fen(value);
  if (read.defects.empty() || !read.valid()) return {};
  const Color side = facts.start->black ? Color::black : Color::white;
  std::string fen =
      write_fen(facts.start->position, side, facts.start->halfmove_clock, facts.fullmove_number);
  for (const bool chess960 : {false, true}) {
    FenOptions options;
    options.chess960 = chess960;
    const FenResult again = read_fen(fen, options);
    if (!again.defects.empty() || !same_position(again.position, facts.start->position)) return {};
  }
  return fen;
}

}  // namespace

ExportTags::Entry& ExportTags::append(std::string_view name, std::string_view value) {
  if (used_ == entries_.size()) entries_.emplace_back();
  Entry& entry = entries_[used_++];
  entry.name = name;
  entry.rank = roster_rank(name);
  entry.value = value;
  return entry;
}

ExportTags::Entry* ExportTags::find(std::string_view name) {
  for (std::size_t i = 0; i < used_; ++i) {
    if (entries_[i].name == name) return &entries_[i];
  }
  return nullptr;
}

void ExportTags::add(const TagPair& tag) {
  Entry& entry = append(tag.name, tag.value);
  if (tag.escaped) entry.value = unescape_tag_value(tag.value);
  std::replace(entry.value.begin(), entry.value.end(), '\0', ' ');
}

void ExportTags::repair_start(const TagFacts& facts) {
  if (!facts.start) return;
  // The same two spellings as are read.
  Entry* fen = nullptr;
  Entry* setup = nullptr;
  for (std::size_t i = 0; i < used_; ++i) {
    Entry& e = entries_[i];
    if (!fen && (e.name == "FEN" || e.name == "Fen")) fen = &e;
    if (!setup && (e.name == "SetUp" || e.name == "Setup")) setup = &e;
  }
  if (fen) {
    std::string normal = normal_fen(fen->value, facts);
    if (!normal.empty()) fen->value = std::move(normal);
    if (setup) {
      setup->value.assign(1, '1');
    } else {
      append("SetUp", "1");
    }
  } else if (setup && !facts.verdict->broken) {
    setup->value.assign(1, '0');
  }
}

void ExportTags::repair(const TagFacts& facts) {
  for (std::size_t i = 0; i < used_; ++i) repair_encoding(entries_[i].value);
  if (Entry* date = find("Date"); date && date->value != "?") repair_date(date->value);
  repair_start(facts);
  Entry* plies = find("PlyCount");
  if (plies && facts.verdict && !facts.verdict->broken && plies->value != "?") {
    plies->value = std::to_string(facts.verdict->plies);
  }
  Entry* result = find("Result");
  if (result && (facts.result.tag != GameResult::other || says_nothing(result->value))) {
    const bool kept = facts.result.tag == GameResult::other;
    result->value = game_result_text(kept ? facts.result.marker : facts.result.tag);
  }
  drop_repeated();
}

// Of equal pairs the first stays.
void ExportTags::drop_repeated() {
  const auto key = [&](std::uint32_t i) { return std::tie(entries_[i].name, entries_[i].value); };
  order_.resize(used_);
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t x, std::uint32_t y) {
    return key(x) != key(y) ? key(x) < key(y) : x < y;
  });
  std::vector<bool> repeated(used_);
  for (std::size_t i = 1; i < used_; ++i) {
    repeated[order_[i]] = key(order_[i]) == key(order_[i - 1]);
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < used_; ++i) {
    if (repeated[i]) continue;
    if (kept != i) std::swap(entries_[kept], entries_[i]);
    ++kept;
  }
  used_ = kept;
}

void ExportTags::arrange(const StatedResult& result) {
  for (const std::string_view name : kRoster) {
    if (find(name)) continue;
    append(name, name == "Date" ? "????.??.??" : "?");
  }
  if (result.tag != GameResult::other) find("Result")->value = game_result_text(result.tag);
  order_.resize(used_);
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t i, std::uint32_t j) {
    const Entry& x = entries_[i];
    const Entry& y = entries_[j];
    if (x.rank != y.rank) return x.rank < y.rank;
    const int by_name = x.rank == kRosterSize ? x.name.compare(y.name) : 0;
    return by_name != 0 ? by_name < 0 : i < j;
  });
}

void ExportTags::write(std::string& out) const {
  for (const std::uint32_t i : order_) {
    const Entry& entry = entries_[i];
    out += '[';
    out += entry.name;
    out += " \"";
    for (const char c : entry.value) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    out += "\"]\n";
  }
}

}  // namespace cuarbiter
