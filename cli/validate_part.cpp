#include "cli/validate_part.hpp"

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

void PartRecords::add(ValidateJob& job) {
  std::string out;
  open_up_to(out, job.piece);
  state_.totals.add(job.totals);
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
  object.end_line();
  state_.ended = true;
}

}  // namespace cuarbiter
