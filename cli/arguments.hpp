// Command line arguments in two steps: as typed (strings and switches that CLI11 fills in) and as
// meant (checked, defaults resolved). What cannot be meant is a UsageError, exit status 2.
#pragma once

#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cli/backend_choice.hpp"
#include "cli/habits.hpp"

namespace CLI {
class App;
}

namespace cuarbiter {

// The command line makes no sense: the message says what and what would.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Format { text, jsonl, csv, pgn, markdown };

std::string_view format_name(Format format);

// Common flags as typed.
struct CommonTyped {
  std::string format;
  std::string output;
  std::string backend = "auto";
  std::string devices;
  unsigned threads = 0;
  std::string memory;
  std::string device_memory;
  std::string progress = "auto";
  bool progress_json = false;
  std::optional<double> progress_interval;
  std::string color = "auto";
  bool quiet = false;
  bool verbose = false;
  bool exit_zero = false;
};

// Common flags as meant.
struct CommonArguments {
  Format format = Format::text;
  std::string output;  // empty: standard output
  BackendRequest backend;
  Habits habits;
  bool exit_zero = false;
};

// Adds --format, -o, --progress, --color, -q, -v, --exit-zero; `typed` must outlive the parsing.
// `formats` is what help shows, such as "text|jsonl|csv".
void add_common_options(CLI::App& command, CommonTyped& typed, const std::string& formats);

// Adds --backend, --device, -j, --memory, --device-memory.
void add_backend_options(CLI::App& command, CommonTyped& typed);

// The largest --batch-size.
inline constexpr unsigned kMostBatch = 1u << 24;

// Adds --batch-size, counted in `what` ("lines", "games").
void add_batch_option(CLI::App& command, std::string& typed, const std::string& what);

// Makes sense of the common flags. `allowed` are the formats of this command, the default first;
// without --format the suffix of -o decides (.jsonl and .json, .csv, .txt, .pgn, .md).
CommonArguments meant(const CommonTyped& typed, std::initializer_list<Format> allowed);

// The files to read: those given, or "-" for none. Throws UsageError when none was given and
// standard input is a terminal.
std::vector<std::string> input_files(const std::vector<std::string>& files);

// A whole number of `what` from `text`; throws UsageError naming `what` and the range.
unsigned whole_number(std::string_view text, const std::string& what, unsigned least,
                      unsigned most);

}  // namespace cuarbiter
