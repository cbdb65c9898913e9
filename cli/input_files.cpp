// Opening files and telling what they hold.
#include "cli/input_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "cli/available_threads.hpp"
#include "host/io/error.hpp"
#include "host/io/peeked_source.hpp"

namespace cuarbiter {
namespace {

// Text that is nothing but comment for so long is no PGN.
constexpr std::size_t kMostPeeked = std::size_t{1} << 16;

InputKind kind_of_source(PeekedSource& source) {
  for (;;) {
    const bool whole = source.peeked().size() >= kMostPeeked || !source.peek_more();
    if (const auto kind = kind_of_text(source.peeked(), whole)) return *kind;
  }
}

bool is_whole(const TextRange& range) {
  return range.begin == TextPlace{} && !range.end;
}

}  // namespace

InputFiles::InputFiles(std::vector<std::string> paths, std::optional<InputKind> kind,
                       unsigned threads)
    : InputFiles(whole_files(paths), kind, threads) {}

InputFiles::InputFiles(std::vector<FilePiece> pieces, std::optional<InputKind> kind,
                       unsigned threads)
    : pieces_(std::move(pieces)), kind_(kind) {
  if (available_threads() > 1) options_.decode_threads = threads;
}

const InputFile* InputFiles::front() {
  if (!front_ && taken_ < pieces_.size()) open();
  return front_ ? &*front_ : nullptr;
}

void InputFiles::open() {
  InputFile& file = front_.emplace();
  const FilePiece& piece = pieces_[taken_];
  file.path = piece.path;
  file.number = piece.number;
  file.piece = piece.index;
  file.start = piece.start;
  try {
    file.source = is_whole(piece.range)
                      ? open_source(file.path, options_)
                      : open_text_range(file.path, piece.range, options_.decode_threads);
    if (kind_) {
      file.kind = *kind_;
      return;
    }
    auto peeked = std::make_unique<PeekedSource>(std::move(file.source));
    file.kind = kind_of_source(*peeked);
    file.source = std::move(peeked);
  } catch (const IoError& error) {
    file.source.reset();
    file.fault = error.what();
  }
}

std::optional<InputFile> InputFiles::take(InputKind kind) {
  const InputFile* next = front();
  if (next == nullptr || (next->source && next->kind != kind)) return std::nullopt;
  ++taken_;
  return std::exchange(front_, std::nullopt);
}

void InputFiles::sum_sizes() {
  std::uint64_t sum = 0;
  for (const FilePiece& piece : pieces_) {
    if (piece.path == "-") return;
    struct stat status {};
    if (::stat(piece.path.c_str(), &status) != 0) continue;
    if (!S_ISREG(status.st_mode)) return;
    const auto size = static_cast<std::uint64_t>(status.st_size);
    const std::uint64_t end = piece.range.end ? std::min(piece.range.end->coded, size) : size;
    sum += end - std::min(piece.range.begin.coded, end);
  }
  sum_ = sum;
}

void InputFiles::done_with(const ByteSource& source) {
  consumed_ += source.consumed_bytes();
  expected_ += source.size_bytes().value_or(0);
}

std::uint64_t InputFiles::consumed(const ByteSource& open) const {
  return consumed_ + open.consumed_bytes();
}

std::uint64_t InputFiles::expected(const ByteSource& open) const {
  if (sum_ != 0) return sum_;
  const std::optional<std::uint64_t> size = open.size_bytes();
  return size && taken_ == pieces_.size() ? expected_ + *size : 0;
}

}  // namespace cuarbiter
