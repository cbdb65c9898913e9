#include "cli/validate_pgn.hpp"

#include <algorithm>
#include <utility>

#include "host/io/memory_source.hpp"
#include "host/pgn/framer.hpp"

namespace cuarbiter {

void ValidatePgn::find_left_out(GameJob& job) {
  if (job.slab.elisions.empty() || job.batch.games.empty()) return;
  bool added = false;
  for (const Elision& e : job.slab.elisions) {
    const auto behind = std::upper_bound(
        job.batch.games.begin(), job.batch.games.end(), e.at,
        [](std::uint32_t at, const GameRecord& game) { return at < game.text.begin; });
    const auto index = std::max<std::ptrdiff_t>(behind - job.batch.games.begin(), 1) - 1;
    Finding finding;
    finding.code = Code::pgn_game_too_long;
    finding.severity = code_severity(finding.code);
    finding.game = static_cast<std::uint32_t>(index);
    finding.at = e.at - 1;
    finding.message = std::to_string(e.bytes) + " bytes of the text here are left out";
    job.findings.push_back(std::move(finding));
    added = true;
  }
  if (!added) return;
  std::stable_sort(job.findings.begin(), job.findings.end(),
                   [](const Finding& x, const Finding& y) {
                     return x.game != y.game ? x.game < y.game : x.at < y.at;
                   });
}

bool ValidatePgn::is_faulty(const Finding& finding) const {
  return finding.severity == Severity::error || arguments_.strict;
}

namespace {

// All of a text in one slab, and nothing of it elsewhere: it may be many megabytes.
bool as_one_slab(std::string text, Slab& slab) {
  const std::size_t bytes = text.size() + 1;
  text.shrink_to_fit();
  MemorySource source(std::move(text));
  FramerOptions options;
  options.slab_bytes = options.long_comment_bytes = options.max_frame_bytes = bytes;
  Framer framer(source, 1, options);
  return framer.next(slab);
}

}  // namespace

// Which faulty games are still so when they have been repaired: they are read again as written.
void ValidatePgn::look_again(const GameJob& job, std::vector<bool>& faulty) const {
  ExportWriter writer(job.slab, job.batch, ExportOptions{true});
  std::vector<std::uint32_t> games;
  std::string text;
  for (std::uint32_t g = 0; g < job.batch.games.size(); ++g) {
    if (!faulty[g]) continue;
    games.push_back(g);
    writer.write_game(text, g);
  }
  if (games.empty()) return;
  Slab slab;
  if (!as_one_slab(std::move(text), slab)) return;
  GameBatch batch;
  batch.replay.rules = replay_rules(run_.rules);
  lex_slab(slab, LexerOptions{run_.chess960}, batch);
  backend_.replay(batch.replay);
  std::vector<Finding> findings;
  judge_slab(slab, batch, run_.rules, findings);
  arguments_.codes.apply(findings);
  if (batch.games.size() != games.size()) return;  // cannot be told apart: they stay as judged
  for (const std::uint32_t g : games) faulty[g] = false;
  for (const Finding& f : findings) {
    if (is_faulty(f) && f.game < games.size()) faulty[games[f.game]] = true;
  }
  // What is not in the slab cannot be repaired, nor that a game is there twice.
  for (const Finding& f : job.findings) {
    const bool stays = f.code == Code::pgn_game_too_long || f.code == Code::game_duplicate;
    if (stays && is_faulty(f) && f.game < faulty.size()) faulty[f.game] = true;
  }
}

std::vector<bool> ValidatePgn::wanted(const GameJob& job) const {
  std::vector<bool> faulty(job.batch.games.size());
  for (const Finding& f : job.findings) {
    if (f.game >= faulty.size() || !is_faulty(f)) continue;
    // Text of an earlier frame is told with the number of the game to come but is not that game's.
    if (f.at < job.slab.frame_begin_at(job.batch.games[f.game].text.begin)) continue;
    faulty[f.game] = true;
  }
  if (arguments_.fix) look_again(job, faulty);
  if (arguments_.keep == Keep::good) faulty.flip();
  return faulty;
}

std::uint64_t ValidatePgn::write(std::string& out, const GameJob& job, std::uint64_t games) const {
  ValidatePgnFrames frames(*this, job);
  std::uint64_t written = 0;
  while (!frames.done()) written += frames.write(out, games);
  return written;
}

ValidatePgnFrames::ValidatePgnFrames(const ValidatePgn& pgn, const GameJob& job)
    : job_(job),
      all_(pgn.arguments_.keep == Keep::all),
      writer_(job.slab, job.batch, ExportOptions{pgn.arguments_.fix}) {
  if (!all_) keep_ = pgn.wanted(job);
}

std::uint64_t ValidatePgnFrames::write(std::string& out, std::uint64_t games) {
  std::uint64_t written = 0;
  const std::uint32_t first = game_;
  const std::uint32_t end = job_.slab.frame_end(frame_);
  const std::vector<GameRecord>& records = job_.batch.games;
  for (; game_ < records.size() && records[game_].text.begin < end; ++game_) {
    if (game_ >= games) {
      frame_ = job_.slab.frames.size();
      return written;
    }
    if (!all_ && !keep_[game_]) continue;
    writer_.write_game(out, game_);
    ++written;
  }
  if (game_ == first && all_) writer_.write_loose_frame(out, frame_);
  ++frame_;
  return written;
}

}  // namespace cuarbiter
