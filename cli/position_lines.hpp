// Position lines (FEN, EPD) of many files, in batches, through worker threads and out in order.
//
// A batch holds lines of one file. What the reading thread does to a line is copying it; all else
// happens in the workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_status.hpp"
#include "cli/habits.hpp"
#include "cli/input_files.hpp"
#include "cli/messages.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "host/batch/ordered_pipeline.hpp"
#include "host/io/line_reader.hpp"

namespace cuarbiter {

// A longer line is no position: its beginning is kept for the report.
inline constexpr std::size_t kMaxPositionLine = 64 * 1024;
inline constexpr std::size_t kDefaultBatchLines = 16384;

// Lines of a file that may be looked at together, whatever the batches: a batch never ends inside
// such a group when it is asked for whole groups.
inline constexpr std::size_t kGroupLines = 256;
inline constexpr std::uint64_t group_of_line(std::uint64_t number) {
  return (number - 1) / kGroupLines;
}

struct LineBatch {
  struct Ref {
    std::size_t begin = 0;  // into text
    std::size_t length = 0;
    std::uint64_t number = 0;  // from 1, in its file
    bool truncated = false;
  };

  std::string file;             // for messages
  std::size_t file_number = 0;  // from 1, in the order given
  std::string text;
  std::vector<Ref> lines;
  std::string fault;  // why the file could not be read on, after these lines; empty: it could
  std::uint64_t consumed = 0;  // bytes of all files taken from the disk so far
  std::uint64_t expected = 0;  // bytes the open file and those before it have; 0 when not known

  std::string_view line(const Ref& ref) const {
    return std::string_view(text).substr(ref.begin, ref.length);
  }
  void clear() {
    file.clear();
    text.clear();
    lines.clear();
    fault.clear();
  }
};

// Reads the lines of the files of positions that come next, up to the first file of another kind. A
// file that cannot be read ends with a batch that says so, and the next file follows. Not
// thread-safe.
class PositionLines {
 public:
  // Batches of up to `batch_lines` lines (0: the default), and of a few MiB at most; with
  // `whole_groups` the group that is begun is taken whole. Keeps a reference to the files.
  PositionLines(InputFiles& files, std::size_t batch_lines, bool whole_groups = false);

  // The next batch, its lines in order; false when no file of positions follows.
  bool next(LineBatch& batch);

 private:
  bool open(LineBatch& batch);
  void close();
  void fill(LineBatch& batch);

  InputFiles& files_;
  std::size_t batch_lines_;
  bool whole_groups_;
  InputFile file_;  // being read
  std::unique_ptr<LineReader> reader_;
};

// A batch on its way through the pipeline, with what its worker made of it.
struct LineJob : LineBatch {
  std::string data;      // for the output
  std::string messages;  // for standard error
  bool findings = false;
  std::uint64_t count = 0;  // positions among the lines

  void reset_answers() {
    data.clear();
    messages.clear();
    findings = false;
    count = 0;
  }
};

// How a command goes through its lines.
struct LineRun {
  std::size_t batch_lines = 0;
  bool whole_groups = false;  // batches do not end inside a group of lines
  unsigned threads = 1;
  Habits habits;
};

// Says on standard error why a file could not be read on, if it could not.
inline void report_fault(const LineBatch& batch, const Habits& habits, RunStatus& status) {
  if (batch.fault.empty()) return;
  status.raise(ExitStatus::input);
  std::string text;
  append_error(text, batch.fault, habits.color);
  say(text);
}

// Writes what a worker made of a batch and what went wrong in reading it.
inline void emit(const LineJob& job, const Habits& habits, Output& output, RunStatus& status) {
  if (job.findings) status.raise(ExitStatus::findings);
  say(job.messages);
  report_fault(job, habits, status);
  output.write(job.data);
}

// Job is LineJob or derived from it; `work(Job&)` is called on the worker threads and fills in
// data, messages, findings and count. Returns the number of records.
template <class Job, class Work>
std::uint64_t run_position_lines(const LineRun& run, InputFiles& files, Output& output,
                                 RunStatus& status, Work&& work) {
  PositionLines lines(files, run.batch_lines, run.whole_groups);
  Progress progress(run.habits);
  std::uint64_t records = 0;
  run_ordered_pipeline<Job>(
      PipelineOptions{run.threads, 0}, [&](Job& job) { return lines.next(job); },
      [&](Job& job, unsigned) {
        job.reset_answers();
        work(job);
      },
      [&](Job& job) {
        progress.clear();
        emit(job, run.habits, output, status);
        records += job.count;
        progress.show(records, "positions", job.consumed, job.expected);
      });
  return records;
}

}  // namespace cuarbiter
