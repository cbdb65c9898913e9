// classify on PGN files: the state that each game ends in.
#pragma once

#include <string_view>

#include "cli/classify_command.hpp"
#include "cli/exit_status.hpp"
#include "cli/input_files.hpp"
#include "cli/output.hpp"
#include "host/backend.hpp"

namespace cuarbiter {

// The head of the CSV form.
std::string_view classify_games_header();

// Writes one record a game of the PGN files that come next; raises `status` on findings and files
// that cannot be read. Throws IoError when the output cannot be written, BackendError.
void classify_games(const ClassifyArguments& arguments, InputFiles& files, Backend& backend,
                    unsigned threads, Output& output, RunStatus& status);

}  // namespace cuarbiter
