// Decoding of compressed input by content: zstd (RFC 8878), gzip (RFC 1952), bzip2 and xz.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "host/io/source.hpp"

namespace cuarbiter {

enum class Codec { raw, zstd, gzip, bzip2, xz };

// The codec's name as messages write it.
std::string_view codec_name(Codec codec);

// Tells the codec from the first bytes of a stream; six bytes are always enough. `raw` when no
// signature fits.
Codec detect_codec(std::string_view first_bytes);
// The same of a regular file. Throws IoError.
Codec codec_of_file(const std::string& path);

// Wraps `inner` in the decoder its first bytes ask for, or hands its bytes through. Several
// compressed streams one after the other (frames, members) read as one. Memory is bounded: zstd
// windows up to 128 MiB and xz decoders up to 256 MiB are taken, larger ones are an IoError.
//
// Truncated or corrupt data, and bytes after the last complete stream that are no further stream,
// raise IoError from read() after all bytes decoded before the fault; the message has the codec,
// the reason, the offset in the compressed stream and the number of bytes decoded before it.
// Throws IoError at once for well-known containers that are not decoded here (zip, 7z, rar, lz4).
//
// `threads` decode ahead of the reader as in SourceOptions; the text and the faults are the same
// for any number from 1 on, and for 0 too, but that of damaged gzip, bzip2 and xz data a few bytes
// more or less may come out then. `offset` is that of the first byte of `inner` in the compressed
// stream.
std::unique_ptr<ByteSource> decode_by_content(std::unique_ptr<ByteSource> inner,
                                              unsigned threads = 0, std::uint64_t offset = 0);

}  // namespace cuarbiter
