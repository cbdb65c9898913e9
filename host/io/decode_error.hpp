// Faults of compressed data, with their place in it and in the text.
#pragma once

#include <cstdint>
#include <string>

#include "host/io/error.hpp"

namespace cuarbiter {

// A fault of compressed data: "NAME: REASON at compressed byte OFFSET, after COUNT bytes of text".
class DecodeError : public IoError {
 public:
  DecodeError(const std::string& name, std::string reason, std::uint64_t coded_offset,
              std::uint64_t text_bytes);
  // The same fault, told by somebody who decoded `text_bytes` of text before the decoder began.
  DecodeError behind(const std::string& name, std::uint64_t text_bytes) const {
    return DecodeError(name, reason_, coded_offset_, text_bytes + text_bytes_);
  }

  const std::string& reason() const { return reason_; }
  std::uint64_t coded_offset() const { return coded_offset_; }
  std::uint64_t text_bytes() const { return text_bytes_; }

 private:
  std::string reason_;
  std::uint64_t coded_offset_;
  std::uint64_t text_bytes_;
};

}  // namespace cuarbiter
