// Checkpoints as files.
#include "host/batch/checkpoint.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <memory>

#include "host/io/durable_file.hpp"
#include "host/io/source.hpp"

namespace cuarbiter {

void save_checkpoint(const std::string& path, const RunIdentity& identity,
                     const std::vector<std::string>& records) {
  RunFileWriter writer;
  std::string text = writer.head(RunFileKind::checkpoint, identity);
  for (const std::string& record : records) {
    writer.add(record);
    text += record;
    text += '\n';
  }
  text += writer.end();
  write_durably(path, text);
}

std::optional<std::vector<std::string>> load_checkpoint(const std::string& path,
                                                        const RunIdentity& identity) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 && errno == ENOENT) return std::nullopt;
  const std::unique_ptr<ByteSource> source = open_raw_source(path);
  RunFileReader reader(*source);
  std::string difference = reader.kind() == RunFileKind::checkpoint
                               ? identity_difference(identity, reader.identity())
                               : "it is a part";
  const Shard& here = identity.shard;
  const Shard& there = reader.identity().shard;
  if (difference.empty() && here != there) {
    difference = "it is shard " + std::to_string(there.index) + "/" + std::to_string(there.count) +
                 ", not " + std::to_string(here.index) + "/" + std::to_string(here.count);
  }
  if (!difference.empty()) {
    throw CheckpointMismatch(path + ": the checkpoint is of another run: " + difference);
  }
  std::vector<std::string> records;
  std::string record;
  while (reader.next(record)) records.push_back(record);
  return records;
}

}  // namespace cuarbiter
