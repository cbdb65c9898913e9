// What all decoders share: the compressed bytes waiting to be decoded, with their offset, faults
// that say where, and the promise that everything decoded before a fault is handed out before the
// fault is thrown. Internal to host/io.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/io/decode_error.hpp"
#include "host/io/source.hpp"

namespace cuarbiter {

// Compressed bytes read from a source and not yet used. Owns the source.
class CodedInput {
 public:
  static constexpr std::size_t kBlock = std::size_t{1} << 18;

  // `offset` is that of the source's first byte in the compressed stream.
  explicit CodedInput(std::unique_ptr<ByteSource> inner, std::uint64_t offset = 0)
      : inner_(std::move(inner)), offset_(offset) {}

  // The bytes at hand, without reading any.
  std::string_view ready() const { return {buffer_.data() + begin_, end_ - begin_}; }
  // The bytes at hand, at least `count` (1 to kBlock) of them unless the input ends before.
  std::string_view peek(std::size_t count);
  // Marks the first `count` bytes at hand as used.
  void take(std::size_t count) { begin_ += count, offset_ += count; }
  // Offset in the compressed stream of the first byte not used.
  std::uint64_t offset() const { return offset_; }
  ByteSource& inner() const { return *inner_; }

 private:
  std::unique_ptr<ByteSource> inner_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_;
};

class CodedSource : public ByteSource {
 public:
  explicit CodedSource(CodedInput input) : input_(std::move(input)) {}

  std::size_t read(std::span<char> into) final;
  const std::string& name() const final { return input_.inner().name(); }
  std::optional<std::uint64_t> size_bytes() const final { return input_.inner().size_bytes(); }
  std::uint64_t consumed_bytes() const final { return input_.inner().consumed_bytes(); }
  void interrupt() noexcept final { input_.inner().interrupt(); }

 protected:
  // Decodes some bytes into `into` (not empty) and returns how many; 0 only at the end of the
  // input. A fault found with nothing decoded in this call is thrown; one found after some bytes
  // were decoded is left to the next call by `return fail_after(...)`.
  virtual std::size_t step(std::span<char> into) = 0;

  // Throws a DecodeError at the input's offset.
  [[noreturn]] void fail(const std::string& reason) const { fail_at(input_.offset(), reason); }
  // The same at another offset.
  [[noreturn]] void fail_at(std::uint64_t offset, const std::string& reason) const {
    throw DecodeError(name(), reason, offset, text_bytes_);
  }
  std::size_t fail_after(std::size_t decoded, const std::string& reason);

  CodedInput input_;

 private:
  std::uint64_t text_bytes_ = 0;  // handed out
  bool ended_ = false;
  std::exception_ptr fault_;
};

// The library's state for decoding zstd, which costs time to make and may serve one source after
// the other.
class ZstdContext;
std::shared_ptr<ZstdContext> make_zstd_context();

// One maker for each codec; the input stands at the stream's first byte. Without a context the
// source makes its own.
std::unique_ptr<ByteSource> make_zstd_source(CodedInput input,
                                             std::shared_ptr<ZstdContext> context = nullptr);
std::unique_ptr<ByteSource> make_gzip_source(CodedInput input);
std::unique_ptr<ByteSource> make_bzip2_source(CodedInput input);
std::unique_ptr<ByteSource> make_xz_source(CodedInput input);

}  // namespace cuarbiter
