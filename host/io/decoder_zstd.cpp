// zstd (RFC 8878): frames and skippable frames one after the other, as large archives are written.
//
// The library keeps no count of what it has put out when a call fails, so a call is given no more
// than one block (or one block header) and is made only when nothing decoded is left inside: then a
// failing call can have put out nothing that would be lost.
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <new>

#include "host/io/coded_source.hpp"

namespace cuarbiter {
namespace {

// Windows up to 128 MiB: what `zstd --long` makes and zstd itself accepts without being asked.
constexpr int kWindowLogMax = 27;
constexpr std::size_t kMagicBytes = 4;
constexpr std::size_t kBlockHeaderBytes = 3;

bool starts_frame(std::string_view bytes) {
  constexpr std::uint32_t kMagic = 0xfd2fb528u;
  constexpr std::uint32_t kSkippable = 0x184d2a50u;
  std::uint32_t magic = 0;
  for (std::size_t i = 0; i < kMagicBytes; ++i) {
    magic |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return magic == kMagic || (magic & 0xfffffff0u) == kSkippable;
}

}  // namespace

class ZstdContext {
 public:
  ZstdContext() {
    if (!context_) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kWindowLogMax);
  }
  ZSTD_DCtx* get() const { return context_.get(); }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context_{ZSTD_createDCtx()};
};

namespace {

class ZstdSource : public CodedSource {
 public:
  ZstdSource(CodedInput input, std::shared_ptr<ZstdContext> context)
      : CodedSource(std::move(input)), owner_(std::move(context)), context_(owner_->get()) {}

 protected:
  std::size_t step(std::span<char> into) override {
    for (;;) {
      if (!in_frame_ && !start_frame()) return 0;
      ZSTD_inBuffer in{nullptr, 0, 0};
      if (!holds_output_) {
        const std::string_view bytes = input_.peek(1);
        if (bytes.empty()) fail("truncated zstd data: the input ends inside a frame");
        if (unit_left_ == 0) {
          // The library's wish covers a block's body and the next block's header.
          unit_left_ = wish_ > kBlockHeaderBytes ? wish_ - kBlockHeaderBytes
                                                 : std::max<std::size_t>(wish_, 1);
          unit_offset_ = input_.offset();
        }
        in.src = bytes.data();
        in.size = std::min(bytes.size(), unit_left_);
      }
      ZSTD_outBuffer out{into.data(), into.size(), 0};
      const std::size_t result = ZSTD_decompressStream(context_, &out, &in);
      if (ZSTD_isError(result) != 0) fail_at(unit_offset_, reason(result));
      input_.take(in.pos);
      unit_left_ -= in.pos;
      wish_ = result;
      in_frame_ = result != 0;
      holds_output_ = in_frame_ && out.pos == out.size;
      if (out.pos != 0) return out.pos;
    }
  }

 private:
  // False at the end of the input.
  bool start_frame() {
    const std::string_view bytes = input_.peek(kMagicBytes);
    if (bytes.empty()) return false;
    if (bytes.size() < kMagicBytes || !starts_frame(bytes)) {
      fail("bytes after the last zstd frame that are no zstd frame");
    }
    ZSTD_DCtx_reset(context_, ZSTD_reset_session_only);
    wish_ = kMagicBytes + 1;
    unit_left_ = 0;
    in_frame_ = true;
    return true;
  }

  static std::string reason(std::size_t result) {
    switch (ZSTD_getErrorCode(result)) {
      case ZSTD_error_frameParameter_windowTooLarge:
        return "a zstd frame needs a window of more than 128 MiB: decode it with zstd --long=31";
      case ZSTD_error_dictionary_wrong:
      case ZSTD_error_dictionary_corrupted:
        return "a zstd frame needs a dictionary";
      case ZSTD_error_checksum_wrong:
        return "corrupt zstd data: the checksum differs";
      case ZSTD_error_memory_allocation:
        throw std::bad_alloc();
      default:
        return "corrupt zstd data (" + std::string(ZSTD_getErrorName(result)) + ")";
    }
  }

  std::shared_ptr<ZstdContext> owner_;
  ZSTD_DCtx* context_;
  std::size_t wish_ = 0;           // bytes the library asks for next, 0 at the end of a frame
  std::size_t unit_left_ = 0;      // bytes of the block or header being decoded that are to come
  std::uint64_t unit_offset_ = 0;  // where it begins: faults do not depend on how bytes came
  bool in_frame_ = false;
  bool holds_output_ = false;  // the last call filled all of its room: more may be inside
};

}  // namespace

std::shared_ptr<ZstdContext> make_zstd_context() {
  return std::make_shared<ZstdContext>();
}

std::unique_ptr<ByteSource> make_zstd_source(CodedInput input,
                                             std::shared_ptr<ZstdContext> context) {
  if (!context) context = make_zstd_context();
  return std::make_unique<ZstdSource>(std::move(input), std::move(context));
}

}  // namespace cuarbiter
