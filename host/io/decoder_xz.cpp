// xz (the .xz file format 1.1): streams one after the other, with stream padding (section 2.2: zero
// bytes in multiples of four) between and after them.
#include <lzma.h>

#include <algorithm>
#include <new>

#include "host/io/coded_source.hpp"

namespace cuarbiter {
namespace {

using namespace std::string_view_literals;

constexpr std::uint64_t kMostMemory = std::uint64_t{256} << 20;
constexpr auto kMagic = "\xfd\x37\x7a\x58\x5a\x00"sv;

class XzSource : public CodedSource {
 public:
  explicit XzSource(CodedInput input) : CodedSource(std::move(input)) {}
  XzSource(const XzSource&) = delete;
  XzSource& operator=(const XzSource&) = delete;
  ~XzSource() override { lzma_end(&stream_); }

 protected:
  std::size_t step(std::span<char> into) override {
    for (;;) {
      if (!in_stream_ && !start_stream()) return 0;
      const std::string_view bytes = holds_output_ ? input_.ready() : input_.peek(1);
      if (bytes.empty() && !holds_output_) {
        fail("truncated xz data: the input ends inside a stream");
      }
      stream_.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
      stream_.avail_in = bytes.size();
      stream_.next_out = reinterpret_cast<std::uint8_t*>(into.data());
      stream_.avail_out = into.size();
      const lzma_ret result = lzma_code(&stream_, LZMA_RUN);
      input_.take(bytes.size() - stream_.avail_in);
      const std::size_t decoded = into.size() - stream_.avail_out;
      holds_output_ = stream_.avail_out == 0;
      if (result == LZMA_STREAM_END) {
        in_stream_ = holds_output_ = false;
      } else if (result == LZMA_MEM_ERROR) {
        throw std::bad_alloc();
      } else if (result != LZMA_OK && result != LZMA_BUF_ERROR) {
        return fail_after(decoded, reason(result));
      }
      if (decoded != 0) return decoded;
    }
  }

 private:
  // False at the end of the input.
  bool start_stream() {
    std::size_t padding = 0;
    std::string_view bytes = input_.peek(kMagic.size());
    while (!bytes.empty() && bytes[0] == '\0' && !first_stream_) {
      const std::size_t zeros = std::min(bytes.find_first_not_of('\0'), bytes.size());
      input_.take(zeros);
      padding += zeros;
      bytes = input_.peek(kMagic.size());
    }
    if (padding % 4 != 0) fail("xz stream padding that is no multiple of four bytes");
    if (bytes.empty()) return false;
    if (!bytes.starts_with(kMagic)) fail("bytes after the last xz stream that are no xz stream");
    if (lzma_stream_decoder(&stream_, kMostMemory, 0) != LZMA_OK) throw std::bad_alloc();
    first_stream_ = false;
    in_stream_ = true;
    return true;
  }

  std::string reason(lzma_ret result) const {
    if (result == LZMA_MEMLIMIT_ERROR) {
      const std::uint64_t needed = (lzma_memusage(&stream_) + (1u << 20) - 1) >> 20;
      return "decoding this xz data needs " + std::to_string(needed) +
             " MiB of memory, more than the 256 MiB allowed";
    }
    if (result == LZMA_OPTIONS_ERROR) return "xz data with options that are not supported";
    return "corrupt xz data";
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool in_stream_ = false;
  bool first_stream_ = true;
  bool holds_output_ = false;  // the last call filled all of its room: more may be inside
};

}  // namespace

std::unique_ptr<ByteSource> make_xz_source(CodedInput input) {
  return std::make_unique<XzSource>(std::move(input));
}

}  // namespace cuarbiter
