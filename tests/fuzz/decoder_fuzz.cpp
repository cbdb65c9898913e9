// Fuzz target: compressed input. Either any bytes behind a signature, or a text that is compressed
// here in several streams and then damaged: cut, with bytes changed, or with bytes behind it. The
// text and the fault must not depend on how the input comes in pieces or on the number of threads;
// what was not damaged must come back as it was.
#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/io/coded_source.hpp"
#include "host/io/decoder.hpp"
#include "host/io/error.hpp"
#include "host/io/frame_parallel_source.hpp"
#include "host/io/memory_source.hpp"
#include "host/io/zstd_frames.hpp"

using namespace cuarbiter;

namespace {

constexpr std::size_t kMostText = std::size_t{1} << 20;  // bombs are left half burnt

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "decoder_fuzz: %s\n", what);
  std::abort();
}

std::string compress(Codec codec, const std::string& text, unsigned form) {
  std::string out(text.size() + text.size() / 2 + 4096, '\0');
  const auto in = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto to = reinterpret_cast<std::uint8_t*>(out.data());
  std::size_t size = 0;
  switch (codec) {
    case Codec::raw:
      return text;
    case Codec::zstd: {
      ZSTD_CCtx* const context = ZSTD_createCCtx();
      ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, static_cast<int>(form & 1));
      ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, static_cast<int>(form >> 1 & 1));
      size = ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size());
      ZSTD_freeCCtx(context);
      break;
    }
    case Codec::gzip: {
      z_stream stream{};
      deflateInit2(&stream, static_cast<int>(form % 10), Z_DEFLATED, 16 + 15, 8,
                   Z_DEFAULT_STRATEGY);
      stream.next_in = const_cast<Bytef*>(in);
      stream.avail_in = static_cast<uInt>(text.size());
      stream.next_out = to;
      stream.avail_out = static_cast<uInt>(out.size());
      deflate(&stream, Z_FINISH);
      size = stream.total_out;
      deflateEnd(&stream);
      break;
    }
    case Codec::bzip2: {
      auto room = static_cast<unsigned>(out.size());
      BZ2_bzBuffToBuffCompress(out.data(), &room, const_cast<char*>(text.data()),
                               static_cast<unsigned>(text.size()), 1, 0, 0);
      size = room;
      break;
    }
    case Codec::xz:
      lzma_easy_buffer_encode(0, form & 1 ? LZMA_CHECK_CRC64 : LZMA_CHECK_SHA256, nullptr, in,
                              text.size(), to, &size, out.size());
      break;
  }
  out.resize(size);
  return out;
}

struct Outcome {
  std::string text;
  std::string error;
  bool stopped = false;
};

Outcome drain(ByteSource& source, std::size_t room) {
  Outcome outcome;
  std::vector<char> block(room);
  try {
    while (const std::size_t count = source.read(block)) {
      outcome.text.append(block.data(), count);
      outcome.stopped = outcome.text.size() > kMostText;
      if (outcome.stopped) return outcome;
    }
  } catch (const IoError& error) {
    outcome.error = error.what();
    require(!outcome.error.empty(), "a fault without a message");
  }
  return outcome;
}

// Other libraries than zstd's notice damage somewhat earlier or later, as input comes and output is
// fetched.
std::string without_place(const std::string& error) {
  const std::size_t at = error.find(" at compressed byte ");
  return error.substr(0, at);
}

void same(const Outcome& x, const Outcome& y, bool place) {
  if (x.stopped || y.stopped || (!place && !x.error.empty())) {
    const std::size_t both = std::min(x.text.size(), y.text.size());
    require(x.text.compare(0, both, y.text, 0, both) == 0, "the text depends on sizes or threads");
    if (x.stopped || y.stopped) return;
    require(without_place(x.error) == without_place(y.error), "the fault depends on sizes");
    return;
  }
  require(x.text == y.text, "the text depends on sizes or threads");
  require(x.error == y.error, "the fault depends on sizes or threads");
}

Outcome decode(const std::string& bytes, std::size_t piece, std::size_t room) {
  try {
    return drain(*decode_by_content(std::make_unique<MemorySource>(bytes, "f", piece)), room);
  } catch (const IoError& error) {
    return Outcome{"", error.what(), false};  // a container that is not decoded
  }
}

void check(const std::string& bytes, std::size_t piece, std::size_t room, bool threads) {
  const Outcome whole = decode(bytes, SIZE_MAX, 65536);
  const bool zstd = detect_codec(bytes) == Codec::zstd;
  same(decode(bytes, piece, room), whole, zstd);
  if (!zstd) return;
  ZstdFrameScanner scanner;
  std::size_t border = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    at += scanner.scan(std::string_view(bytes).substr(at, piece));
    if (scanner.at_border()) border = at;
  }
  if (whole.error.empty() && !whole.stopped) {
    require(border == bytes.size(), "good frames do not end at a border");
  }
  if (!threads) return;
  FrameParallelSource source(CodedInput(std::make_unique<MemorySource>(bytes, "f", piece)), 3, 3);
  same(drain(source, room), whole, true);
}

// Bytes of control in front of the rest of the input.
class Control {
 public:
  Control(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  unsigned byte() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  std::string rest() const { return std::string(reinterpret_cast<const char*>(data_), size_); }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

std::string damaged(std::string bytes, Control& control) {
  const unsigned kind = control.byte();
  const std::size_t at = (control.byte() << 8 | control.byte()) % (bytes.size() + 1);
  if ((kind & 3) == 1) bytes.resize(at);
  if ((kind & 3) == 2 && at < bytes.size()) {
    bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ control.byte());
  }
  if ((kind & 3) == 3) bytes.insert(at, 1 + kind % 7, static_cast<char>(kind));
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Control control(data, size);
  const unsigned how = control.byte();
  const std::size_t piece = std::size_t{1} + control.byte();
  const std::size_t room = std::size_t{1} + control.byte() * 7;
  const bool threads = (how & 0x70) == 0;  // threads take their time: now and then
  if (how & 0x80) {
    constexpr std::string_view kSignatures[] = {"",
                                                "\x28\xb5\x2f\xfd",
                                                "\x1f\x8b\x08",
                                                "BZh1",
                                                {"\xfd\x37\x7a\x58\x5a\x00", 6},
                                                "\x50\x2a\x4d\x18"};
    const std::string_view signature = kSignatures[how % std::size(kSignatures)];
    check(std::string(signature) + control.rest(), piece, room, threads);
    return 0;
  }
  constexpr Codec kCodecs[] = {Codec::zstd, Codec::gzip, Codec::bzip2, Codec::xz};
  const Codec codec = kCodecs[how % std::size(kCodecs)];
  const unsigned form = control.byte();
  const std::size_t part = std::size_t{1} + control.byte() * 16;
  Control damage(control);
  for (int i = 0; i < 4; ++i) control.byte();
  std::string text = control.rest();
  if (form & 0x80) {
    for (int i = 0; i < 4; ++i) text += text;
  }
  std::string bytes;
  std::size_t parts = 0;
  for (std::size_t at = 0; at < text.size() && parts < 8; at += part, ++parts) {
    bytes += compress(codec, text.substr(at, parts == 7 ? std::string::npos : part), form);
  }
  const std::string bad = damaged(bytes, damage);
  check(bad, piece, room, threads);
  if (bad != bytes || bytes.empty()) return 0;
  const Outcome good = decode(bytes, piece, room);
  require(good.error.empty() && (good.stopped || good.text == text), "good data is not read");
  return 0;
}
