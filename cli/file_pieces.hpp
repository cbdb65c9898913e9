// The text of a run's files cut into pieces: one a file, or those of one shard.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/batch/shard.hpp"
#include "host/io/text_range.hpp"

namespace cuarbiter {

// What comes before the first byte of some text.
struct TextStart {
  bool begins_file = true;   // nothing: it is the beginning of a file
  std::uint64_t offset = 0;  // bytes of text, 0 for a piece whose place in the text is not known
  std::uint64_t line = 1;    // the line that the text begins
  std::uint64_t games = 0;
};

// A piece of a file that begins where a frame of the Framer does, or where the file begins.
struct FilePiece {
  std::size_t index = 0;   // among the pieces of the run, from 0
  std::string path;        // as given
  std::size_t number = 0;  // of the file, from 1
  TextRange range;
  TextStart start;
};

// One piece a file.
std::vector<FilePiece> whole_files(const std::vector<std::string>& paths);

// What is known of the files of a run before they are read.
struct FileSurvey {
  enum class Kind : std::uint8_t {
    whole,  // only as a whole: no regular file, or compressed as one stream
    plain,  // text as it is
    zstd,   // may have frames
  };
  struct File {
    std::string path;
    Kind kind = Kind::whole;
    std::uint64_t bytes = 0;  // on disk; 0 for what is no regular file
    bool regular = false;     // and can be opened
  };
  std::vector<File> files;
  // Of the names, the sizes and the first and last bytes of all of them: other files have another
  // one, unless somebody takes pains.
  std::string digest;
};
FileSurvey survey_files(const std::vector<std::string>& paths);

// The pieces of a shard, in order. All shards of a count together have each file's text once, and
// about equally many bytes each, in so far as files can be cut: text that is not compressed where
// games begin, zstd data where games begin behind a border of frames, all else not at all. Each
// shard finds out for itself where it begins and where the next one does, which takes a look at the
// text there. Throws IoError.
std::vector<FilePiece> shard_pieces(const FileSurvey& survey, const Shard& shard);

}  // namespace cuarbiter
