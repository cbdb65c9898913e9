// Cutting files into batches of lines.
#include "cli/position_lines.hpp"

#include <optional>
#include <utility>

#include "host/io/error.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kMaxBatchBytes = std::size_t{4} << 20;

}  // namespace

PositionLines::PositionLines(InputFiles& files, std::size_t batch_lines, bool whole_groups)
    : files_(files),
      batch_lines_(batch_lines == 0 ? kDefaultBatchLines : batch_lines),
      whole_groups_(whole_groups) {}

bool PositionLines::next(LineBatch& batch) {
  batch.clear();
  while (reader_ || open(batch)) {
    if (reader_) fill(batch);
    if (!batch.lines.empty() || !batch.fault.empty()) return true;
  }
  return false;
}

// Opens the next file; false when there is none. A file that cannot be read gives the batch its
// fault and no reader.
bool PositionLines::open(LineBatch& batch) {
  std::optional<InputFile> next = files_.take(InputKind::positions);
  if (!next) return false;
  file_ = std::move(*next);
  batch.fault = file_.fault;
  if (file_.source) {
    try {
      reader_ = std::make_unique<LineReader>(*file_.source, kMaxPositionLine);
      if (reader_->looks_utf16()) {
        throw IoError(file_.source->name() + ": the text is UTF-16; convert it to UTF-8");
      }
    } catch (const IoError& error) {
      batch.fault = error.what();
      close();
    }
  }
  if (!reader_) {
    batch.file = file_.path;
    batch.file_number = file_.number;
  }
  return true;
}

void PositionLines::close() {
  files_.done_with(*file_.source);
  reader_.reset();
  file_.source.reset();
}

void PositionLines::fill(LineBatch& batch) {
  batch.file = file_.source->name();
  batch.file_number = file_.number;
  Line line;
  bool more = true;
  try {
    while ((batch.lines.size() < batch_lines_ && batch.text.size() < kMaxBatchBytes) ||
           (whole_groups_ && line.number % kGroupLines != 0)) {
      more = reader_->next(line);
      if (!more) break;
      batch.lines.push_back({batch.text.size(), line.text.size(), line.number, line.truncated});
      batch.text.append(line.text);
    }
  } catch (const IoError& error) {
    batch.fault = error.what();
    more = false;
  }
  batch.consumed = files_.consumed(*file_.source);
  batch.expected = files_.expected(*file_.source);
  if (!more) close();
}

}  // namespace cuarbiter
