// Position lines read, classified in batches and written as text, JSON Lines or CSV.
#include "cli/classify_positions.hpp"

#include <fmt/format.h>

#include <iterator>

#include "cli/classify_fields.hpp"
#include "cli/position_lines.hpp"
#include "cli/position_text.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {
namespace {

struct PositionsJob : RecordJob {
  std::vector<PositionFacts> facts;   // one a position
  std::vector<PositionState> states;  // the same
  std::vector<bool> black;
  std::vector<std::uint64_t> groups;  // of lines
  std::string fen;                    // scratch
};

// Turns one record into text of the chosen format.
class PositionWriter {
 public:
  PositionWriter(const ClassifyArguments& arguments, PositionsJob& job)
      : arguments_(arguments), job_(job) {
    append_visible(where_, job.file);
    where_ += ':';
  }

  // `facts` and `state` are null when the position cannot be computed.
  void write(const LineBatch::Ref& ref, const PositionLine& record, const PositionFacts* facts,
             const PositionState* state) {
    DescribedPosition described;
    if (facts != nullptr) {
      described.fen = job_.line(ref);
      if (!record.fen.normal) {
        job_.fen.clear();
        append_fen(job_.fen, record.fen);
        described.fen = job_.fen;
      }
      described.position = record.fen.position;
      described.black = record.fen.black();
      described.men = record.fen.men;
      described.facts = *facts;
      described.state = *state;
      if (arguments_.proof.lines) {
        prove_state(described.state, described.position, described.black,
                    record.fen.chess960 || arguments_.fen.chess960, arguments_.proof, lines_);
      }
    } else {
      lines_ = ProofLines{};
    }
    const DescribedPosition* position = facts == nullptr ? nullptr : &described;
    switch (arguments_.common.format) {
      case Format::jsonl:
        return write_json(ref, record, position);
      case Format::csv:
        return write_csv(ref, record, position);
      default:
        return write_text(ref, record, position);
    }
  }

 private:
  void write_json(const LineBatch::Ref& ref, const PositionLine& record,
                  const DescribedPosition* position) {
    JsonObject object(job_.data);
    object.plain("type", "position").integer("line", ref.number);
    if (record.fen.normal) {
      object.plain_line("input", job_.line(ref));
    } else {
      object.string("input", job_.line(ref));
    }
    object.boolean("valid", record.fen.valid());
    append_position(object, position);
    append_proof(object, arguments_.proof, lines_);
    append_defects(object, record.fen);
    object.end_line();
  }

  void write_csv(const LineBatch::Ref& ref, const PositionLine& record,
                 const DescribedPosition* position) {
    CsvRow row(job_.data);
    row.field(ref.number).field(job_.line(ref)).field(record.fen.valid());
    append_position(row, position);
    row.field(defect_codes(record.fen, true, " "));
    append_proof(row, arguments_.proof, lines_);
    row.end();
    report(ref, record);
  }

  void write_text(const LineBatch::Ref& ref, const PositionLine& record,
                  const DescribedPosition* position) {
    std::string& out = job_.data;
    out += where_;
    out += fmt::format_int(ref.number).c_str();
    out += ": ";
    if (!record.fen.valid()) {
      fmt::format_to(std::back_inserter(out), "impossible ({}), ",
                     defect_codes(record.fen, false, ", "));
    }
    if (position == nullptr) {
      out += "not computable: ";
      append_visible(out, job_.line(ref));
    } else {
      append_position(out, *position);
      append_proof(out, arguments_.proof, lines_);
    }
    out += '\n';
    report(ref, record);
  }

  // jsonl has the defects in its records; the other formats leave the details to standard error.
  void report(const LineBatch::Ref& ref, const PositionLine& record) {
    if (record.fen.defects.empty()) return;
    const Habits& habits = arguments_.common.habits;
    append_defects(job_.messages, job_.file, ref.number, record.fen,
                   {arguments_.strict, arguments_.strict || habits.verbose, habits.color});
  }

  const ClassifyArguments& arguments_;
  PositionsJob& job_;
  std::string where_;  // the file, as text begins with it
  ProofLines lines_;   // of the record being written
};

void classify_batch(const ClassifyArguments& arguments, Backend& backend, PositionsJob& job) {
  read_records(job, arguments.fen);
  job.facts.resize(job.positions.size());
  backend.classify(job.positions, job.facts);
  job.states.clear();
  job.black.clear();
  job.groups.clear();
  for (std::size_t i = 0; i < job.count; ++i) {
    const FenResult& fen = job.records[i].fen;
    if (!fen.computable) continue;
    const PositionFacts& facts = job.facts[job.states.size()];
    job.black.push_back(fen.black());
    job.groups.push_back(group_of_line(job.lines[job.line_of[i]].number));
    job.states.push_back(position_state(facts, fen.halfmove_clock, fen.black(), arguments.rules));
  }
  if (!arguments.proof.lines) {
    std::vector<bool> leads;
    if (arguments.proof.nodes != 0) {
      leads = leads_to_next(job.states, job.positions, job.black, job.groups);
    }
    prove_states(backend, job.states, job.facts, job.positions, job.black, leads, arguments.proof);
  }
  PositionWriter writer(arguments, job);
  std::size_t at = 0;
  for (std::size_t i = 0; i < job.count; ++i) {
    const PositionLine& record = job.records[i];
    const bool computable = record.fen.computable;
    if (has_findings(record.fen, arguments.strict)) job.findings = true;
    writer.write(job.lines[job.line_of[i]], record, computable ? &job.facts[at] : nullptr,
                 computable ? &job.states[at] : nullptr);
    if (computable) ++at;
  }
}

}  // namespace

std::string_view classify_positions_header() {
  static const std::string header = fmt::format("line,input,valid,{},defects\n", kPositionColumns);
  return header;
}

void classify_positions(const ClassifyArguments& arguments, InputFiles& files, Backend& backend,
                        unsigned threads, Output& output, RunStatus& status) {
  // What lines tell of each other must not depend on batches.
  const bool groups = arguments.proof.nodes != 0 && !arguments.proof.lines;
  // Where the processor does the work, what becomes of a batch better stays in its caches.
  constexpr std::size_t kCpuBatchLines = 2048;
  const bool small = arguments.batch_size == 0 && backend.info().name == "cpu";
  const LineRun run{small ? kCpuBatchLines : arguments.batch_size, groups, threads,
                    arguments.common.habits};
  run_position_lines<PositionsJob>(run, files, output, status, [&](PositionsJob& job) {
    classify_batch(arguments, backend, job);
  });
}

}  // namespace cuarbiter
