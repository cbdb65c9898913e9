// Heads, records and ends of run files.
#include "host/batch/run_file.hpp"

#include "host/io/error.hpp"
#include "host/io/line_reader.hpp"
#include "host/io/source.hpp"
#include "host/report/json.hpp"
#include "host/report/json_read.hpp"

namespace cuarbiter {
namespace {

constexpr std::uint64_t kVersion = 1;
// Records hold a move, a position or a problem; the longest of them are far below this.
constexpr std::size_t kMostLine = std::size_t{16} << 20;

std::string_view kind_name(RunFileKind kind) {
  return kind == RunFileKind::part ? "part" : "checkpoint";
}

}  // namespace

const std::string* RunIdentity::find(std::string_view name) const {
  for (const auto& [key, value] : fields) {
    if (key == name) return &value;
  }
  return nullptr;
}

std::string identity_difference(const RunIdentity& expected, const RunIdentity& found) {
  if (expected.command != found.command) {
    return "the command is " + found.command + ", not " + expected.command;
  }
  for (const auto& [name, value] : expected.fields) {
    const std::string* const other = found.find(name);
    if (other == nullptr) return name + " is missing";
    if (*other == value) continue;
    if (name == "inputs") return "the input is another";
    return name + " is " + *other + ", not " + value;
  }
  for (const auto& field : found.fields) {
    if (expected.find(field.first) == nullptr) return field.first + " is " + field.second;
  }
  return {};
}

std::string RunFileWriter::head(RunFileKind kind, const RunIdentity& identity) {
  std::string out;
  JsonObject object(out);
  object.string("type", kind_name(kind))
      .integer("version", kVersion)
      .string("command", identity.command);
  for (const auto& [name, value] : identity.fields) object.string(name, value);
  object.integer("shard", identity.shard.index).integer("shards", identity.shard.count).end_line();
  digest_.add(std::string_view(out).substr(0, out.size() - 1));
  return out;
}

void RunFileWriter::add(std::string_view lines) {
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    digest_.add(lines.substr(0, end));
    ++records_;
    if (end == std::string_view::npos) return;
    lines.remove_prefix(end + 1);
  }
}

std::string RunFileWriter::end() const {
  std::string out;
  JsonObject(out)
      .string("type", "end")
      .integer("records", records_)
      .string("digest", digest_.text())
      .end_line();
  return out;
}

RunFileReader::RunFileReader(ByteSource& source)
    : source_(source), lines_(std::make_unique<LineReader>(source, kMostLine)) {
  Line line;
  if (!lines_->next(line)) fail("is empty");
  const auto head = JsonValue::parse(line.text);
  const auto type = head ? head->string("type") : std::nullopt;
  if (type != "part" && type != "checkpoint") fail("is neither a part nor a checkpoint");
  kind_ = type == "part" ? RunFileKind::part : RunFileKind::checkpoint;
  const auto version = head->integer("version");
  if (version != kVersion) fail("was written by another version of the program");
  const auto command = head->string("command");
  const auto shard = head->integer("shard"), shards = head->integer("shards");
  if (!command || !shard || !shards || *shard < 1 || *shard > *shards || *shards > kMostShards) {
    fail("has no proper head");
  }
  identity_.command = *command;
  identity_.shard = Shard{static_cast<unsigned>(*shard), static_cast<unsigned>(*shards)};
  for (const auto& [name, value] : head->members()) {
    if (name == "type" || name == "version" || name == "command") continue;
    if (value.kind() == JsonValue::Kind::string) identity_.fields.emplace_back(name, value.text());
  }
  digest_.add(line.text);
}

RunFileReader::~RunFileReader() = default;

bool RunFileReader::next(std::string& record) {
  Line line;
  if (!lines_->next(line)) fail("was cut short");
  if (line.truncated || !line.terminated) fail("was cut short");
  if (line.text.rfind("{\"type\":\"end\",", 0) == 0) {
    const auto end = JsonValue::parse(line.text);
    if (!end || end->integer("records") != records_ || end->string("digest") != digest_.text()) {
      fail("is damaged: its digest is another");
    }
    if (lines_->next(line)) fail("goes on behind its end");
    return false;
  }
  digest_.add(line.text);
  ++records_;
  record.assign(line.text);
  return true;
}

void RunFileReader::fail(const std::string& what) const {
  throw IoError(source_.name() + ": " + what);
}

}  // namespace cuarbiter
