#include "host/pgn/game_key.hpp"

#include <xxhash.h>

#include <cstring>
#include <memory>

#include "host/notation/san_text.hpp"
#include "host/pgn/game_line.hpp"
#include "host/pgn/player_name.hpp"
#include "host/rules/san_match.hpp"

namespace cuarbiter {
namespace {

// What a canonical token says of the move: target, piece, origin, promotion.
constexpr std::uint32_t kMoveBits = 0xFFFFFu;

// Both without branches: moves of archives cannot be foretold.
bool may_name_more(SanToken token, std::uint8_t verdict) {
  const std::uint32_t king = token.piece() == static_cast<unsigned>(PieceType::king) ? 1 : 0;
  const std::uint32_t any_piece = token.piece() == SanToken::kAnyPiece ? 1 : 0;
  const std::uint32_t by_squares = king * (token.origin_file() | token.origin_rank());
  return ((verdict & kVerdictDisambiguation) | (token.style() & kStyleLong) |
          (token.bits & SanToken::kShortCaptureBit) | any_piece | by_squares) != 0;
}

// A pawn's origin is its file, where it captures.
std::uint32_t move_bits(SanToken token) {
  const std::uint32_t pawn = token.piece() == static_cast<unsigned>(PieceType::pawn) ? 1 : 0;
  const std::uint32_t file = token.origin_file();
  const std::uint32_t captures = file == (token.target() & 7) + 1 ? 0 : 1;
  const std::uint32_t of_pawn = SanToken(token).set_origin(file * captures, 0).bits;
  const std::uint32_t changes = (token.bits ^ of_pawn) & (std::uint32_t{0} - pawn);
  return (token.bits ^ changes) & kMoveBits;
}

// Lowest byte first, on every machine.
void write_word(char* to, std::uint32_t word) {
  for (int i = 0; i < 4; ++i) to[i] = static_cast<char>(word >> (8 * i));
}

}  // namespace

void GameKeys::add_word(std::uint32_t word) {
  bytes_.resize(bytes_.size() + sizeof word);
  write_word(&bytes_[bytes_.size() - sizeof word], word);
}

// The word at a place of the movetext.
void GameKeys::add_written(std::uint32_t at, std::uint32_t limit) {
  const char* text = slab_.text.data();
  for (const std::uint32_t begin = at; at < limit; ++at) {
    const char c = text[at];
    if (at > begin && (static_cast<unsigned char>(c) <= ' ' || std::strchr("{}();$[]<>*!?", c))) {
      break;
    }
    bytes_.push_back(c);
  }
  bytes_.push_back('\0');
}

void GameKeys::add_moves(const GameRecord& game) {
  const ReplayBatch& replay = batch_.replay;
  const ReplaySegment& line = replay.segments[replay.games[game.replay].segment_begin];
  const std::uint32_t plies = replay.game_verdicts[game.replay].plies;
  std::unique_ptr<GameLine> played;  // only where a spelling must be put right
  add_word(plies);
  const std::size_t words = bytes_.size();
  bytes_.resize(words + std::size_t{plies} * sizeof(std::uint32_t));
  char* to = bytes_.data() + words;
  for (std::uint32_t i = line.token_begin; i < line.token_begin + plies; ++i) {
    SanToken token = replay.tokens[i];
    if (may_name_more(token, replay.verdicts[i])) {
      if (!played) played = std::make_unique<GameLine>(batch_, game);
      if (const LinePoint* point = played->before(i)) {
        const Match m = match_san(point->position, token, point->black);
        token = read_san(san_text(point->position, m.move, point->black));
      }
    }
    write_word(to, move_bits(token));
    to += sizeof(std::uint32_t);
  }
  for (std::uint32_t i = plies; i < line.token_count; ++i) {
    add_written(batch_.token_at[line.token_begin + i], game.text.end);
  }
}

GameKey GameKeys::of(const GameRecord& game) {
  GameKey key;
  if (game.replay == kNotReplayed) return key;
  const ReplayGame& entry = batch_.replay.games[game.replay];
  const ReplayStart& start = batch_.replay.starts[entry.start];
  bytes_.clear();
  for (const std::uint64_t plane :
       {start.position.a, start.position.b, start.position.c, start.position.d}) {
    add_word(static_cast<std::uint32_t>(plane));
    add_word(static_cast<std::uint32_t>(plane >> 32));
  }
  bytes_.push_back(start.black ? 'b' : 'w');
  for (const TextSpan name : {game.white, game.black}) {
    append_folded_name(bytes_, slab_.view(name.begin, name.end));
    bytes_.push_back('\0');
  }
  add_moves(game);
  const XXH128_hash_t hash = XXH3_128bits(bytes_.data(), bytes_.size());
  key.value = Uint128{hash.low64, hash.high64};
  key.known = true;
  key.moves = batch_.replay.segments[entry.segment_begin].token_count != 0;
  return key;
}

void append_key_text(std::string& out, const Uint128& key) {
  for (const std::uint64_t half : {key.hi, key.lo}) {
    for (int shift = 60; shift >= 0; shift -= 4) {
      out.push_back("0123456789abcdef"[half >> shift & 15]);
    }
  }
}

std::optional<Uint128> parse_key_text(std::string_view text) {
  if (text.size() != 32) return std::nullopt;
  Uint128 key{};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(text[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    std::uint64_t& half = i < 16 ? key.hi : key.lo;
    half = half << 4 | digit;
  }
  return key;
}

}  // namespace cuarbiter
