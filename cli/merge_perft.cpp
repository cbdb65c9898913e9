// Parts of perft added up.
#include <fmt/format.h>

#include <charconv>

#include "cli/merge_parts.hpp"
#include "cli/perft_records.hpp"
#include "host/batch/uint128_text.hpp"
#include "host/io/error.hpp"
#include "host/report/json_read.hpp"

namespace cuarbiter {
namespace {

struct Count {
  bool divide = false;  // of a first move
  std::uint64_t line = 0;
  std::string name;  // the move, or the FEN
  Uint128 nodes{};
};

class PerftMerge final : public PartTaker {
 public:
  explicit PerftMerge(const PerftForm& form) : form_(form) {}

  void begin_part(const std::string& file) override {
    check_complete();
    file_ = file;
    at_ = 0;
    ++parts_;
  }

  void take(const std::string& record) override {
    Count count = read(record);
    if (parts_ == 1) {
      counts_.push_back(std::move(count));
    } else {
      if (at_ >= counts_.size()) fail("has more records than the parts before it");
      Count& sum = counts_[at_];
      if (sum.divide != count.divide || sum.line != count.line || sum.name != count.name) {
        fail("has other records than the parts before it");
      }
      if (add(sum.nodes, count.nodes)) fail("makes a count pass 128 bits");
    }
    ++at_;
  }

  void finish(Output& output) override {
    check_complete();
    const PerftRecords records(form_);
    std::string out = records.head();
    // The moves of a root come before it, and csv names the root with each of them.
    std::size_t first = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i].divide) continue;
      const PerftRecords::Root root{counts_[i].line, counts_[i].name};
      for (; first < i; ++first)
        records.divide(out, root, counts_[first].name, counts_[first].nodes);
      records.total(out, root, counts_[i].nodes);
      first = i + 1;
    }
    output.write(out);
  }

 private:
  void check_complete() const {
    if (parts_ != 0 && at_ != counts_.size()) fail("has fewer records than the parts before it");
  }

  Count read(const std::string& text) const {
    const auto record = JsonValue::parse(text);
    const auto type = record ? record->string("type") : std::nullopt;
    Count count;
    count.divide = type == "divide";
    const auto line = record ? record->integer("line") : std::nullopt;
    const auto name = record ? record->string(count.divide ? "move" : "fen") : std::nullopt;
    const auto nodes = parse_uint128(record ? record->string("nodes").value_or("") : "");
    if ((type != "perft" && type != "divide") || !line || !name || !nodes) {
      fail("has a record that cannot be read");
    }
    count.line = *line;
    count.name = *name;
    count.nodes = *nodes;
    return count;
  }

  [[noreturn]] void fail(const std::string& what) const { throw IoError(file_ + ": " + what); }

  PerftForm form_;
  std::vector<Count> counts_;
  std::string file_;
  std::size_t at_ = 0;
  unsigned parts_ = 0;
};

}  // namespace

std::unique_ptr<PartTaker> merge_perft(const RunIdentity& identity, Format format) {
  const auto is = [&](const char* name, const char* value) {
    const std::string* const found = identity.find(name);
    return found != nullptr && *found == value;
  };
  PerftForm form;
  form.format = format;
  const std::string* const depth = identity.find("depth");
  if (depth != nullptr) {
    std::from_chars(depth->data(), depth->data() + depth->size(), form.depth);
  }
  form.lines = is("lines", "yes");
  form.divide = is("divide", "yes");
  return std::make_unique<PerftMerge>(form);
}

}  // namespace cuarbiter
