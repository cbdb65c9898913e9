// The program: reads the command line, runs the command, and turns whatever happened into an exit
// status.
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <new>
#include <string>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/messages.hpp"
#include "cli/output.hpp"
#include "host/backend.hpp"
#include "host/io/error.hpp"

namespace cuarbiter {
namespace {

constexpr AddCommand kCommands[] = {add_perft, add_validate, add_classify, add_moves,
                                    add_merge, add_devices,  add_bench,    add_codes};

// A descriptor 0, 1 or 2 that is closed would be given to the next file that is opened, and output
// meant for nobody would end up in it.
void occupy_standard_descriptors() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // Standard output is opened for reading only: writing to it must still fail.
    if (::open("/dev/null", descriptor == 1 ? O_RDONLY : O_RDWR) != descriptor) return;
  }
}

// Memory of large blocks goes back to the system when they are freed. By itself glibc keeps more
// and more of it in the heaps of the threads, the larger the blocks have been.
void give_back_large_blocks() {
#if defined(__GLIBC__)
  static_cast<void>(::mallopt(M_MMAP_THRESHOLD, 4 << 20));
#endif
}

void write_all(int descriptor, const std::string& text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const ssize_t written = ::write(descriptor, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    at += static_cast<std::size_t>(written);
  }
}

ExitStatus usage(const std::string& message) {
  std::string text;
  append_error(text, message, false);
  text += "Try \"cuarbiter --help\" or \"cuarbiter COMMAND --help\".\n";
  say(text);
  return ExitStatus::usage;
}

// Runs the command chosen; what it throws becomes a message and a status.
void run(const Invocation& invocation, RunStatus& status) {
  const auto fail = [&](ExitStatus as, const std::string& message) {
    status.raise(as);
    std::string text;
    append_error(text, message, invocation.color);
    say(text);
  };
  try {
    invocation.run(status);
  } catch (const ClosedPipe&) {
    // A quiet success.
  } catch (const UsageError& error) {
    fail(ExitStatus::usage, error.what());
  } catch (const IoError& error) {
    fail(ExitStatus::input, error.what());
  } catch (const BackendError& error) {
    fail(ExitStatus::backend, error.what());
  } catch (const std::bad_alloc&) {
    fail(ExitStatus::internal, "out of memory; --memory or --batch-size may help");
  } catch (const std::exception& error) {
    fail(ExitStatus::internal, std::string("internal: ") + error.what());
  }
}

// No argument of any command may be empty: it would be taken for one that was not given.
void refuse_empty_arguments(CLI::App& root) {
  for (CLI::App* command : root.get_subcommands([](CLI::App*) { return true; })) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_type_size() == 0) continue;
      option->check([](const std::string& value) {
        return value.empty() ? std::string("the argument is empty") : std::string();
      });
    }
  }
}

ExitStatus run_program(int argc, char** argv) {
  CLI::App root(
      "GPU-accelerated chess arbiter for bulk work: perft, PGN validation, classification",
      "cuarbiter");
  root.set_help_flag("-h,--help", "print this help and exit");
  root.set_version_flag("--version", "cuarbiter " CUARBITER_VERSION, "print the version and exit");
  root.require_subcommand(1);
  root.footer(kProgramHelp);
  Invocation invocation;
  for (const AddCommand add : kCommands) add(root, invocation);
  refuse_empty_arguments(root);
  try {
    root.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    write_all(STDOUT_FILENO, root.help());
    return ExitStatus::clean;
  } catch (const CLI::CallForVersion& version) {
    write_all(STDOUT_FILENO, version.what() + std::string("\n"));
    return ExitStatus::clean;
  } catch (const CLI::ParseError& error) {
    return usage(error.what());
  } catch (const UsageError& error) {
    return usage(error.what());
  } catch (const IoError& error) {
    std::string text;
    append_error(text, error.what(), false);
    say(text);
    return ExitStatus::input;
  }
  RunStatus status;
  run(invocation, status);
  return with_exit_zero(status.status(), invocation.exit_zero);
}

}  // namespace
}  // namespace cuarbiter

int main(int argc, char** argv) {
  using namespace cuarbiter;
  occupy_standard_descriptors();
  give_back_large_blocks();
  install_signal_handlers();
  try {
    return static_cast<int>(run_program(argc, argv));
  } catch (const std::exception& error) {
    say(std::string("cuarbiter: error: internal: ") + error.what() + "\n");
    return static_cast<int>(ExitStatus::internal);
  }
}
