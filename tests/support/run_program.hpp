// Runs a program as a user's shell would and gives back what it wrote and how it ended. Input and
// output go through files, so that no pipe can fill up.
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace cuarbiter::test {

// A folder of its own that goes away with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "cuarbiter-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }
  // Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream file(path_ / name, std::ios::binary);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    return path(name);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      out.push_back(entry.path().filename().string());
    }
    return out;
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct RunResult {
  int status = -1;  // exit status; 128 + n for a signal n
  std::string output;
  std::string errors;
  std::uint64_t peak_bytes = 0;  // the most memory it had at once (resident set)
};

struct RunOptions {
  std::string input;                     // standard input
  std::vector<std::string> environment;  // NAME=VALUE, added
  bool closed_pipe = false;              // standard output is a pipe that nobody reads
  bool without_output = false;           // standard output is closed
  int input_pipe = -1;                   // standard input, in place of `input`
};

// Runs `words[0]` with the other words as arguments and waits for its end.
inline RunResult run_program(const std::vector<std::string>& words,
                             const RunOptions& options = {}) {
  const TemporaryFolder folder;
  const std::string in = folder.write("in", options.input);
  const std::string out = folder.path("out"), err = folder.path("err");
  int pipe_ends[2] = {-1, -1};
  if (options.closed_pipe && ::pipe(pipe_ends) != 0) throw std::runtime_error("no pipe");
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    const int input =
        options.input_pipe >= 0 ? options.input_pipe : ::open(in.c_str(), O_RDONLY | O_CLOEXEC);
    const int output = options.closed_pipe
                           ? pipe_ends[1]
                           : ::open(out.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const int errors = ::open(err.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ::dup2(input, 0);
    ::dup2(output, 1);
    ::dup2(errors, 2);
    if (options.closed_pipe) {
      ::close(pipe_ends[0]);
      ::close(pipe_ends[1]);
    }
    if (options.without_output) ::close(1);
    for (const std::string& variable : options.environment) {
      ::putenv(const_cast<char*>(variable.c_str()));
    }
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  if (options.closed_pipe) {
    ::close(pipe_ends[0]);
    ::close(pipe_ends[1]);
  }
  int state = 0;
  struct rusage used {};
  while (::wait4(child, &state, 0, &used) < 0) {
  }
  RunResult result;
  result.status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
  result.peak_bytes = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
  result.output = read_file(out);
  result.errors = read_file(err);
  return result;
}

}  // namespace cuarbiter::test
