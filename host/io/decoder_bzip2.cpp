// bzip2: streams one after the other, as parallel compressors write them.
#include <bzlib.h>

#include <algorithm>
#include <new>

#include "host/io/coded_source.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kMostPerCall = std::size_t{1} << 30;  // the library counts in 32 bits

class Bzip2Source : public CodedSource {
 public:
  explicit Bzip2Source(CodedInput input) : CodedSource(std::move(input)) {}
  Bzip2Source(const Bzip2Source&) = delete;
  Bzip2Source& operator=(const Bzip2Source&) = delete;
  ~Bzip2Source() override { end_stream(); }

 protected:
  std::size_t step(std::span<char> into) override {
    for (;;) {
      if (!in_stream_ && !start_stream()) return 0;
      const std::string_view bytes = holds_output_ ? input_.ready() : input_.peek(1);
      if (bytes.empty() && !holds_output_) {
        fail("truncated bzip2 data: the input ends inside a stream");
      }
      const std::size_t room = std::min(into.size(), kMostPerCall);
      stream_.next_in = const_cast<char*>(bytes.data());  // the library only reads it
      stream_.avail_in = static_cast<unsigned>(bytes.size());
      stream_.next_out = into.data();
      stream_.avail_out = static_cast<unsigned>(room);
      const int result = BZ2_bzDecompress(&stream_);
      input_.take(bytes.size() - stream_.avail_in);
      const std::size_t decoded = room - stream_.avail_out;
      holds_output_ = stream_.avail_out == 0;
      if (result == BZ_STREAM_END) {
        end_stream();
      } else if (result == BZ_MEM_ERROR) {
        throw std::bad_alloc();
      } else if (result != BZ_OK) {
        return fail_after(decoded, "corrupt bzip2 data");
      }
      if (decoded != 0) return decoded;
    }
  }

 private:
  // False at the end of the input.
  bool start_stream() {
    constexpr std::size_t kHeaderBytes = 4;
    const std::string_view bytes = input_.peek(kHeaderBytes);
    if (bytes.empty()) return false;
    if (bytes.size() < kHeaderBytes || !bytes.starts_with("BZh") || bytes[3] < '1' ||
        bytes[3] > '9') {
      fail("bytes after the last bzip2 stream that are no bzip2 stream");
    }
    stream_ = bz_stream{};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
    in_stream_ = true;
    return true;
  }

  void end_stream() {
    if (in_stream_) BZ2_bzDecompressEnd(&stream_);
    in_stream_ = holds_output_ = false;
  }

  bz_stream stream_{};
  bool in_stream_ = false;
  bool holds_output_ = false;  // the last call filled all of its room: more may be inside
};

}  // namespace

std::unique_ptr<ByteSource> make_bzip2_source(CodedInput input) {
  return std::make_unique<Bzip2Source>(std::move(input));
}

}  // namespace cuarbiter
