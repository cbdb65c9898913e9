// Whole texts written in export format, for tests.
#pragma once

#include <string>
#include <utility>

#include "host/pgn/export_writer.hpp"
#include "tests/support/pgn_run.hpp"

namespace cuarbiter::test {

// All games of a text, and what stands outside of them.
inline std::string export_pgn(std::string text, bool fix = false, const PgnOptions& options = {}) {
  std::string out;
  GameBatch batch;
  MemorySource source(std::move(text), "<test>", options.most_per_read);
  for_each_slab(source, options, [&](const Slab& slab) {
    batch.clear();
    lex_slab(slab, LexerOptions{options.chess960}, batch);
    batch.replay.rules = replay_rules(options.rules);
    cpu_for_pgn().replay(batch.replay);
    ExportWriter writer(slab, batch, ExportOptions{fix});
    std::uint32_t game = 0;
    for (std::size_t i = 0; i < slab.frames.size(); ++i) {
      const std::uint32_t first = game;
      for (; game < batch.games.size() && batch.games[game].text.begin < slab.frame_end(i);
           ++game) {
        writer.write_game(out, game);
      }
      if (game == first) writer.write_loose_frame(out, i);
    }
  });
  return out;
}

}  // namespace cuarbiter::test
