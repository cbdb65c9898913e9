// gzip (RFC 1952): members one after the other; zero bytes after the last one (tape padding) are
// let pass.
#define ZLIB_CONST
#include <zlib.h>

#include <algorithm>
#include <new>

#include "host/io/coded_source.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kMostPerCall = std::size_t{1} << 30;  // zlib counts in 32 bits

class GzipSource : public CodedSource {
 public:
  explicit GzipSource(CodedInput input) : CodedSource(std::move(input)) {
    constexpr int kGzipOnly = 16, kLargestWindow = 15;
    if (inflateInit2(&stream_, kGzipOnly + kLargestWindow) != Z_OK) throw std::bad_alloc();
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

 protected:
  std::size_t step(std::span<char> into) override {
    for (;;) {
      if (!in_member_ && !start_member()) return 0;
      const std::string_view bytes = holds_output_ ? input_.ready() : input_.peek(1);
      if (bytes.empty() && !holds_output_) {
        fail("truncated gzip data: the input ends inside a member");
      }
      const std::size_t room = std::min(into.size(), kMostPerCall);
      stream_.next_in = reinterpret_cast<const Bytef*>(bytes.data());
      stream_.avail_in = static_cast<uInt>(bytes.size());
      stream_.next_out = reinterpret_cast<Bytef*>(into.data());
      stream_.avail_out = static_cast<uInt>(room);
      const int result = inflate(&stream_, Z_SYNC_FLUSH);
      input_.take(bytes.size() - stream_.avail_in);
      const std::size_t decoded = room - stream_.avail_out;
      holds_output_ = stream_.avail_out == 0;
      if (result == Z_STREAM_END) {
        in_member_ = holds_output_ = false;
      } else if (result == Z_MEM_ERROR) {
        throw std::bad_alloc();
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        const char* text = stream_.msg != nullptr ? stream_.msg : "unknown reason";
        return fail_after(decoded, "corrupt gzip data (" + std::string(text) + ")");
      }
      if (decoded != 0) return decoded;
    }
  }

 private:
  // False at the end of the input.
  bool start_member() {
    bool padding = false;
    std::string_view bytes = input_.peek(2);
    while (!bytes.empty() && bytes[0] == '\0' && !first_member_) {
      const std::size_t other = bytes.find_first_not_of('\0');
      input_.take(std::min(other, bytes.size()));
      bytes = input_.peek(1);
      padding = true;
    }
    if (bytes.empty()) return false;
    if (padding || bytes[0] != '\x1f' || bytes.size() < 2 || bytes[1] != '\x8b') {
      fail("bytes after the last gzip member that are no gzip member");
    }
    if (!first_member_) inflateReset(&stream_);
    first_member_ = false;
    in_member_ = true;
    return true;
  }

  z_stream stream_{};
  bool in_member_ = false;
  bool first_member_ = true;
  bool holds_output_ = false;  // the last call filled all of its room: more may be inside
};

}  // namespace

std::unique_ptr<ByteSource> make_gzip_source(CodedInput input) {
  return std::make_unique<GzipSource>(std::move(input));
}

}  // namespace cuarbiter
