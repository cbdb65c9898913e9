// The files that a command reads: those named as arguments, then those of a list (--files-from).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace cuarbiter {

// As typed.
struct FilesTyped {
  std::vector<std::string> named;  // FILE...
  std::string list;                // the file of --files-from; empty: not given
  bool null_separated = false;
};

// Adds --files-from and -0, --null; `typed` must outlive the parsing.
void add_files_from(CLI::App& command, FilesTyped& typed);

// The files as meant: "-" (standard input) where neither a file nor a list was given; none where
// the list is empty. Reads the list. Throws UsageError when standard input would be read by nobody
// or by two (a terminal for want of a FILE, "-" beside a list from "-", --null without a list), and
// IoError when the list cannot be read.
std::vector<std::string> input_files(const FilesTyped& typed);

// The names in the text of a list, without empty ones: separated by NUL bytes, or one a line, where
// a CR before the line's end does not count.
std::vector<std::string> names_in_list(std::string_view text, bool null_separated);

}  // namespace cuarbiter
