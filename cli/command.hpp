// How a command joins the program: one function that adds its flags to the command line and says
// what is to be run when it is chosen. A further command is one more line in main.cpp.
#pragma once

#include <functional>

#include "cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace cuarbiter {

// What the chosen command will do. A command's parsing callback makes sense of what was typed
// (UsageError if there is none) and fills this in; it runs after all parsing is done.
struct Invocation {
  std::function<void(RunStatus&)> run;
  bool exit_zero = false;
  bool color = false;
};

using AddCommand = void (*)(CLI::App& root, Invocation& invocation);

void add_perft(CLI::App& root, Invocation& invocation);
void add_validate(CLI::App& root, Invocation& invocation);
void add_classify(CLI::App& root, Invocation& invocation);
void add_moves(CLI::App& root, Invocation& invocation);
void add_devices(CLI::App& root, Invocation& invocation);
void add_bench(CLI::App& root, Invocation& invocation);
void add_merge(CLI::App& root, Invocation& invocation);
void add_codes(CLI::App& root, Invocation& invocation);

}  // namespace cuarbiter
