#include "cli/file_pieces.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <optional>

#include "host/batch/digest.hpp"
#include "host/io/decoder.hpp"
#include "host/io/error.hpp"
#include "host/io/placed_file.hpp"
#include "host/io/zstd_frames.hpp"
#include "host/pgn/game_border.hpp"

namespace cuarbiter {
namespace {

// Bytes at either end of a file that its digest is made of.
constexpr std::size_t kDigestBytes = 4096;
// Compressed text counts so many times its bytes.
constexpr std::uint64_t kCompressedWeight = 4;

FileSurvey::File survey_file(const std::string& path, Digest& digest) {
  FileSurvey::File file;
  file.path = path;
  digest.add(path);
  // Whatever is no regular file is not opened: that alone may change it.
  struct stat status {};
  if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    digest.add("-");
    return file;
  }
  try {
    const PlacedFile placed(path);
    file.bytes = placed.size();
    char bytes[kDigestBytes];
    std::string_view head(bytes, placed.read_at(0, bytes));
    digest.add(file.bytes);
    digest.add(head);
    const Codec codec = detect_codec(head);
    if (codec == Codec::raw) file.kind = FileSurvey::Kind::plain;
    if (codec == Codec::zstd) file.kind = FileSurvey::Kind::zstd;
    const std::uint64_t tail = file.bytes - std::min<std::uint64_t>(file.bytes, kDigestBytes);
    digest.add(std::string_view(bytes, placed.read_at(tail, bytes)));
    file.regular = true;
  } catch (const IoError&) {
    digest.add("unreadable");
  }
  return file;
}

// A place in all the text; the end is behind the last file.
struct Place {
  std::size_t file = 0;
  TextPlace at;

  friend bool operator==(const Place&, const Place&) = default;
};

class Cutter {
 public:
  explicit Cutter(const FileSurvey& survey) : survey_(survey) {
    begins_.reserve(survey.files.size() + 1);
    begins_.push_back(0);
    for (const FileSurvey::File& file : survey.files)
      begins_.push_back(begins_.back() + weight(file));
  }

  // Where part `index`, from 0, of `count` begins.
  Place cut(unsigned index, unsigned count) const {
    // Without a product of 128 bits.
    const std::uint64_t total = begins_.back();
    if (total == 0) return {};
    const std::uint64_t point =
        total / count * index + (total % count * index + (count - 1)) / count;
    const auto behind = std::upper_bound(begins_.begin(), begins_.end() - 1, point);
    const auto f = static_cast<std::size_t>(behind - begins_.begin()) - 1;
    if (point == begins_[f]) return {f, {}};
    if (point >= total) return {survey_.files.size(), {}};
    const Place next{f + 1, {}};
    const std::optional<TextPlace> place = place_in(survey_.files[f], point - begins_[f]);
    return place ? Place{f, *place} : next;
  }

 private:
  static std::uint64_t weight(const FileSurvey::File& file) {
    const std::uint64_t bytes = std::max<std::uint64_t>(file.bytes, 1);
    return file.kind == FileSurvey::Kind::plain ? bytes : bytes * kCompressedWeight;
  }

  // The first place that can be told from `weight` on.
  static std::optional<TextPlace> place_in(const FileSurvey::File& file, std::uint64_t weight) {
    try {
      if (file.kind == FileSurvey::Kind::plain) {
        const auto border = border_behind(file.path, weight);
        if (border) return TextPlace{weight + *border, 0};
      } else if (file.kind == FileSurvey::Kind::zstd) {
        for (const ZstdFrame& frame : list_zstd_frames(file.path)) {
          const bool fits = frame.coded_offset != 0 && !frame.skippable &&
                            frame.coded_offset >= weight / kCompressedWeight;
          if (!fits) continue;
          const auto border = border_behind(file.path, frame.coded_offset);
          if (!border) break;
          return TextPlace{frame.coded_offset, *border};
        }
      }
    } catch (const IoError&) {
      // Whoever reads up to there tells what is wrong.
    }
    return std::nullopt;
  }

  static std::optional<std::uint64_t> border_behind(const std::string& path, std::uint64_t coded) {
    TextRange range;
    range.begin.coded = coded;
    const auto source = open_text_range(path, range, 0);
    return find_game_border(*source);
  }

  const FileSurvey& survey_;
  std::vector<std::uint64_t> begins_;  // of the files, in weight; then the end
};

}  // namespace

std::vector<FilePiece> whole_files(const std::vector<std::string>& paths) {
  std::vector<FilePiece> pieces(paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    pieces[i].index = i;
    pieces[i].path = paths[i];
    pieces[i].number = i + 1;
  }
  return pieces;
}

FileSurvey survey_files(const std::vector<std::string>& paths) {
  FileSurvey survey;
  Digest digest;
  for (const std::string& path : paths) survey.files.push_back(survey_file(path, digest));
  survey.digest = digest.text();
  return survey;
}

std::vector<FilePiece> shard_pieces(const FileSurvey& survey, const Shard& shard) {
  const Cutter cutter(survey);
  const Place begin = cutter.cut(shard.index - 1, shard.count);
  const Place end = cutter.cut(shard.index, shard.count);
  std::vector<FilePiece> pieces;
  for (std::size_t f = begin.file; f < survey.files.size() && f <= end.file; ++f) {
    FilePiece piece;
    if (f == begin.file) piece.range.begin = begin.at;
    if (f == end.file) piece.range.end = end.at;
    if (piece.range.end == piece.range.begin) continue;
    piece.index = pieces.size();
    piece.path = survey.files[f].path;
    piece.number = f + 1;
    piece.start.begins_file = piece.range.begin == TextPlace{};
    pieces.push_back(piece);
  }
  return pieces;
}

}  // namespace cuarbiter
