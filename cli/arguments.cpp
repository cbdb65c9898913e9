// The common flags and what they mean.
#include "cli/arguments.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "cli/size_text.hpp"
#include "host/io/source.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {
namespace {

Format format_of(std::string_view name) {
  for (const Format format :
       {Format::text, Format::jsonl, Format::csv, Format::pgn, Format::markdown}) {
    if (format_name(format) == name) return format;
  }
  throw UsageError(fmt::format("--format: there is no format \"{}\"", visible(name)));
}

// What the suffix of an output file says; nothing when it says nothing.
const Format* format_by_suffix(const std::string& path) {
  struct Suffix {
    std::string_view text;
    Format format;
  };
  static constexpr Suffix kSuffixes[] = {{".jsonl", Format::jsonl}, {".json", Format::jsonl},
                                         {".csv", Format::csv},     {".txt", Format::text},
                                         {".pgn", Format::pgn},     {".md", Format::markdown}};
  for (const Suffix& suffix : kSuffixes) {
    if (path.size() > suffix.text.size() &&
        path.compare(path.size() - suffix.text.size(), std::string::npos, suffix.text) == 0) {
      return &suffix.format;
    }
  }
  return nullptr;
}

std::vector<int> device_list(const std::string& text) {
  std::vector<int> devices;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const int device = static_cast<int>(
        whole_number(std::string_view(text).substr(at, comma - at), "--device", 0, 1023));
    if (std::find(devices.begin(), devices.end(), device) != devices.end()) {
      throw UsageError(fmt::format("--device: device {} is named twice", device));
    }
    devices.push_back(device);
    at = comma + 1;
  }
  return devices;
}

std::uint64_t size_argument(const std::string& text, const char* flag) {
  const std::optional<std::uint64_t> size = parse_size(text);
  if (!size) {
    throw UsageError(fmt::format(
        "{}: \"{}\" is no amount of memory; write bytes or a unit, such as 512M or 8GiB", flag,
        visible(text)));
  }
  return *size;
}

BackendRequest backend_meant(const CommonTyped& typed) {
  BackendRequest request;
  if (typed.backend == "cpu") {
    request.kind = BackendKind::cpu;
  } else if (typed.backend == "cuda") {
    request.kind = BackendKind::cuda;
  } else if (typed.backend != "auto") {
    throw UsageError(fmt::format("--backend: there is no backend \"{}\"; use auto, cpu or cuda",
                                 visible(typed.backend)));
  }
  if (!typed.devices.empty()) {
    if (request.kind == BackendKind::cpu)
      throw UsageError("--device does not go with --backend cpu");
    // A device that is named must be used or the run fails.
    request.kind = BackendKind::cuda;
    request.all_devices = typed.devices == "all";
    if (!request.all_devices) request.devices = device_list(typed.devices);
  }
  request.threads = typed.threads;
  if (!typed.memory.empty()) request.memory_bytes = size_argument(typed.memory, "--memory");
  if (!typed.device_memory.empty()) {
    if (const std::optional<unsigned> percent = parse_percent(typed.device_memory)) {
      request.device_memory_percent = *percent;
    } else {
      request.device_memory_bytes = size_argument(typed.device_memory, "--device-memory");
    }
  }
  return request;
}

bool automatic_or(const std::string& text, const char* flag, bool automatic) {
  if (text == "auto") return automatic;
  if (text == "always") return true;
  if (text == "never") return false;
  throw UsageError(fmt::format("{}: \"{}\" is none of auto, always, never", flag, visible(text)));
}

}  // namespace

std::string_view format_name(Format format) {
  switch (format) {
    case Format::text:
      return "text";
    case Format::jsonl:
      return "jsonl";
    case Format::csv:
      return "csv";
    case Format::pgn:
      return "pgn";
    case Format::markdown:
      return "markdown";
  }
  return "text";
}

void add_common_options(CLI::App& command, CommonTyped& typed, const std::string& formats) {
  const std::string output = "Output";
  command.add_option("--format", typed.format, "output form; otherwise the suffix of -o decides")
      ->type_name(formats)
      ->group(output);
  command
      .add_option("-o,--output", typed.output,
                  "write to FILE, which appears under its name only when complete")
      ->type_name("FILE")
      ->group(output);
  command.add_flag("--exit-zero", typed.exit_zero, "exit with 0 instead of 1 on findings")
      ->group(output);
  const std::string terminal = "Terminal";
  command.add_option("--progress", typed.progress, "a progress line on standard error")
      ->type_name("auto|always|never")
      ->group(terminal);
  command
      .add_flag("--progress-json", typed.progress_json,
                "progress as JSON Lines on standard error, about one a second")
      ->group(terminal);
  command
      .add_option("--progress-interval", typed.progress_interval,
                  "seconds between two reports of progress, at least")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 86400.0).description(""))
      ->group(terminal);
  command.add_option("--color", typed.color, "colours on standard error (NO_COLOR is respected)")
      ->type_name("auto|always|never")
      ->group(terminal);
  command.add_flag("-q,--quiet", typed.quiet, "say nothing but errors")->group(terminal);
  command.add_flag("-v,--verbose", typed.verbose, "say more")->group(terminal);
}

void add_backend_options(CLI::App& command, CommonTyped& typed) {
  const std::string group = "Where to compute";
  command
      .add_option("--backend", typed.backend,
                  "auto takes a usable CUDA device, else the CPU; a named one must run")
      ->type_name("auto|cpu|cuda")
      ->group(group);
  command.add_option("--device", typed.devices, "CUDA devices to use (implies --backend cuda)")
      ->type_name("0,1|all")
      ->group(group);
  command.add_option("-j,--threads", typed.threads, "CPU threads; 0: all this process may use")
      ->type_name("N")
      ->check(CLI::Range(0, 4096).description(""))
      ->group(group);
  command.add_option("--memory", typed.memory, "memory budget, such as 512M or 8GiB")
      ->type_name("SIZE")
      ->group(group);
  command
      .add_option("--device-memory", typed.device_memory,
                  "memory budget on each device, in bytes or as a share of what is free")
      ->type_name("SIZE|P%")
      ->group(group);
}

void add_batch_option(CLI::App& command, std::string& typed, const std::string& what) {
  command.add_option("--batch-size", typed, what + " a batch; the output does not depend on it")
      ->type_name("N")
      ->group("Where to compute");
}

CommonArguments meant(const CommonTyped& typed, std::initializer_list<Format> allowed) {
  CommonArguments arguments;
  arguments.format = *allowed.begin();
  const auto is_allowed = [&](Format format) {
    return std::find(allowed.begin(), allowed.end(), format) != allowed.end();
  };
  if (!typed.format.empty()) {
    arguments.format = format_of(typed.format);
    if (!is_allowed(arguments.format)) {
      std::string names;
      for (const Format format : allowed) {
        names += (names.empty() ? "" : ", ") + std::string(format_name(format));
      }
      throw UsageError(
          fmt::format("--format: this command writes {}, not {}", names, typed.format));
    }
  } else if (const Format* format = format_by_suffix(typed.output)) {
    if (is_allowed(*format)) arguments.format = *format;
  }
  arguments.output = typed.output;
  arguments.backend = backend_meant(typed);
  if (typed.quiet && typed.verbose) throw UsageError("-q and -v do not go together");
  const bool terminal = is_terminal(STDERR_FILENO);
  arguments.habits.quiet = typed.quiet;
  arguments.habits.verbose = typed.verbose;
  arguments.habits.progress = automatic_or(typed.progress, "--progress", terminal && !typed.quiet);
  arguments.habits.progress_json = typed.progress_json;
  arguments.habits.progress_interval = typed.progress_interval;
  const bool color_always = automatic_or(typed.color, "--color", false);
  arguments.habits.color =
      typed.color == "auto" ? use_color(ColorMode::automatic, terminal) : color_always;
  arguments.exit_zero = typed.exit_zero;
  return arguments;
}

std::vector<std::string> input_files(const std::vector<std::string>& files) {
  if (!files.empty()) return files;
  if (is_terminal(STDIN_FILENO)) {
    throw UsageError("no FILE given and standard input is a terminal; name a file, or - to type");
  }
  return {"-"};
}

unsigned whole_number(std::string_view text, const std::string& what, unsigned least,
                      unsigned most) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    throw UsageError(fmt::format("{}: \"{}\" is no whole number from {} to {}", what, visible(text),
                                 least, most));
  }
  return value;
}

}  // namespace cuarbiter
