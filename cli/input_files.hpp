// The files of a command, opened one after the other and sorted by what they hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/file_pieces.hpp"
#include "cli/input_kind.hpp"
#include "host/io/source.hpp"

namespace cuarbiter {

struct InputFile {
  std::string path;        // as given
  std::size_t number = 0;  // from 1, in the order given
  std::size_t piece = 0;   // index of the piece
  TextStart start;         // where in the file the source begins
  InputKind kind = InputKind::positions;
  std::unique_ptr<ByteSource> source;  // null when it could not be opened
  std::string fault;                   // why it could not; empty: it could
};

// Not thread-safe. At most one file is open and not taken.
class InputFiles {
 public:
  // Without `kind` each file's content decides. `threads` are what the run may keep busy: as many
  // decode compressed files, sharing the CPUs with those that work on the text. With one there is
  // still a thread for decoding, as in `zstd -dc FILE | cuarbiter`, unless the process has one CPU.
  InputFiles(std::vector<std::string> paths, std::optional<InputKind> kind, unsigned threads = 1);
  // Pieces of files in place of whole ones.
  InputFiles(std::vector<FilePiece> pieces, std::optional<InputKind> kind, unsigned threads = 1);

  // The next file, opened; null after the last.
  const InputFile* front();
  // Takes the next file when it is of this kind or could not be opened; nothing otherwise.
  std::optional<InputFile> take(InputKind kind);
  // Says that nothing more is read from a file taken.
  void done_with(const ByteSource& source);

  // Looks up how many bytes the files have, for expected().
  void sum_sizes();
  // Bytes of all files taken from the disk so far, and the bytes that all files have: 0 as long as
  // that is not known. `open` is the file being read.
  std::uint64_t consumed(const ByteSource& open) const;
  std::uint64_t expected(const ByteSource& open) const;

 private:
  void open();

  std::vector<FilePiece> pieces_;
  std::optional<InputKind> kind_;
  SourceOptions options_;
  std::optional<InputFile> front_;
  std::size_t taken_ = 0;
  std::uint64_t consumed_ = 0, expected_ = 0;  // of the files done with
  std::uint64_t sum_ = 0;                      // of all files; 0: not looked up
};

}  // namespace cuarbiter
