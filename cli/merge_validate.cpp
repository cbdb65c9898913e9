// Parts of validate put together: records pass with their numbers raised by what came before in
// their file.
#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

#include "cli/merge_parts.hpp"
#include "cli/messages.hpp"
#include "cli/validate_duplicates.hpp"
#include "cli/validate_part.hpp"
#include "cli/validate_records.hpp"
#include "cli/validate_report.hpp"
#include "cli/validate_writer.hpp"
#include "host/io/decode_error.hpp"
#include "host/io/key_store.hpp"
#include "host/pgn/game_key.hpp"
#include "host/report/json_read.hpp"

namespace cuarbiter {
namespace {

// The whole number behind `"name":` in front of a record, which is changed by `more`; the position
// behind it. Nothing where the record is another.
std::optional<std::size_t> raise_number(std::string& record, std::size_t at, std::string_view name,
                                        std::uint64_t more) {
  if (at > record.size() || record.compare(at, name.size(), name) != 0) return std::nullopt;
  at += name.size();
  std::uint64_t value = 0;
  const char* const begin = record.data() + at;
  const auto [end, error] = std::from_chars(begin, record.data() + record.size(), value);
  if (error != std::errc()) return std::nullopt;
  const std::string raised = std::to_string(value + more);
  record.replace(at, static_cast<std::size_t>(end - begin), raised);
  return at + raised.size();
}

std::vector<std::string_view> names_in(const JsonValue& record, std::string_view name) {
  std::vector<std::string_view> names;
  const JsonValue* const list = record.find(name);
  if (list == nullptr) return names;
  for (const JsonValue& item : list->items()) names.push_back(item.text());
  return names;
}

class ValidateMerge final : public PartTaker {
 public:
  ValidateMerge(const RunIdentity& identity, const CommonArguments& common,
                const std::string& report, Output& output, RunStatus& status)
      : output_(output), status_(status) {
    const std::string* const strict = identity.find("strict");
    arguments_.strict = strict != nullptr && *strict == "yes";
    const std::string* const files = identity.find("files");
    if (files != nullptr) {
      std::from_chars(files->data(), files->data() + files->size(), files_);
    }
    arguments_.common = common;
    arguments_.pgn = common.format == Format::pgn;
    if (const std::string* const rules = identity.find("rules")) {
      arguments_.rules = find_rules_profile(*rules).value_or(RulesProfile{});
    }
    arguments_.report = report;
    if (!report.empty()) report_.emplace(arguments_, false);
    const std::uint64_t budget = common.backend.memory_bytes;
    const std::string* const duplicates = identity.find("duplicates");
    if (duplicates != nullptr && *duplicates == "yes") {
      duplicates_.emplace(budget ? budget : kDuplicatesBytes);
    }
    output_.write(ValidateWriter(arguments_).header());
  }

  void begin_part(const std::string& file) override { part_ = file; }

  void take(const std::string& record) override {
    const auto is = [&](std::string_view start) { return record.rfind(start, 0) == 0; };
    if (is("{\"type\":\"problem\",")) return take_record(record, kProblemNumbers);
    if (is("{\"type\":\"game\",")) return take_record(record, kGameNumbers);
    if (is("{\"type\":\"key\",")) return take_key(record);
    const auto read = JsonValue::parse(record);
    if (!read) fail();
    if (is("{\"type\":\"games\",")) return take_games(*read);
    if (is("{\"type\":\"players\",")) return take_players(*read);
    if (is("{\"type\":\"piece\",")) return take_piece(*read);
    if (is("{\"type\":\"piece_end\",")) return take_piece_end(*read);
    if (is("{\"type\":\"fault\",")) return take_fault(*read);
    fail();
  }

  void finish(Output&) override {
    if (open_) fail();
    if (to_ || file_ != files_) throw IoError(part_ + ": what follows its last piece is missing");
    std::string out;
    ValidateWriter(arguments_).write_summary(out, totals_);
    if (arguments_.pgn) output_.flush();
    tell(out);
    if (totals_.errors || (arguments_.strict && totals_.warnings)) {
      status_.raise(ExitStatus::findings);
    }
  }

  void write_report() override {
    if (report_) report_->write(totals_, status_);
  }

 private:
  using Numbers = std::vector<std::pair<std::string_view, std::uint64_t ValidateMerge::*>>;
  static const Numbers kProblemNumbers, kGameNumbers, kKeyNumbers;

  [[noreturn]] void fail() const { throw IoError(part_ + ": has a record that cannot be read"); }

  // With games it goes to standard error.
  void tell(const std::string& text) {
    if (!arguments_.pgn) return output_.write(text);
    if (!text.empty()) say(text);
  }
  // With games and --quiet nothing but errors is told.
  bool quiet() const { return arguments_.pgn && arguments_.common.habits.quiet; }
  bool color() const { return arguments_.pgn && arguments_.common.habits.color; }

  // Pieces must follow each other as the text does.
  void take_piece(const JsonValue& piece) {
    const auto number = piece.integer("file");
    const auto name = piece.bytes("name");
    const auto from = place(piece.find("from"));
    const JsonValue* const to = piece.find("to");
    if (open_ || !number || !name || !from || to == nullptr) fail();
    const bool goes_on = to_ && *number == file_ && *from == *to_;
    const bool begins = !to_ && *number == file_ + 1 && *from == TextPlace{};
    if (!goes_on && !begins) throw IoError(part_ + ": does not begin where the part before ends");
    if (begins) {
      file_ = *number;
      name_ = *name;
      if (duplicates_) names_.push_back(name_);
      if (report_) report_->begin_file(name_);
      games_ = lines_ = bytes_ = 0;
      ended_ = false;
    }
    to_ = place(to);
    open_ = true;
  }

  static std::optional<TextPlace> place(const JsonValue* value) {
    if (value == nullptr || value->items().size() != 2) return std::nullopt;
    const auto coded = value->items()[0].integer(), text = value->items()[1].integer();
    if (!coded || !text) return std::nullopt;
    return TextPlace{*coded, *text};
  }

  void take_piece_end(const JsonValue& end) {
    const auto totals = read_totals(end, "totals");
    const auto lines = end.integer("lines");
    const JsonValue* const ends_file = end.find("ends_file");
    if (!open_ || !totals || !lines || ends_file == nullptr) fail();
    open_ = false;
    if (report_) {
      const auto kinds = read_kinds(end, "kinds");
      if (!kinds) fail();
      if (!ended_) report_->add(*kinds);
      if (!ended_) report_->add(*totals);
    }
    if (ended_) return;
    totals_.add(*totals);
    games_ += totals->games;
    lines_ += *lines;
    bytes_ += totals->bytes;
    ended_ = ends_file->boolean();
  }

  void take_fault(const JsonValue& fault) {
    if (!open_) fail();
    if (ended_) return;
    std::string message;
    if (const auto reason = fault.bytes("reason")) {
      const auto offset = fault.integer("coded_offset"), text = fault.integer("text_bytes");
      if (!offset || !text) fail();
      message = DecodeError(name_, *reason, *offset, *text + bytes_).what();
    } else {
      message = fault.bytes("message").value_or("");
    }
    if (report_) report_->add_fault(message);
    std::string line;
    append_error(line, message, arguments_.common.habits.color);
    output_.flush();
    say(line);
    status_.raise(ExitStatus::input);
  }

  // False where the record is not wanted.
  bool raise(std::string& record, const Numbers& numbers) const {
    if (!open_) fail();
    if (ended_) return false;
    std::size_t at = 0;
    for (const auto& [name, more] : numbers) {
      const auto next = raise_number(record, at, name, this->*more);
      if (!next) fail();
      at = *next;
    }
    return true;
  }

  void take_record(const std::string& text, const Numbers& numbers) {
    std::string record = text;
    last_problem_.clear();
    if (!raise(record, numbers)) return;
    const bool game = &numbers == &kGameNumbers;
    if (game && repeated_) {
      constexpr std::string_view kProblems = ",\"problems\":";
      if (!raise_number(record, record.find(kProblems), kProblems, 1)) fail();
    }
    if (game) repeated_ = false;
    if (!game && report_ && report_->wants_positions()) last_problem_ = record;
    if (game && quiet()) return;
    std::string out;
    if (arguments_.common.format == Format::jsonl) {
      if (game) drop_column(record);
      record += '\n';
      out = std::move(record);
    } else {
      const auto read = JsonValue::parse(record);
      if (!read) fail();
      if (game) {
        append_game(out, *read);
      } else {
        append_problem(out, *read);
      }
    }
    tell(out);
  }

  void take_games(const JsonValue& read) {
    const auto text = read.bytes("text");
    if (!open_ || !arguments_.pgn || !text) fail();
    if (!ended_) output_.write(*text);
  }

  // Of the game of the last problem, whose position the page may show.
  void take_players(const JsonValue& players) {
    const auto white = players.bytes("white"), black = players.bytes("black");
    if (!open_ || !white || !black) fail();
    if (last_problem_.empty() || !report_->wants_positions()) return;
    const auto read = JsonValue::parse(last_problem_);
    if (!read) fail();
    const ReadProblem problem = problem_in(*read);
    const auto code = find_code(problem.code);
    if (!code) fail();
    ReportPosition position;
    position.file = name_;
    position.game = number(*read, "game");
    position.line = number(*read, "line");
    position.ply = static_cast<std::uint32_t>(number(*read, "ply"));
    position.white = *white;
    position.black = *black;
    position.move = problem.move;
    position.fen = problem.fen;
    position.severity = problem.error ? Severity::error : Severity::warning;
    position.code = *code;
    position.message = problem.message;
    report_->add(std::move(position));
  }

  // The key of a game: a problem where it has been seen before.
  void take_key(const std::string& text) {
    std::string record = text;
    if (!raise(record, kKeyNumbers)) return;
    const auto read = JsonValue::parse(record);
    const auto key = parse_key_text(read ? read->string("key").value_or("") : "");
    if (!key || !duplicates_) fail();
    ProblemRecord problem;
    problem.file = file_;
    problem.file_name = name_;
    problem.game = number(*read, "game");
    problem.line = number(*read, "line");
    problem.column = number(*read, "column");
    problem.offset = number(*read, "offset");
    const auto first = duplicates_->insert(
        key->hi, key->lo, SeenAt{static_cast<std::uint32_t>(file_), problem.game, problem.line});
    repeated_ = first.has_value();
    if (!first) return;
    const std::string message = duplicate_message(names_[first->file - 1], *first);
    problem.error = code_severity(Code::game_duplicate) == Severity::error;
    problem.code = code_name(Code::game_duplicate);
    problem.message = message;
    problem.first = {first->file, first->game, first->line};
    ValidateTotals more;
    ++(problem.error ? more.errors : more.warnings);
    ++more.codes[static_cast<std::size_t>(Code::game_duplicate)];
    totals_.add(more);
    if (report_) report_->add(more);
    if (quiet() && !problem.error) return;
    std::string out;
    cuarbiter::append_problem(out, arguments_.common.format, problem, color());
    tell(out);
  }

  void drop_column(std::string& record) const {
    const std::string name = fmt::format(",\"{}\":", kPartColumn);
    const std::size_t at = record.rfind(name);
    if (at == std::string::npos) fail();
    record.erase(at);
    record += '}';
  }

  std::uint64_t number(const JsonValue& record, std::string_view name) const {
    const auto value = record.integer(name);
    if (!value) fail();
    return *value;
  }

  struct ReadProblem {
    std::string move, fen, code, message;
    bool error = false;
  };
  ReadProblem problem_in(const JsonValue& read) const {
    const auto severity = read.string("severity"), code = read.string("code");
    const auto message = read.bytes("message");
    if (!severity || !code || !message) fail();
    return {read.bytes("move").value_or(""), read.bytes("fen").value_or(""), *code, *message,
            *severity == severity_name(Severity::error)};
  }

  void append_problem(std::string& out, const JsonValue& read) const {
    const ReadProblem found = problem_in(read);
    if (quiet() && !found.error) return;
    ProblemRecord problem;
    problem.file = file_;
    problem.file_name = name_;
    problem.game = number(read, "game");
    problem.line = number(read, "line");
    problem.column = number(read, "column");
    problem.offset = number(read, "offset");
    problem.ply = number(read, "ply");
    problem.move = found.move;
    problem.fen = found.fen;
    problem.error = found.error;
    problem.code = found.code;
    problem.message = found.message;
    cuarbiter::append_problem(out, arguments_.common.format, problem, color());
  }

  void append_game(std::string& out, const JsonValue& read) const {
    const std::string result = read.string("result").value_or("");
    const std::string fen = read.string("fen").value_or(""), key = read.string("key").value_or("");
    const auto state = read.string("state");
    if (!state) fail();
    GameEntry game;
    game.file = file_;
    game.file_name = name_;
    game.game = number(read, "game");
    game.line = number(read, "line");
    game.column = number(read, kPartColumn);
    game.offset = number(read, "offset");
    game.plies = number(read, "plies");
    game.result = result;
    game.state = *state;
    game.claims = names_in(read, "draw");
    game.move_claims = names_in(read, "draw_with_move");
    game.drawn_by = names_in(read, "drawn_by");
    game.fen = fen;
    game.problems = number(read, "problems");
    game.key = key;
    if (arguments_.common.format == Format::csv) return append_game_csv(out, game);
    append_game_text(out, game);
  }

  Output& output_;
  RunStatus& status_;
  ValidateArguments arguments_;  // what writing takes of them
  std::uint64_t files_ = 0;      // of the run
  ValidateTotals totals_;
  std::string part_;        // the file of the part
  std::uint64_t file_ = 0;  // of the last piece
  std::string name_;
  std::optional<TextPlace> to_;  // where the last piece ends; nothing: with its file
  bool open_ = false;            // a piece is being read
  std::uint64_t games_ = 0, lines_ = 0, bytes_ = 0;  // of the file, in the pieces before
  std::uint64_t none_ = 0;
  std::optional<KeyStore> duplicates_;
  std::vector<std::string> names_;  // of the files so far, where duplicates are looked for
  std::optional<ValidateReport> report_;
  std::string last_problem_;  // the record, where the page may show its position
  bool repeated_ = false;     // the game of the last key is a duplicate
  bool ended_ = false;        // one run would not have read on behind the last piece
};

// In the order in which a record begins.
const ValidateMerge::Numbers ValidateMerge::kProblemNumbers{
    {"{\"type\":\"problem\",\"file\":", &ValidateMerge::none_},
    {",\"game\":", &ValidateMerge::games_},
    {",\"line\":", &ValidateMerge::lines_},
    {",\"column\":", &ValidateMerge::none_},
    {",\"offset\":", &ValidateMerge::bytes_},
};
const ValidateMerge::Numbers ValidateMerge::kGameNumbers{
    {"{\"type\":\"game\",\"file\":", &ValidateMerge::none_},
    {",\"game\":", &ValidateMerge::games_},
    {",\"line\":", &ValidateMerge::lines_},
    {",\"offset\":", &ValidateMerge::bytes_},
};

const ValidateMerge::Numbers ValidateMerge::kKeyNumbers{
    {"{\"type\":\"key\",\"file\":", &ValidateMerge::none_},
    {",\"game\":", &ValidateMerge::games_},
    {",\"line\":", &ValidateMerge::lines_},
    {",\"column\":", &ValidateMerge::none_},
    {",\"offset\":", &ValidateMerge::bytes_},
};

}  // namespace

std::unique_ptr<PartTaker> merge_validate(const RunIdentity& identity,
                                          const CommonArguments& common, const std::string& report,
                                          Output& output, RunStatus& status) {
  return std::make_unique<ValidateMerge>(identity, common, report, output, status);
}

}  // namespace cuarbiter
