// Cutting files into batches of lines.
#include "cli/position_lines.hpp"

#include <algorithm>
#include <utility>

#include "host/io/error.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kMaxBatchBytes = std::size_t{4} << 20;

}  // namespace

PositionLines::PositionLines(std::vector<std::string> files, std::size_t batch_lines)
    : files_(std::move(files)), batch_lines_(batch_lines == 0 ? kDefaultBatchLines : batch_lines) {}

bool PositionLines::next(LineBatch& batch) {
  batch.clear();
  while (reader_ || next_file_ < files_.size()) {
    if (!reader_ && !open(batch)) return true;
    fill(batch);
    if (!batch.lines.empty() || !batch.fault.empty()) return true;
  }
  return false;
}

// Opens the next file; false when it cannot be opened, which the batch then says.
bool PositionLines::open(LineBatch& batch) {
  const std::string& path = files_[next_file_++];
  try {
    source_ = open_source(path);
    reader_ = std::make_unique<LineReader>(*source_, kMaxPositionLine);
    if (reader_->looks_utf16()) {
      throw IoError(source_->name() + ": the text is UTF-16; convert it to UTF-8");
    }
  } catch (const IoError& error) {
    batch.file = path;
    batch.file_number = next_file_;
    batch.fault = error.what();
    close();
    return false;
  }
  return true;
}

void PositionLines::close() {
  if (source_) {
    consumed_ += source_->consumed_bytes();
    expected_ += source_->size_bytes().value_or(0);
  }
  reader_.reset();
  source_.reset();
}

void PositionLines::fill(LineBatch& batch) {
  batch.file = source_->name();
  batch.file_number = next_file_;
  Line line;
  bool more = true;
  try {
    while (batch.lines.size() < batch_lines_ && batch.text.size() < kMaxBatchBytes) {
      more = reader_->next(line);
      if (!more) break;
      batch.lines.push_back({batch.text.size(), line.text.size(), line.number, line.truncated});
      batch.text.append(line.text);
    }
  } catch (const IoError& error) {
    batch.fault = error.what();
    more = false;
  }
  batch.consumed = consumed_ + source_->consumed_bytes();
  const std::optional<std::uint64_t> size = source_->size_bytes();
  batch.expected = size && next_file_ == files_.size() ? expected_ + *size : 0;
  if (!more) close();
}

}  // namespace cuarbiter
