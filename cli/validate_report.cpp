#include "cli/validate_report.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "cli/game_end.hpp"
#include "cli/output.hpp"
#include "host/pgn/tag_pair.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kMostRows = 1000;
constexpr std::size_t kMostName = 200;  // bytes

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  if (::gmtime_r(&now, &parts) == nullptr) return {};
  char text[32];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
  return {text, length};
}

void add_totals(ReportRow& row, const ValidateTotals& totals) {
  row.games += totals.games;
  row.plies += totals.plies;
  row.bytes += totals.bytes;
  row.games_with_errors += totals.games_with_errors;
  row.errors += totals.errors;
  row.warnings += totals.warnings;
}

std::string name_text(const Slab& slab, TextSpan value) {
  if (value.empty()) return "?";
  std::string text = unescape_tag_value(slab.view(value.begin, value.end));
  if (text.size() <= kMostName) return text;
  std::size_t size = kMostName;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size) + "...";
}

}  // namespace

void GameKinds::clear() {
  results.clear();
  ends.clear();
  draws.clear();
}

void GameKinds::add(const GameKinds& other) {
  results.add(other.results);
  ends.add(other.ends);
  draws.add(other.draws);
}

void count_kinds(ValidateJob& job, std::uint64_t games, const RulesProfile& rules) {
  job.kinds.clear();
  for (std::size_t g = 0; g < games && g < job.batch.games.size(); ++g) {
    const GameRecord& game = job.batch.games[g];
    const std::string_view result = result_of(game);
    job.kinds.results.add(result.empty() ? "none" : result);
    GameEnd end;
    if (game.replay != kNotReplayed) {
      end = end_of_game(job.slab, job.batch, game, rules, MoveClaimsOf::drawn);
    }
    job.kinds.ends.add(end.state);
    if (!end.drawn_by.empty()) job.kinds.draws.add(drawn_by_names(end, " or "));
  }
}

ReportPlayers players_of(const Slab& slab, const GameRecord& game) {
  return {name_text(slab, game.white), name_text(slab, game.black)};
}

ValidateReport::ValidateReport(const ValidateArguments& arguments, bool timed)
    : arguments_(arguments), timed_(timed), start_(std::chrono::steady_clock::now()) {
  // Better now than after hours. What is no regular file, such as a pipe, is not touched.
  struct stat found {};
  const bool special = ::stat(arguments.report.c_str(), &found) == 0 && !S_ISREG(found.st_mode) &&
                       !S_ISDIR(found.st_mode);
  if (!special) open_sink(arguments.report)->abandon();
}

void ValidateReport::add_positions(const ValidateJob& job) {
  Locator locator(job.slab);
  std::uint64_t told = job.totals.errors + job.totals.warnings;
  for (const Finding& f : job.findings) {
    if (told == 0 || !wants_positions()) return;
    --told;
    if (f.game >= job.batch.games.size() || !is_for_report(f, arguments_.strict)) continue;
    ReportPlayers players = players_of(job.slab, job.batch.games[f.game]);
    ReportPosition position;
    position.file = job.file;
    position.game = job.first_game + f.game;
    position.line = locator.locate(f.at).line;
    position.ply = f.ply;
    position.white = std::move(players.white);
    position.black = std::move(players.black);
    position.move = job.slab.view(f.move.begin, f.move.end);
    position.fen = f.fen;
    position.severity = f.severity;
    position.code = f.code;
    position.message = f.message;
    add(std::move(position));
  }
}

void ValidateReport::add(const ValidateJob& job) {
  if (report_.files == 0 || job.piece != piece_) begin_file(job.file);
  piece_ = job.piece;
  add(job.totals);
  if (!job.fault.empty()) add_fault(job.fault);
  add(job.kinds);
  if (wants_positions()) add_positions(job);
}

void ValidateReport::begin_file(const std::string& name) {
  ++report_.files;
  if (report_.rows.size() == kMostRows) return;
  report_.rows.emplace_back();
  report_.rows.back().name = name;
}

void ValidateReport::add(const ValidateTotals& totals) {
  if (row() != nullptr) add_totals(*row(), totals);
}

void ValidateReport::add(const GameKinds& kinds) {
  report_.results.add(kinds.results);
  report_.ends.add(kinds.ends);
  report_.draws.add(kinds.draws);
}

void ValidateReport::add_fault(const std::string& message) {
  if (row() != nullptr) row()->fault = message;
}

void ValidateReport::write(const ValidateTotals& totals, const RunStatus& status) {
  add_totals(report_.total, totals);
  report_.codes = totals.codes;
  report_.stopped = totals.stopped;
  report_.rules = arguments_.rules.name;
  report_.made_at = now_text();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start_;
  if (timed_) report_.seconds = taken.count();
  std::string page;
  append_html_report(page, report_);
  Output output(arguments_.report, status, arguments_.common.exit_zero);
  output.write(page);
  output.commit();
}

}  // namespace cuarbiter
