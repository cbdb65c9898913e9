#include "cli/validate_part.hpp"

#include "cli/validate_report.hpp"

namespace cuarbiter {
namespace {

struct NamedTotal {
  const char* name;
  std::uint64_t ValidateTotals::*value;
};
constexpr NamedTotal kTotals[] = {
    {"files", &ValidateTotals::files},
    {"games", &ValidateTotals::games},
    {"plies", &ValidateTotals::plies},
    {"bytes", &ValidateTotals::bytes},
    {"games_with_errors", &ValidateTotals::games_with_errors},
    {"errors", &ValidateTotals::errors},
    {"warnings", &ValidateTotals::warnings},
    {"written", &ValidateTotals::written},
};

struct NamedKinds {
  const char* name;
  NameCounts GameKinds::*counts;
};
constexpr NamedKinds kKinds[] = {
    {"results", &GameKinds::results},
    {"ends", &GameKinds::ends},
    {"draws", &GameKinds::draws},
};

// Text of games in one record. Escaped it may take six times as much, which is still far below what
// a line of a run file may be.
constexpr std::size_t kMostGamesText = std::size_t{1} << 20;

void append_place(JsonObject& object, std::string_view name, const TextPlace& place) {
  object.open_array(name).integer_item(place.coded).integer_item(place.text).close_array();
}

}  // namespace

void append_totals(JsonObject& object, std::string_view name, const ValidateTotals& totals) {
  object.open_object(name);
  for (const NamedTotal& total : kTotals) object.integer(total.name, totals.*total.value);
  object.boolean("stopped", totals.stopped).open_object("codes");
  for (std::size_t i = 0; i < totals.codes.size(); ++i) {
    if (totals.codes[i]) object.integer(code_name(static_cast<Code>(i)), totals.codes[i]);
  }
  object.close_object().close_object();
}

std::optional<ValidateTotals> read_totals(const JsonValue& record, std::string_view name) {
  const JsonValue* const read = record.find(name);
  const JsonValue* const codes = read ? read->find("codes") : nullptr;
  if (codes == nullptr) return std::nullopt;
  ValidateTotals totals;
  for (const NamedTotal& total : kTotals) {
    const auto value = read->integer(total.name);
    if (!value) return std::nullopt;
    totals.*total.value = *value;
  }
  const JsonValue* const stopped = read->find("stopped");
  totals.stopped = stopped != nullptr && stopped->boolean();
  for (const auto& [code_text, count] : codes->members()) {
    const auto code = find_code(code_text);
    const auto value = count.integer();
    if (!code || !value) return std::nullopt;
    totals.codes[static_cast<std::size_t>(*code)] = *value;
  }
  return totals;
}

void append_part_games(std::string& out, std::string_view text) {
  while (!text.empty()) {
    std::size_t size = text.size();
    if (size > kMostGamesText) {
      // Between two lines: characters of several bytes are not torn apart.
      const std::size_t line_end = text.rfind('\n', kMostGamesText - 1);
      size = line_end == std::string_view::npos ? kMostGamesText : line_end + 1;
    }
    JsonObject(out).string("type", "games").string("text", text.substr(0, size)).end_line();
    text.remove_prefix(size);
  }
}

void append_kinds(JsonObject& object, std::string_view name, const GameKinds& kinds) {
  object.open_object(name);
  for (const NamedKinds& kind : kKinds) {
    object.open_object(kind.name);
    for (const NameCounts::Count& count : (kinds.*kind.counts).counts()) {
      object.integer(count.name, count.count);
    }
    object.close_object();
  }
  object.close_object();
}

std::optional<GameKinds> read_kinds(const JsonValue& record, std::string_view name) {
  const JsonValue* const read = record.find(name);
  if (read == nullptr) return std::nullopt;
  GameKinds kinds;
  for (const NamedKinds& kind : kKinds) {
    const JsonValue* const counts = read->find(kind.name);
    if (counts == nullptr || !counts->is_object()) return std::nullopt;
    for (const auto& [counted, count] : counts->members()) {
      const auto value = count.integer();
      if (!value) return std::nullopt;
      (kinds.*kind.counts).add(counted, *value);
    }
  }
  return kinds;
}

void PartRecords::add(ValidateJob& job) {
  std::string out;
  open_up_to(out, job.piece);
  state_.totals.add(job.totals);
  if (for_report_) {
    state_.kinds.add(job.kinds);
    keep_first_players(job.data);
  }
  if (job.fault.empty()) state_.lines = job.next_line - 1;
  state_.ends_file = job.ends_piece;
  job.data.insert(0, out);
  if (job.fault.empty()) return;
  JsonObject object(job.data);
  object.string("type", "fault").integer("file", pieces_[job.piece].number);
  if (job.decode_fault) {
    object.string("reason", job.decode_fault->reason())
        .integer("coded_offset", job.decode_fault->coded_offset())
        .integer("text_bytes", job.decode_fault->text_bytes());
  } else {
    object.string("message", job.fault);
  }
  object.end_line();
}

std::string PartRecords::rest() {
  std::string out;
  if (!pieces_.empty()) open_up_to(out, pieces_.size() - 1);
  end(out);
  return out;
}

// What the page cannot show is left out.
void PartRecords::keep_first_players(std::string& data) {
  constexpr std::string_view kPlayers = "\n{\"type\":\"players\",";
  std::string kept;
  std::size_t from = 0, at = 0;
  while ((at = data.find(kPlayers, at)) != std::string::npos) {
    if (state_.players < kMostPositions) {
      ++state_.players;
      ++at;
      continue;
    }
    kept.append(data, from, at - from);
    from = at = data.find('\n', at + 1);
  }
  if (from == 0) return;
  kept.append(data, from);
  data = std::move(kept);
}

void PartRecords::open_up_to(std::string& out, std::size_t piece) {
  while (state_.opened <= piece) {
    end(out);
    const FilePiece& next = pieces_[state_.opened++];
    JsonObject object(out);
    object.string("type", "piece").integer("file", next.number).string("name", next.path);
    append_place(object, "from", next.range.begin);
    if (next.range.end) {
      append_place(object, "to", *next.range.end);
    } else {
      object.null("to");
    }
    object.end_line();
    state_.ended = false;
    state_.lines = 0;
    state_.ends_file = false;
    state_.totals = ValidateTotals{};
    state_.kinds.clear();
    state_.players = 0;
  }
}

void PartRecords::end(std::string& out) {
  if (state_.ended) return;
  JsonObject object(out);
  object.string("type", "piece_end")
      .integer("file", pieces_[state_.opened - 1].number)
      .integer("lines", state_.lines)
      .boolean("ends_file", state_.ends_file);
  append_totals(object, "totals", state_.totals);
  if (for_report_) append_kinds(object, "kinds", state_.kinds);
  object.end_line();
  state_.ended = true;
}

}  // namespace cuarbiter
