// Talking to a UCI engine.
#include "cli/uci_engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/batch/uint128_text.hpp"
#include "host/notation/fen.hpp"

namespace cuarbiter {
namespace {

using std::chrono::seconds;

// For everything but a perft: starting, answering isready, the perft of one ply.
constexpr seconds kHandshake{60};
// An engine that is ready again and has said nothing of use for so long will not.
constexpr std::chrono::milliseconds kSilence{1000};

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == ':' || c == '=' || c == ',' || c == ';' || c == '|';
}

// Words between blanks and punctuation.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    if (is_blank(line[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && !is_blank(line[end])) ++end;
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool is_move(std::string_view word) {
  const auto square = [&](std::size_t at) {
    return word[at] >= 'a' && word[at] <= 'h' && word[at + 1] >= '1' && word[at + 1] <= '8';
  };
  if (word.size() != 4 && word.size() != 5) return false;
  if (!square(0) || !square(2)) return false;
  return word.size() == 4 || std::string_view("nbrq").find(word[4]) != std::string_view::npos;
}

bool belongs_to_count(std::string_view word) {
  constexpr std::string_view kWords[] = {"-",  "->",    "nodes", "node",    "searched",
                                         "is", "moves", "leaf",  "visited", "perft"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

}  // namespace

bool take_divide_line(std::string_view line, EngineDivide& divide) {
  const std::string text = lower(line);
  const std::vector<std::string_view> words = words_of(text);
  if (words.empty() || words[0] == "bestmove") return false;
  // Of the info lines only free text can be a count; the others tell of a search.
  if (words[0] == "info" && (words.size() < 2 || words[1] != "string")) return false;
  // Only words that belong to a count may stand before its number: a time is none.
  const auto number_after = [&](std::size_t at) {
    std::optional<Uint128> number;
    while (++at < words.size() && !number) {
      number = parse_uint128(words[at]);
      if (!number && !belongs_to_count(words[at])) break;
    }
    return number;
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool total = words[i] == "nodes" || words[i] == "total";
    if (!total && !is_move(words[i])) continue;
    const std::optional<Uint128> number = number_after(i);
    if (!number) return false;
    if (total) {
      divide.total = number;
    } else {
      divide.moves.emplace_back(std::string(words[i]), *number);
    }
    return true;
  }
  return false;
}

UciEngine::UciEngine(const std::string& command, seconds patience)
    : name_(command), patience_(patience), process_(command) {
  send("uci");
  wait_for("uciok");
  // One ply shows whether it knows the command at all, and whether it ends with a sum.
  const std::string start(kStartFen);
  const EngineDivide divide =
      ask("position fen " + start, 1, Clock::now() + std::min(kHandshake, patience_));
  tells_total_ = divide.total.has_value();
  if (divide.moves.empty()) fail("answers \"go perft\" without a count for each move");
}

UciEngine::~UciEngine() {
  static_cast<void>(process_.write_line("quit"));
}

void UciEngine::set_chess960(bool chess960) {
  if (chess960 == chess960_) return;
  if (!knows_chess960_) fail("has no option UCI_Chess960, which this position needs");
  send(fmt::format("setoption name UCI_Chess960 value {}", chess960));
  chess960_ = chess960;
}

EngineDivide UciEngine::perft(const std::string& fen, const std::vector<std::string>& moves,
                              unsigned depth) {
  std::string position = "position fen " + fen;
  if (!moves.empty()) position += " moves";
  for (const std::string& move : moves) position += " " + move;
  return ask(position, depth, Clock::now() + patience_);
}

EngineDivide UciEngine::ask(const std::string& position, unsigned depth,
                            Clock::time_point deadline) {
  send(position);
  send(fmt::format("go perft {}", depth));
  send("isready");
  EngineDivide divide;
  std::string line;
  bool ready = false;
  // Engines that count on a thread of their own are ready before they are done: whoever is known to
  // end with a sum is waited for, and whoever is not, until nothing more comes.
  while (!(ready && divide.total)) {
    const bool silence_ends = ready && !tells_total_;
    const Clock::time_point until =
        silence_ends ? std::min(deadline, Clock::now() + kSilence) : deadline;
    if (Clock::now() >= deadline || !receive(line, until)) {
      if (silence_ends && !divide.moves.empty()) break;
      if (silence_ends) fail("says nothing to \"go perft\"");
      fail(fmt::format("does not answer \"go perft {}\" in time", depth));
    }
    if (line == "readyok") {
      ready = true;
    } else if (line.rfind("bestmove", 0) == 0) {
      fail("searches for a best move when told to \"go perft\"");
    } else {
      take_divide_line(line, divide);
    }
  }
  std::sort(divide.moves.begin(), divide.moves.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return divide;
}

void UciEngine::send(const std::string& line) {
  if (!process_.write_line(line)) fail(process_.ending(seconds(2)));
}

bool UciEngine::receive(std::string& line, Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
  switch (process_.read_line(line, std::max(left, std::chrono::milliseconds(0)))) {
    case ChildProcess::Read::line:
      if (line.rfind("option name UCI_Chess960 ", 0) == 0) knows_chess960_ = true;
      if (!line.empty()) last_line_ = line;
      return true;
    case ChildProcess::Read::end:
      fail(process_.ending(seconds(2)));
    case ChildProcess::Read::timeout:
      break;
  }
  return false;
}

void UciEngine::wait_for(std::string_view word) {
  const Clock::time_point deadline = Clock::now() + std::min(kHandshake, patience_);
  std::string line;
  while (Clock::now() < deadline && receive(line, deadline)) {
    if (line == word) return;
  }
  fail(fmt::format("does not say \"{}\": it is no UCI engine, or does not run", word));
}

void UciEngine::fail(const std::string& what) {
  std::string text = fmt::format("engine \"{}\" {}", name_, what);
  if (!last_line_.empty())
    text += fmt::format("; its last line was \"{}\"", last_line_.substr(0, 200));
  throw EngineError(text);
}

}  // namespace cuarbiter
