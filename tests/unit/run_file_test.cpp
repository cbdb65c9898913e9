// Parts and checkpoints as files: round trips, other runs, and every kind of damage.
#include "host/batch/run_file.hpp"

#include <gtest/gtest.h>

#include "host/batch/checkpoint.hpp"
#include "host/io/error.hpp"
#include "host/io/memory_source.hpp"
#include "tests/support/run_program.hpp"

namespace cuarbiter {
namespace {

RunIdentity identity() {
  return {"perft", {{"inputs", "00ff"}, {"depth", "9"}}, Shard{2, 5}};
}

std::string part(const std::string& records) {
  RunFileWriter writer;
  std::string text = writer.head(RunFileKind::part, identity());
  writer.add(records);
  return text + records + writer.end();
}

// What is read; throws as the reader does.
std::vector<std::string> read(const std::string& text) {
  MemorySource source(text, "file");
  RunFileReader reader(source);
  std::vector<std::string> out;
  std::string record;
  while (reader.next(record)) out.push_back(record);
  return out;
}

TEST(RunFile, RoundTrip) {
  const std::string text = part("{\"a\":1}\n{\"b\":\"x\"}\n");
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "{\"type\":\"part\",\"version\":1,\"command\":\"perft\",\"inputs\":\"00ff\","
            "\"depth\":\"9\",\"shard\":2,\"shards\":5}");
  EXPECT_EQ(read(text), (std::vector<std::string>{"{\"a\":1}", "{\"b\":\"x\"}"}));
  MemorySource source(text, "file");
  const RunFileReader reader(source);
  EXPECT_EQ(reader.kind(), RunFileKind::part);
  EXPECT_EQ(reader.identity().command, "perft");
  EXPECT_EQ(reader.identity().fields, identity().fields);
  EXPECT_EQ(reader.identity().shard, identity().shard);
  EXPECT_TRUE(read(part("")).empty());
}

TEST(RunFile, EveryChangedByteAndEveryCutIsSeen) {
  const std::string good = part("{\"nodes\":\"123\"}\n{\"nodes\":\"456\"}\n");
  for (std::size_t at = 0; at < good.size(); ++at) {
    EXPECT_THROW(read(good.substr(0, at)), IoError) << at;
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    EXPECT_THROW(read(bad), IoError) << at << ' ' << bad;
  }
  EXPECT_THROW(read(good + "x"), IoError);
  EXPECT_THROW(read(good + good), IoError);
  // A record lost, doubled or moved.
  const std::string end = good.substr(good.rfind("{\"type\":\"end\""));
  const std::string head = good.substr(0, good.find('\n') + 1);
  EXPECT_THROW(read(head + "{\"nodes\":\"123\"}\n" + end), IoError);
  EXPECT_THROW(read(head + "{\"nodes\":\"456\"}\n{\"nodes\":\"123\"}\n" + end), IoError);
}

TEST(RunFile, DifferencesAreNamed) {
  const RunIdentity one = identity();
  EXPECT_EQ(identity_difference(one, one), "");
  RunIdentity other = one;
  other.shard = Shard{1, 5};
  EXPECT_EQ(identity_difference(one, other), "");
  other.fields[1].second = "8";
  EXPECT_EQ(identity_difference(one, other), "depth is 8, not 9");
  other = one;
  other.fields[0].second = "0";
  EXPECT_EQ(identity_difference(one, other), "the input is another");
  other = one;
  other.command = "validate";
  EXPECT_EQ(identity_difference(one, other), "the command is validate, not perft");
  other = one;
  other.fields.pop_back();
  EXPECT_EQ(identity_difference(one, other), "depth is missing");
  EXPECT_EQ(identity_difference(other, one), "depth is 9");
}

TEST(Checkpoint, IsReadByItsOwnRunOnly) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("state");
  EXPECT_FALSE(load_checkpoint(path, identity()));
  save_checkpoint(path, identity(), {"{\"row\":1}"});
  save_checkpoint(path, identity(), {"{\"row\":2}", "{\"row\":3}"});
  EXPECT_EQ(folder.names(), std::vector<std::string>{"state"});
  const auto records = load_checkpoint(path, identity());
  ASSERT_TRUE(records);
  EXPECT_EQ(*records, (std::vector<std::string>{"{\"row\":2}", "{\"row\":3}"}));
  RunIdentity other = identity();
  other.shard.index = 3;
  EXPECT_THROW(load_checkpoint(path, other), CheckpointMismatch);
  other = identity();
  other.fields[0].second = "1";
  EXPECT_THROW(load_checkpoint(path, other), CheckpointMismatch);
  folder.write("state", part(""));
  EXPECT_THROW(load_checkpoint(path, identity()), CheckpointMismatch);
  folder.write("state", "");
  EXPECT_THROW(load_checkpoint(path, identity()), IoError);
}

// What a killed run has left half written does not matter.
TEST(Checkpoint, ReplacesWhatAKilledRunLeft) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("state");
  folder.write("state.tmp", std::string(100000, 'x'));
  save_checkpoint(path, identity(), {"{\"row\":1}"});
  EXPECT_EQ(load_checkpoint(path, identity())->size(), 1u);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"state"});
  EXPECT_THROW(save_checkpoint(folder.path("no/state"), identity(), {}), IoError);
}

}  // namespace
}  // namespace cuarbiter
