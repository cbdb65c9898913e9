// Text, compressed by each codec, and what comes out of a source.
#pragma once

#include <bzlib.h>
#include <gtest/gtest.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "host/io/decoder.hpp"
#include "host/io/error.hpp"
#include "host/io/source.hpp"

namespace cuarbiter::test {

inline std::string compress(Codec codec, const std::string& text) {
  std::string out(text.size() + text.size() / 2 + 4096, '\0');
  const auto in = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto to = reinterpret_cast<std::uint8_t*>(out.data());
  switch (codec) {
    case Codec::raw:
      return text;
    case Codec::zstd: {
      ZSTD_CCtx* const context = ZSTD_createCCtx();
      ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
      out.resize(ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size()));
      ZSTD_freeCCtx(context);
      return out;
    }
    case Codec::gzip: {
      z_stream stream{};
      deflateInit2(&stream, 6, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY);
      stream.next_in = const_cast<Bytef*>(in);
      stream.avail_in = static_cast<uInt>(text.size());
      stream.next_out = to;
      stream.avail_out = static_cast<uInt>(out.size());
      deflate(&stream, Z_FINISH);
      out.resize(stream.total_out);
      deflateEnd(&stream);
      return out;
    }
    case Codec::bzip2: {
      auto size = static_cast<unsigned>(out.size());
      BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(text.data()),
                               static_cast<unsigned>(text.size()), 1, 0, 0);
      out.resize(size);
      return out;
    }
    case Codec::xz: {
      std::size_t size = 0;
      lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr, in, text.size(), to, &size, out.size());
      out.resize(size);
      return out;
    }
  }
  return {};
}

// Text that compresses about as PGN does; the same for the same arguments.
inline std::string sample(std::size_t size, std::uint32_t seed = 1) {
  static const char* const kWords[] = {"e4", "Nf3", "O-O", "1-0", "[Event \"?\"]", "\n", "Bxf7+"};
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < size) {
    text += kWords[random() % std::size(kWords)];
    text += std::to_string(random() % 1000);
    text += ' ';
  }
  text.resize(size);
  return text;
}

struct Outcome {
  std::string text;
  std::string error;  // empty when the end was reached
};

inline Outcome drain(ByteSource& source, std::size_t room = 65536) {
  Outcome outcome;
  std::vector<char> block(room);
  try {
    while (const std::size_t count = source.read(block)) outcome.text.append(block.data(), count);
    EXPECT_EQ(source.read(block), 0u) << "the end must stay the end";
  } catch (const IoError& error) {
    outcome.error = error.what();
    try {
      source.read(block);
      ADD_FAILURE() << "a fault must stay a fault";
    } catch (const IoError& again) {
      EXPECT_EQ(again.what(), outcome.error);
    }
  }
  return outcome;
}

}  // namespace cuarbiter::test
