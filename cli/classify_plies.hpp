// classify --every-ply on PGN files: the state after each move of every game.
#pragma once

#include <string_view>

#include "cli/classify_command.hpp"
#include "cli/exit_status.hpp"
#include "cli/input_files.hpp"
#include "cli/output.hpp"
#include "host/backend.hpp"

namespace cuarbiter {

// The head of the CSV form.
std::string_view classify_plies_header();

// Writes one record a ply of the main lines of the PGN files that come next, in the order of play;
// what is wrong with a game goes to standard error. Raises `status` and throws as classify_games.
void classify_plies(const ClassifyArguments& arguments, InputFiles& files, Backend& backend,
                    unsigned threads, Output& output, RunStatus& status);

}  // namespace cuarbiter
