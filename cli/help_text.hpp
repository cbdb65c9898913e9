// The long texts of --help.
#pragma once

#include <string>

namespace cuarbiter {

extern const std::string kProgramHelp;
extern const std::string kPerftHelp;
extern const std::string kValidateHelp;
extern const std::string kClassifyHelp;
extern const std::string kMovesHelp;
extern const std::string kDevicesHelp;
extern const std::string kBenchHelp;
extern const std::string kMergeHelp;
extern const std::string kCodesHelp;

}  // namespace cuarbiter
