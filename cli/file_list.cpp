// Reading lists of files.
#include "cli/file_list.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/arguments.hpp"
#include "host/io/source.hpp"

namespace cuarbiter {
namespace {

constexpr const char* kStandardInput = "-";

std::string read_whole(const std::string& path) {
  constexpr std::size_t kStep = std::size_t{1} << 16;
  const auto source = open_source(path);
  std::string text;
  std::size_t size = 0;
  for (;;) {
    text.resize(size + kStep);
    const std::size_t got = source->read(std::span<char>(text).subspan(size));
    size += got;
    if (got == 0) break;
  }
  text.resize(size);
  return text;
}

}  // namespace

void add_files_from(CLI::App& command, FilesTyped& typed) {
  command
      .add_option("--files-from", typed.list,
                  "read the files that LIST names too, one a line (- is standard input)")
      ->type_name("LIST");
  command.add_flag("-0,--null", typed.null_separated,
                   "names in LIST end with NUL bytes, as find -print0 writes them");
}

std::vector<std::string> names_in_list(std::string_view text, bool null_separated) {
  const char separator = null_separated ? '\0' : '\n';
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    std::string_view name = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!null_separated && name.ends_with('\r')) name.remove_suffix(1);
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

std::vector<std::string> input_files(const FilesTyped& typed) {
  if (typed.list.empty()) {
    if (typed.null_separated) throw UsageError("--null goes with --files-from only");
    return input_files(typed.named);
  }
  std::vector<std::string> files = typed.named;
  for (std::string& name : names_in_list(read_whole(typed.list), typed.null_separated)) {
    files.push_back(std::move(name));
  }
  if (typed.list == kStandardInput &&
      std::find(files.begin(), files.end(), kStandardInput) != files.end()) {
    throw UsageError("standard input cannot be both the list of --files-from and a FILE");
  }
  return files;
}

}  // namespace cuarbiter
