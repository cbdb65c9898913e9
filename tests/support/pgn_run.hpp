// PGN text through framer, lexer, CPU replay and judge, in memory: what the tests look at, with
// places in the text as a user sees them.
#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "host/backend.hpp"
#include "host/io/memory_source.hpp"
#include "host/pgn/framer.hpp"
#include "host/pgn/judge.hpp"
#include "host/pgn/lexer.hpp"

namespace cuarbiter::test {

struct PgnOptions {
  std::size_t slab_bytes = std::size_t{1} << 20;
  std::size_t most_per_read = SIZE_MAX;
  std::size_t max_frame_bytes = std::size_t{32} << 20;
  std::size_t max_frames = 8192;
  bool chess960 = false;
  RulesProfile rules = kRulesProfiles[0];
};

struct PgnFrame {
  std::uint64_t offset = 0, line = 0, column = 0;
  std::string text;  // without what was left out
  bool too_long = false;

  friend bool operator==(const PgnFrame&, const PgnFrame&) = default;
  friend void PrintTo(const PgnFrame& f, std::ostream* out) {
    *out << f.line << ":" << f.column << " offset " << f.offset << (f.too_long ? " cut: " : ": ")
         << f.text.substr(0, 200);
  }
};

struct PgnFinding {
  std::string code;
  bool error = false;
  std::uint64_t game = 0;  // from 1
  std::uint64_t line = 0, column = 0, offset = 0;
  std::uint32_t ply = 0;
  std::string move, fen, message;

  friend bool operator==(const PgnFinding&, const PgnFinding&) = default;
  friend void PrintTo(const PgnFinding& f, std::ostream* out) {
    *out << f.code << (f.error ? " error" : " warning") << " game " << f.game << " " << f.line
         << ":" << f.column << " offset " << f.offset << " ply " << f.ply << " move \"" << f.move
         << "\" fen \"" << f.fen << "\": " << f.message;
  }
};

struct PgnGame {
  std::uint64_t line = 0, offset = 0;
  bool replayed = false;
  GameRecord record;
  GameVerdict verdict;
  std::string fen;  // final position; empty when not replayed

  std::uint32_t plies() const { return verdict.plies; }
  GameState state() const { return static_cast<GameState>(verdict.state); }
};

struct PgnRun {
  std::vector<PgnFrame> frames;
  std::vector<PgnFinding> findings;
  std::vector<PgnGame> games;
  std::size_t slabs = 0;
  bool sorted = true;  // within a slab, findings came by game and then by place

  // "code@line:column", one a finding, for short comparisons.
  std::vector<std::string> places() const {
    std::vector<std::string> out;
    for (const PgnFinding& f : findings) {
      out.push_back(f.code + "@" + std::to_string(f.line) + ":" + std::to_string(f.column));
    }
    return out;
  }
  std::vector<std::string> codes() const {
    std::vector<std::string> out;
    for (const PgnFinding& f : findings) out.push_back(f.code);
    return out;
  }
  const PgnFinding* find(std::string_view code) const {
    for (const PgnFinding& f : findings) {
      if (f.code == code) return &f;
    }
    return nullptr;
  }
  bool has(std::string_view code) const { return find(code) != nullptr; }
  std::size_t count(std::string_view code) const {
    std::size_t n = 0;
    for (const PgnFinding& f : findings) n += f.code == code ? 1 : 0;
    return n;
  }
  std::size_t errors() const {
    std::size_t n = 0;
    for (const PgnFinding& f : findings) n += f.error ? 1 : 0;
    return n;
  }
};

inline Backend& cpu_for_pgn() {
  static const std::unique_ptr<Backend> backend = make_cpu_backend(CpuOptions{1, 0});
  return *backend;
}

// Reads all frames of a source. Calls f(slab) for each slab.
template <class F>
void for_each_slab(ByteSource& source, const PgnOptions& options, F&& f) {
  FramerOptions framing;
  framing.slab_bytes = options.slab_bytes;
  framing.max_frame_bytes = options.max_frame_bytes;
  framing.max_frames = options.max_frames;
  Framer framer(source, 1, framing);
  Slab slab;
  while (framer.next(slab)) f(slab);
}

inline PgnRun run_pgn(ByteSource& source, const PgnOptions& options = {}) {
  PgnRun run;
  GameBatch batch;
  std::vector<Finding> findings;
  for_each_slab(source, options, [&](const Slab& slab) {
    ++run.slabs;
    Locator locator(slab);
    for (std::size_t i = 0; i < slab.frames.size(); ++i) {
      const Location where = locator.locate(slab.frames[i].begin);
      run.frames.push_back(PgnFrame{where.offset, where.line, where.column,
                                    std::string(slab.view(slab.frames[i].begin, slab.frame_end(i))),
                                    slab.frames[i].too_long});
    }
    batch.clear();
    findings.clear();
    lex_slab(slab, LexerOptions{options.chess960}, batch);
    batch.replay.rules = replay_rules(options.rules);
    cpu_for_pgn().replay(batch.replay);
    judge_slab(slab, batch, options.rules, findings);
    const std::uint64_t first = run.games.size() + 1;
    for (std::size_t i = 0; i < findings.size(); ++i) {
      const Finding& f = findings[i];
      if (i && std::tuple(findings[i - 1].game, findings[i - 1].at) > std::tuple(f.game, f.at)) {
        run.sorted = false;
      }
      const Location where = locator.locate(f.at);
      run.findings.push_back(
          PgnFinding{std::string(code_name(f.code)), f.severity == Severity::error, first + f.game,
                     where.line, where.column, where.offset, f.ply,
                     std::string(slab.view(f.move.begin, f.move.end)), f.fen, f.message});
    }
    for (const GameRecord& record : batch.games) {
      PgnGame game;
      const Location where = locator.locate(record.text.begin);
      game.line = where.line;
      game.offset = where.offset;
      game.record = record;
      game.replayed = record.replay != kNotReplayed;
      if (game.replayed) {
        game.verdict = batch.replay.game_verdicts[record.replay];
        append_final_fen(game.fen, batch, record);
      }
      run.games.push_back(game);
    }
  });
  return run;
}

inline PgnRun run_pgn(std::string text, const PgnOptions& options = {}) {
  MemorySource source(std::move(text), "<test>", options.most_per_read);
  return run_pgn(source, options);
}

// A whole seven tag roster, for texts in which nothing else is to be found.
inline std::string roster(std::string_view result = "*", std::string_view more = {}) {
  std::string out =
      "[Event \"E\"]\n[Site \"S\"]\n[Date \"2026.01.02\"]\n[Round \"1\"]\n[White \"W\"]\n"
      "[Black \"B\"]\n[Result \"";
  out += result;
  out += "\"]\n";
  out += more;
  return out + "\n";
}
inline constexpr std::uint64_t kRosterLines = 8;  // the movetext begins on the next one

inline std::string with_fen(std::string_view fen, std::string_view result = "*") {
  return roster(result, "[SetUp \"1\"]\n[FEN \"" + std::string(fen) + "\"]\n");
}
inline constexpr std::uint64_t kFenRosterLines = 10;

}  // namespace cuarbiter::test
