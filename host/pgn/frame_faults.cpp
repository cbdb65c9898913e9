#include "host/pgn/frame_faults.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "host/pgn/text_scan.hpp"
#include "host/report/utf8.hpp"

namespace cuarbiter {
namespace {

// Position of the first byte that is not part of well-formed UTF-8 (there is one).
std::size_t first_bad_byte(std::string_view text) {
  std::size_t at = 0;
  for (;;) {
    at += ascii_prefix(text.substr(at));
    const std::size_t n = utf8_sequence(text.substr(at));
    if (n == 0) return at;
    at += n;
  }
}

void find_nul_bytes(const Slab& slab, std::uint32_t begin, std::uint32_t end,
                    TextProblems& problems) {
  const std::string_view text = slab.view(begin, end);
  for (std::size_t at = text.find('\0'); at != std::string_view::npos;) {
    const std::size_t stop = std::min(text.find_first_not_of('\0', at), text.size());
    problems.add(Code::pgn_nul_byte, begin + static_cast<std::uint32_t>(at),
                 stop - at == 1 ? "a NUL byte" : std::to_string(stop - at) + " NUL bytes");
    at = text.find('\0', stop);
  }
}

}  // namespace

void find_frame_faults(const Slab& slab, std::size_t frame, std::size_t first_game,
                       GameBatch& batch, TextProblems& problems) {
  const std::uint32_t begin = slab.frames[frame].begin;
  const std::uint32_t end = slab.frame_end(frame);
  const TextBytes bytes = slab.plain_ascii
                              ? TextBytes{}
                              : text_scan().look_at_bytes(slab.text.data() + begin, end - begin);
  const std::size_t before = batch.problems.size();
  problems.begin(static_cast<std::uint32_t>(batch.games.size()));
  if (bytes.has_nul) find_nul_bytes(slab, begin, end, problems);
  for (const ElidedNul& nul : slab.elided_nuls) {
    if (nul.at <= begin || nul.at > end) continue;
    problems.add(Code::pgn_nul_byte, nul.at - 1,
                 "a NUL byte in text left out, at byte " + std::to_string(nul.offset) + ", line " +
                     std::to_string(nul.line));
  }
  if (begin == 0 && slab.byte_order_mark) {
    problems.add(Code::pgn_encoding, 0, "a byte order mark before the first game");
  }
  const bool elided = std::any_of(slab.elisions.begin(), slab.elisions.end(),
                                  [&](const Elision& e) { return e.at > begin && e.at <= end; });
  const std::string_view text = slab.view(begin, end);
  if (!bytes.plain_ascii && !elided && !valid_utf8(text)) {
    problems.add(Code::pgn_encoding, begin + static_cast<std::uint32_t>(first_bad_byte(text)),
                 "not UTF-8 from here on, probably ISO 8859-1");
  }
  if (slab.frames[frame].too_long) {
    problems.add(Code::pgn_game_too_long, end - 1,
                 "the text of this game passes the limit: the rest of it was skipped");
  }
  for (std::size_t i = before; i < batch.problems.size(); ++i) {
    TextProblem& problem = batch.problems[i];
    std::size_t game = batch.games.size();
    while (game > first_game + 1 && batch.games[game - 1].text.begin > problem.at) --game;
    problem.game = static_cast<std::uint32_t>(game > first_game ? game - 1 : game);
  }
}

}  // namespace cuarbiter
