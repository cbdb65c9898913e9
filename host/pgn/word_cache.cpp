#include "host/pgn/word_cache.hpp"

#include <cstring>

#include "host/pgn/san_lexer.hpp"

namespace cuarbiter {

bool WordCache::read(const char* p, unsigned length, SanToken& token) {
  if (length > sizeof(std::uint64_t)) return lex_canonical_san(p, token) == p + length;
  std::uint64_t text;
  std::memcpy(&text, p, sizeof text);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  text = __builtin_bswap64(text);
#endif
  // The word alone: as no word holds a NUL, shorter ones are different numbers. None is 0.
  text <<= 64 - 8 * length;
  Entry& entry = entries[(text * kHashFactor) >> (64 - kBits)];
  if (entry.text == text) {
    token = entry.token;
    return true;
  }
  if (lex_canonical_san(p, token) != p + length) return false;
  entry = {text, token};
  return true;
}

}  // namespace cuarbiter
