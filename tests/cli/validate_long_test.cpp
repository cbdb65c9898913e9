// validate in parts and with checkpoints: merged parts, and runs that were stopped or killed, say
// what one run says, to the byte.
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <random>

#include "host/batch/run_file.hpp"
#include "host/io/memory_source.hpp"
#include "tests/support/cuarbiter_program.hpp"
#include "tests/support/json_value.hpp"
#include "tests/support/running_program.hpp"

namespace cuarbiter {
namespace {

using namespace test;
using std::chrono::milliseconds;

std::string game(unsigned n, const std::string& moves, const std::string& result = "1/2-1/2") {
  return "[Event \"E " + std::to_string(n) +
         "\"]\n[Site \"S\"]\n[Date \"2026.01.02\"]\n[Round \"1\"]\n[White \"W\"]\n[Black "
         "\"B\"]\n[Result \"" +
         result + "\"]\n\n" + moves + " " + result + "\n\n";
}

// Games of many kinds, with faults of many kinds.
std::string archive(unsigned games, unsigned seed) {
  const std::string kinds[] = {
      "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7",
      "1. e4 { a comment\n\n[Event \"inside\"]\n that holds a game's start } e5 2. Ke3",
      "1. d4 {[%clk 0:01:00]} d5 {[%clk 0:01:01]} 2. c4 (2. Nf3 Nf6 3. Ke3) 2... e6",
      "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8",
      "1. e4+ e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#",
      "1. f3 e5 2. g4 Qh4# 3. e4",
      "1. e4 { lost brace e5",
      "1. c4 caf\xE9 e5 $1 ; to the end of the line\n2. Nc3",
      "",
  };
  std::mt19937 random(seed);
  std::string text;
  for (unsigned i = 0; i < games; ++i) {
    const std::string& moves = kinds[random() % std::size(kinds)];
    const char* const results[] = {"1/2-1/2", "1-0", "*"};
    text += game(i, moves, results[random() % 3]);
    if (random() % 10 == 0) text += "% an escape line\n";
    if (random() % 10 == 0) text += "stray words\n\n";
    if (random() % 17 == 0) text += "\xEF\xBB\xBF";
  }
  return text;
}

std::string zstd_frame(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string zstd_frames(const std::string& text, std::size_t size) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += size) out += zstd_frame(text.substr(at, size));
  return out;
}

std::string gzip(const std::string& text) {
  const TemporaryFolder folder;
  const gzFile file = gzopen(folder.path("x.gz").c_str(), "wb");
  EXPECT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())),
            static_cast<int>(text.size()));
  gzclose(file);
  return read_file(folder.path("x.gz"));
}

std::vector<std::string> words(std::vector<std::string> more) {
  more.insert(more.begin(), {CUARBITER_PROGRAM, "validate"});
  more.insert(more.end(), {"--backend", "cpu", "-q"});
  return more;
}

RunResult validate(std::vector<std::string> more, const RunOptions& options = {}) {
  return run_program(words(std::move(more)), options);
}

std::vector<std::string> joined(std::vector<std::string> first,
                                const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// The parts of a run, as files.
std::vector<std::string> parts_of(const TemporaryFolder& folder,
                                  const std::vector<std::string>& arguments, unsigned count) {
  std::vector<std::string> files;
  for (unsigned i = 1; i <= count; ++i) {
    const std::string shard = std::to_string(i) + "/" + std::to_string(count);
    files.push_back(folder.path("part-" + std::to_string(i) + "-of-" + std::to_string(count)));
    const RunResult run = validate(joined(arguments, {"--shard", shard, "-o", files.back()}));
    EXPECT_LE(run.status, 3) << run.errors;
    EXPECT_TRUE(contains(read_file(files.back()), "\"type\":\"end\"")) << run.errors;
  }
  return files;
}

RunResult merge(const std::vector<std::string>& files, std::vector<std::string> more = {}) {
  std::vector<std::string> all = {CUARBITER_PROGRAM, "merge"};
  all.insert(all.end(), files.rbegin(), files.rend());
  all.insert(all.end(), more.begin(), more.end());
  return run_program(all);
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
  return n;
}

// The lines from the first difference on; empty when there is none.
std::string difference(const std::string& one, const std::string& other) {
  if (one == other) return {};
  std::istringstream a(one), b(other);
  std::string x, y;
  while (std::getline(a, x) && std::getline(b, y) && x == y) {
  }
  return x + "\n" + y + "\n";
}

// Merged parts are the whole run, in all formats, faults and exit status included.
void expect_whole(const TemporaryFolder& folder, const std::vector<std::string>& arguments,
                  unsigned count) {
  const std::vector<std::string> parts = parts_of(folder, arguments, count);
  for (const char* format : {"text", "jsonl", "csv"}) {
    const RunResult whole = validate(joined(arguments, {"--format", format}));
    const RunResult merged = merge(parts, {"--format", format});
    EXPECT_EQ(merged.status, whole.status) << count << format;
    EXPECT_EQ(merged.errors, whole.errors) << count << format;
    ASSERT_EQ(difference(merged.output, whole.output), "") << count << format;
  }
}

TEST(ValidateShards, PlainTextIsCutBetweenGames) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.pgn", archive(400, 1));
  for (const unsigned count : {1u, 2u, 3u, 7u, 40u}) {
    expect_whole(folder, {"--games", file}, count);
  }
  // They do share the work.
  std::size_t most = 0, all = 0;
  for (const std::string& part : parts_of(folder, {"--games", file}, 4)) {
    const std::size_t games = count_of(read_file(part), "{\"type\":\"game\"");
    most = std::max(most, games);
    all += games;
  }
  EXPECT_LT(most, all * 2 / 5);
}

TEST(ValidateShards, FilesOfAllKinds) {
  const TemporaryFolder folder;
  const std::string text = archive(300, 2);
  const std::vector<std::string> files = {
      folder.write("a.pgn", text),
      folder.write("empty.pgn", ""),
      folder.write("b.zst", zstd_frames(text, 10000)),
      folder.write("c.zst", zstd_frame(text)),
      folder.write("d.gz", gzip(text)),
      folder.write("e.pgn", "\xEF\xBB\xBF" + text),
      folder.write("f.pgn", "no game at all\n"),
      folder.write("tiny-frames.zst", zstd_frames(text, 100)),
      folder.path("missing.pgn"),
      folder.write("utf16.pgn", std::string("\xFF\xFE[\0E\0v\0", 8) + text),
      folder.write("g.pgn", "1. e4 *\n\n1. d4 *\n"),
  };
  for (const unsigned count : {2u, 5u, 23u}) expect_whole(folder, files, count);
  expect_whole(folder, joined({"--games", "--strict", "--ignore", "san"}, files), 5);
  expect_whole(folder, joined({"--rules", "qq", "--only", "move"}, files), 3);
  expect_whole(folder, {files[1]}, 3);
}

TEST(ValidateShards, FaultyFilesEndWhereTheyEndInOneRun) {
  const TemporaryFolder folder;
  const std::string text = archive(600, 3);
  const std::string good = zstd_frames(text, 9000);
  std::string bad = good;
  bad.replace(good.size() / 2, 30, 30, 'x');
  const std::vector<std::string> files = {folder.write("bad.zst", bad),
                                          folder.write("cut.zst", good.substr(0, good.size() / 3)),
                                          folder.write("good.zst", good)};
  for (const unsigned count : {1u, 4u, 11u}) {
    expect_whole(folder, joined({"--games"}, files), count);
  }
  EXPECT_EQ(validate(files).status, 3);
}

// Repetitions within a part and between parts, with all other problems around them.
TEST(ValidateShards, DuplicatesOverAllParts) {
  const TemporaryFolder folder;
  const std::vector<std::string> files = {
      folder.write("a.pgn", archive(150, 10)),
      folder.write("b.zst", zstd_frames(archive(150, 10), 9000)),
      folder.write("c.pgn", archive(80, 11))};
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"--duplicates"},
           {"--duplicates", "--games"},
           {"--duplicates", "--only", "game.duplicate", "--strict"},
           {"--duplicates", "--ignore", "game"}}) {
    expect_whole(folder, joined(more, files), 4);
  }
  const RunResult whole = validate(joined({"--duplicates"}, files));
  EXPECT_TRUE(contains(whole.output, "[game.duplicate]"));
  const RunResult merged =
      merge(parts_of(folder, joined({"--duplicates"}, files), 3), {"--memory", "1M"});
  EXPECT_EQ(difference(merged.output, whole.output), "");
}

// A record that is not UTF-8, and what else needs care on its way through a part.
TEST(ValidateShards, BytesOfAllKinds) {
  const TemporaryFolder folder;
  std::string text;
  for (unsigned i = 0; i < 60; ++i) {
    text += game(i, "1. e4 e5 2. \"N\\\xFF\x01,f3 caf\xE9");
    text += game(i, "1. e4 e5 2. Ke3", "1-0");
  }
  expect_whole(folder, {"--games", folder.write("caf\xE9 \x01.pgn", text)}, 3);
}

// A run that tells all it has to.
std::vector<std::string> loud(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {CUARBITER_PROGRAM, "validate", "--backend", "cpu"});
  return arguments;
}

// Merged parts of games are the games of the whole run, with the same on standard error.
void expect_whole_games(const TemporaryFolder& folder, std::vector<std::string> arguments,
                        unsigned count) {
  arguments = joined({"--format", "pgn"}, arguments);
  const std::vector<std::string> parts = parts_of(folder, arguments, count);
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{}, {"-q"}, {"--color", "always", "--exit-zero"}}) {
    const RunResult whole = run_program(loud(joined(arguments, more)));
    const RunResult merged = merge(parts, more);
    EXPECT_EQ(merged.status, whole.status) << count;
    EXPECT_EQ(difference(merged.errors, whole.errors), "") << count;
    ASSERT_EQ(difference(merged.output, whole.output), "") << count;
  }
}

TEST(ValidateShards, GamesInExportFormat) {
  const TemporaryFolder folder;
  const std::string text = archive(300, 12);
  const std::vector<std::string> files = {
      folder.write("a.pgn", text),
      folder.write("b.zst", zstd_frames(text, 9000)),
      folder.write("c.gz", gzip(text)),
      folder.path("missing.pgn"),
      folder.write("d.pgn",
                   "\xEF\xBB\xBF"
                   "no game\n\n" +
                       text),
  };
  for (const unsigned count : {1u, 3u, 11u}) {
    expect_whole_games(folder, files, count);
    expect_whole_games(folder, joined({"--fix"}, files), count);
  }
  for (const char* keep : {"good", "faulty"}) {
    expect_whole_games(folder, joined({"--keep", keep}, files), 4);
    expect_whole_games(folder, joined({"--keep", keep, "--fix", "--strict", "--games"}, files), 4);
    expect_whole_games(folder, joined({"--keep", keep, "--duplicates"}, files), 3);
  }
  expect_whole_games(folder, joined({"--duplicates", "--strict", "--games"}, files), 5);
  // By the suffix or by name, and no other format.
  const std::vector<std::string> parts = parts_of(folder, joined({"--format", "pgn"}, files), 2);
  const RunResult plain = merge(parts);
  EXPECT_EQ(merge(parts, {"--format", "pgn"}).output, plain.output);
  EXPECT_EQ(merge(parts, {"-o", folder.path("out.pgn")}).output, "");
  EXPECT_EQ(read_file(folder.path("out.pgn")), plain.output);
  const RunResult other = merge(parts, {"--format", "jsonl"});
  EXPECT_EQ(other.status, 2);
  EXPECT_TRUE(contains(other.errors, "the parts hold games")) << other.errors;
  const RunResult none = merge(parts_of(folder, files, 2), {"--format", "pgn"});
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(contains(none.errors, "the parts hold no games")) << none.errors;
}

TEST(ValidateShards, GamesOfFaultyFilesEndWhereTheyEndInOneRun) {
  const TemporaryFolder folder;
  const std::string text = archive(400, 13);
  const std::string good = zstd_frames(text, 9000);
  std::string bad = good;
  bad.replace(good.size() / 2, 30, 30, 'x');
  const std::vector<std::string> files = {
      folder.write("bad.zst", bad), folder.write("utf16.pgn", std::string("\xFF\xFE[\0", 4) + text),
      folder.write("cut.zst", good.substr(0, good.size() / 3)), folder.write("good.zst", good)};
  for (const unsigned count : {1u, 4u, 11u}) expect_whole_games(folder, files, count);
}

// A game of several megabytes with all kinds of bytes goes through a part in pieces.
TEST(ValidateShards, LongGamesInExportFormat) {
  const TemporaryFolder folder;
  std::string comment;
  for (unsigned i = 0; i < 3000000; ++i) comment += i % 70 == 0 ? ' ' : i % 101 ? 'x' : '\xFC';
  std::string far(1200000, 'y');
  const std::string file =
      folder.write("a.pgn", game(1, "1. e4 {" + comment + "} e5") + game(2, "1. d4 {" + far + "}") +
                                archive(50, 14));
  expect_whole_games(folder, {file}, 2);
}

// Without the date and, in the page of one run, the time taken.
std::string page_text(const std::string& path) {
  std::string page = read_file(path);
  const std::size_t date = page.find("UTC</p>");
  EXPECT_NE(date, std::string::npos);
  page.erase(date - 17, 17);
  const std::size_t taken = page.find("taken</span>");
  if (taken == std::string::npos) return page;
  const std::size_t begin = page.rfind("<div>", taken);
  return page.erase(begin, page.find('\n', taken) + 1 - begin);
}

TEST(ValidateShards, OneReportOfAllParts) {
  const TemporaryFolder folder;
  std::string text = archive(300, 15);
  text += "[Event \"x\"]\n[White \"" + std::string(1000, 'W') + "\"]\n[Black \"B\xFF<b>\"]\n" +
          "[Result \"*\"]\n\n1. e4 e5 2. Ke3 *\n\n";
  const std::string good = zstd_frames(text, 9000);
  std::string bad = good;
  bad.replace(good.size() / 2, 30, 30, 'x');
  const std::vector<std::string> files = {
      folder.write("bad.zst", bad),  folder.write("utf16.pgn", std::string("\xFF\xFE[\0", 4)),
      folder.write("a.pgn", text),   folder.path("missing.pgn"),
      folder.path("missing.pgn"),    folder.write("empty.pgn", ""),
      folder.write("good.zst", good)};
  const std::string one = folder.path("one.html"), page = folder.path("merged.html");
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{},
                                             {"--strict", "--games"},
                                             {"--duplicates"},
                                             {"--only", "pgn,result"},
                                             {"--rules", "qq"},
                                             {"--format", "pgn", "--fix"}}) {
    const RunResult whole = validate(joined(joined(more, {"--report", one}), files));
    for (const unsigned count : {1u, 7u}) {
      const auto parts = parts_of(
          folder, joined(joined(more, {"--report", folder.path("none.html")}), files), count);
      const RunResult merged = merge(parts, {"--report", page});
      EXPECT_EQ(merged.status, whole.status) << merged.errors;
      EXPECT_EQ(difference(merged.output, whole.output), "");
      ASSERT_EQ(difference(page_text(page), page_text(one)), "") << more.front() << count;
    }
  }
  EXPECT_TRUE(contains(read_file(one), "<svg")) << "no position was shown";
  EXPECT_FALSE(std::filesystem::exists(folder.path("none.html")));
  const RunResult without = merge(parts_of(folder, files, 3), {"--report", page});
  EXPECT_EQ(without.status, 2);
  EXPECT_TRUE(contains(without.errors, "shards of validate with --report")) << without.errors;
  const std::vector<std::string> parts = parts_of(folder, joined({"--report", one}, files), 2);
  EXPECT_EQ(merge(parts, {"--report", "-"}).status, 2);
  EXPECT_EQ(merge(parts, {"--report", page, "-o", page}).status, 2);
  EXPECT_EQ(merge(parts, {"--report", folder.path("no/such.html")}).status, 3);
  EXPECT_LE(merge(parts).status, 3);
}

TEST(ValidateShards, MergeRefusesGapsRepetitionsAndOthers) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.pgn", archive(100, 4));
  const std::vector<std::string> parts = parts_of(folder, {file}, 4);
  const auto refused = [](const RunResult& run, const std::string& message) {
    EXPECT_EQ(run.status, 2) << run.output;
    EXPECT_EQ(run.output, "");
    EXPECT_TRUE(contains(run.errors, message)) << run.errors;
  };
  refused(merge({parts[0], parts[3]}), "2 of 4 parts are missing: 2, 3");
  refused(merge({parts[0], parts[1], parts[2], parts[3], parts[1]}), "part 2 of 4 is given twice");
  refused(merge({parts[0], parts_of(folder, {file}, 2)[1]}), "it is one of ");
  refused(merge({parts[0], parts_of(folder, {"--games", file}, 5)[1]}), "games is ");
  refused(merge({parts[0], parts_of(folder, {"--rules", "qq", file}, 6)[1]}), "rules is ");
  refused(merge({parts[0], parts_of(folder, {"--format", "pgn", file}, 10)[1]}),
          "format is missing");
  refused(merge({parts[0], parts_of(folder, {"--ignore", "san.case", file}, 7)[1]}), "codes is ");
  const std::string other = folder.write("b.pgn", archive(100, 4));
  refused(merge({parts[0], parts_of(folder, {other}, 8)[1]}), "the input is another");
  // The same name and size, another text.
  std::string text = archive(100, 4);
  text[text.size() - 10] = 'x';
  folder.write("a.pgn", text);
  refused(merge({parts[0], parts_of(folder, {file}, 9)[1]}), "the input is another");
  const std::string state = folder.path("state");
  EXPECT_LE(validate({file, "--checkpoint", state}).status, 1);
  refused(merge({state}), "is a checkpoint, not a part");
}

// The lines of a part with a proper end.
std::string part_with(const std::string& text, const std::string& what,
                      const std::string& instead) {
  std::string changed = text;
  const std::size_t at = changed.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  changed.replace(at, what.size(), instead);
  MemorySource source(text, "part");
  const RunFileReader reader(source);
  RunFileWriter writer;
  std::string out = writer.head(RunFileKind::part, reader.identity());
  const std::size_t begin = changed.find('\n') + 1;
  const std::string lines = changed.substr(begin, changed.rfind("{\"type\":\"end\"") - begin);
  writer.add(lines);
  return out + lines + writer.end();
}

// Parts that fit by their heads but not by their text, and records that are none.
TEST(ValidateShards, MergeSeesPiecesThatDoNotFit) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.pgn", archive(100, 5));
  const std::vector<std::string> parts = parts_of(folder, {"--games", file}, 2);
  const std::string first = read_file(parts[0]), good = read_file(parts[1]);
  std::string damaged = good;
  damaged[good.find("\"from\":[") + 8] ^= 1;
  struct Case {
    std::string part;
    const char* message;
  };
  for (const Case& c :
       {Case{damaged, "is damaged"},
        Case{part_with(good, "\"from\":[", "\"from\":[1"), "does not begin where"},
        Case{part_with(good, "\"file\":1", "\"file\":2"), "does not begin where"},
        Case{part_with(good, "\"to\":null", "\"to\":[999999,0]"), "is missing"},
        Case{part_with(good, "{\"type\":\"game\",\"file\"", "{\"type\":\"game\",\"other\""),
             "cannot be read"},
        Case{part_with(good, "\"type\":\"game\"", "\"type\":\"name\""), "cannot be read"},
        Case{part_with(good, "\"type\":\"piece_end\"", "\"type\":\"piece\""), "cannot be read"},
        Case{part_with(good, "\"totals\"", "\"total\""), "cannot be read"}}) {
    folder.write("changed", c.part);
    const RunResult run = merge({parts[0], folder.path("changed")}, {"-o", folder.path("out")});
    EXPECT_EQ(run.status, 3) << c.message;
    EXPECT_TRUE(contains(run.errors, c.message)) << run.errors;
    EXPECT_FALSE(std::filesystem::exists(folder.path("out")));
  }
  folder.write("changed", part_with(good, "\"game\":1,", "\"game\":1,"));
  EXPECT_EQ(merge({parts[0], folder.path("changed")}).output, merge(parts).output);
}

TEST(ValidateShards, AreWhatSlurmSays) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.pgn", archive(100, 6));
  RunOptions options;
  options.environment = {"SLURM_ARRAY_TASK_ID=1", "SLURM_ARRAY_TASK_MIN=0",
                         "SLURM_ARRAY_TASK_MAX=2", "SLURM_ARRAY_TASK_COUNT=3"};
  const RunResult slurm = validate({file, "--shard", "slurm"}, options);
  EXPECT_EQ(slurm.output, validate({file, "--shard", "2/3"}).output);
  EXPECT_TRUE(contains(slurm.output, "\"shard\":2,\"shards\":3")) << slurm.errors;
}

TEST(ValidateLong, WhatMakesNoSenseIsRefused) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.pgn", game(1, "1. e4"));
  const std::string state = folder.path("state");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {file, "--resume"},
           {file, "--shard", "0/3"},
           {file, "--shard", "4/3"},
           {file, "--shard", "slurm"},
           {file, "--shard", "1/3", "--format", "csv"},
           {file, "--shard", "1/3", "-o", folder.path("x.pgn")},
           {file, "--shard", "1/3", "--format", "pgn", "--keep", "good", "--strict",
            "--duplicates"},
           {file, "--shard", "1/3", "--report", "-"},
           {file, "--shard", "1/3", "--max-errors", "3"},
           {file, "--shard", "1/3", "--fail-fast"},
           {"-", "--shard", "1/3"},
           {"-", "--checkpoint", state},
           {"/dev/null", "--checkpoint", state},
           {file, "--checkpoint", state, "--duplicates"},
           {file, "--checkpoint", state, "--report", folder.path("x.html")}}) {
    const RunResult run = validate(arguments);
    EXPECT_EQ(run.status, 2) << arguments.back() << run.errors;
    EXPECT_EQ(run.output, "");
    EXPECT_NE(run.errors, "");
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.pgn"});
}

TEST(ValidateCheckpoint, AWholeRunAndItsRepetition) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.pgn", archive(200, 7));
  unsigned n = 0;
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {},
           {"--games", "--format", "csv"},
           {"--format", "pgn", "--fix", "--keep", "good"},
           {"--max-errors", "20"},
           {"--shard", "2/3"},
           {"--shard", "2/3", "--format", "pgn", "--report", folder.path("none.html")}}) {
    const std::vector<std::string> arguments = joined({file}, more);
    const RunResult plain = validate(arguments);
    const std::string state = folder.path("state" + std::to_string(n++));
    const RunResult run = validate(joined(arguments, {"--checkpoint", state}));
    EXPECT_EQ(run.status, plain.status) << run.errors;
    EXPECT_EQ(difference(run.output, plain.output), "");
    EXPECT_EQ(run.errors, plain.errors);
    const RunResult again = validate(joined(arguments, {"--checkpoint", state, "--resume"}));
    EXPECT_EQ(again.status, plain.status) << again.errors;
    EXPECT_EQ(difference(again.output, plain.output), "");
  }
}

TEST(ValidateCheckpoint, IsRefusedWhereItDoesNotBelong) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.pgn", archive(50, 8));
  const std::string state = folder.path("state");
  ASSERT_EQ(validate({file, "--checkpoint", state}).status, 1);
  EXPECT_EQ(validate({file, "--checkpoint", state}).status, 2);
  struct Case {
    std::vector<std::string> arguments;
    const char* message;
  };
  for (const Case& c :
       {Case{{file, "--games"}, "games is no, not yes"}, Case{{file, file}, "the input is another"},
        Case{{file, "--format", "csv"}, "format is text, not csv"},
        Case{{file, "--strict"}, "strict is no, not yes"},
        Case{{file, "--move-limit", "70"}, "clocks is 100/150, not 140/210"}}) {
    const RunResult run = validate(joined(c.arguments, {"--checkpoint", state, "--resume"}));
    EXPECT_EQ(run.status, 2) << c.message;
    EXPECT_TRUE(contains(run.errors, std::string("the checkpoint is of another run: ") + c.message))
        << run.errors;
  }
  // The archive has grown.
  folder.write("a.pgn", archive(51, 8));
  EXPECT_EQ(validate({file, "--checkpoint", state, "--resume"}).status, 2);
  folder.write("a.pgn", archive(50, 8));
  EXPECT_EQ(validate({file, "--checkpoint", state, "--resume"}).status, 1);
  // What was written is gone.
  folder.write("state.data", "");
  const RunResult run = validate({file, "--checkpoint", state, "--resume"});
  EXPECT_EQ(run.status, 3);
  EXPECT_TRUE(contains(run.errors, "is shorter than it was")) << run.errors;
  // A file of that name that is no run's.
  folder.write("other.data", "mine");
  EXPECT_EQ(validate({file, "--checkpoint", folder.path("other"), "--resume"}).status, 2);
  EXPECT_EQ(read_file(folder.path("other.data")), "mine");
}

// Long enough to be caught in the middle, on whatever machine.
std::vector<std::string> long_input(const TemporaryFolder& folder) {
  const std::string text = archive(20000, 9);
  const std::string frames = zstd_frames(text, 300000);
  return {folder.write("a.pgn", text + text),
          folder.write("cut.zst", frames.substr(0, frames.size() - 100)),
          folder.write("b.gz", gzip(text)), folder.path("missing.pgn"),
          folder.write("c.zst", frames)};
}

TEST(ValidateCheckpoint, ASignalStopsAndResumeGoesOn) {
  const TemporaryFolder folder;
  const std::vector<std::string> files = long_input(folder);
  const RunResult whole = validate(joined({"--games"}, files));
  for (const int number : {SIGINT, SIGTERM}) {
    const std::string state = folder.path("state" + std::to_string(number));
    const std::string answer = folder.path("answer" + std::to_string(number));
    std::vector<std::string> run = words(joined({"--games", "-j", "1", "--batch-size", "100000",
                                                 "--checkpoint", state, "--resume", "-o", answer},
                                                files));
    run.erase(std::find(run.begin(), run.end(), "-q"));
    {
      RunningProgram program(run, folder.path("out"), folder.path("err"));
      // It has begun when the first output is there.
      while (read_file(state + ".data").empty() && !program.poll()) {
        std::this_thread::sleep_for(milliseconds(1));
      }
      program.signal(number);
      ASSERT_EQ(program.wait(), 75) << read_file(folder.path("err"));
    }
    EXPECT_TRUE(contains(read_file(folder.path("err")), "--resume goes on from"));
    EXPECT_TRUE(contains(read_file(state), "\"done\":false"));
    EXPECT_FALSE(contains(read_file(state), "\"games\":0,"));
    const RunResult rest = run_program(run);
    EXPECT_EQ(rest.status, whole.status) << rest.errors;
    EXPECT_EQ(difference(read_file(answer), whole.output), "");
    for (const std::string& name : folder.names()) EXPECT_EQ(count_of(name, ".tmp"), 0u) << name;
  }
}

TEST(ValidateCheckpoint, SurvivesKillsAtRandomMoments) {
  std::mt19937 random(20260102);
  const TemporaryFolder folder;
  const std::vector<std::string> files = long_input(folder);
  unsigned n = 0;
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--games", "-j", "1"},
                                             {"-j", "3", "--format", "pgn"},
                                             {"-j", "2", "--shard", "2/3", "--format", "pgn",
                                              "--report", folder.path("none.html")}}) {
    const auto start = std::chrono::steady_clock::now();
    const RunResult whole = validate(joined(more, files));
    const auto took =
        std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - start).count();
    // A run that comes to its end before it was killed often enough is begun again.
    unsigned kills = 0;
    for (unsigned turn = 0; turn < 10 && kills < 3; ++turn) {
      const std::string state = folder.path("state" + std::to_string(n++));
      std::vector<std::string> run = words(joined(
          joined(more, {"--batch-size", "100000", "--checkpoint", state, "--resume"}), files));
      kills = 0;
      std::optional<int> status;
      while (!status) {
        RunningProgram program(run, folder.path("out"), folder.path("err"));
        // The first ones come long before the end; then a busy machine must come to it.
        const auto most = took / (4 + turn) + (kills < 3 ? 0 : took / 4 * (kills - 2));
        status = program.wait_for(milliseconds(static_cast<long>(random()) % (most + 1)));
        if (!status) {
          program.signal(SIGKILL);
          if (program.wait() == 128 + SIGKILL) ++kills;
        }
      }
      EXPECT_EQ(*status, whole.status) << read_file(folder.path("err"));
      EXPECT_EQ(difference(read_file(folder.path("out")), whole.output), "") << kills << " kills";
    }
    EXPECT_GE(kills, 3u);
  }
}

TEST(ValidateProgress, TellsGamesAndBytesAndTheTimeLeft) {
  const TemporaryFolder folder;
  const std::vector<std::string> files = long_input(folder);
  const std::vector<std::string> arguments = {"-j", "1", files[0], files[0], files[0], files[4]};
  // After every piece of text, however fast the machine is.
  const std::vector<std::string> often = {"--progress-interval", "0"};
  const RunResult json =
      validate(joined(joined({"--progress-json", "--format", "jsonl"}, often), arguments));
  std::istringstream lines(json.errors);
  std::string line;
  double games = 0, share = 0, bytes = 0;
  unsigned seen = 0;
  while (std::getline(lines, line)) {
    const Json progress = Json::parse(line);
    ASSERT_EQ(progress.at("type").string(), "progress");
    EXPECT_EQ(progress.at("what").string(), "games");
    EXPECT_GE(std::stod(progress.at("count").string()), games);
    games = std::stod(progress.at("count").string());
    EXPECT_GE(std::stod(progress.at("bytes").string()), bytes);
    bytes = std::stod(progress.at("bytes").string());
    EXPECT_GE(progress.at("share").number(), share);
    share = progress.at("share").number();
    EXPECT_LE(share, 1);
    EXPECT_GE(progress.at("seconds_left").number(), 0);
    // The seconds are given to a tenth.
    const double rate = progress.at("bytes_per_second").number();
    const double seconds = progress.at("seconds").number();
    EXPECT_GE(rate * (seconds + 0.051), bytes);
    EXPECT_LE(rate * (seconds - 0.051), bytes);
    ++seen;
  }
  EXPECT_GE(seen, 3u);
  EXPECT_GT(share, 0.5);
  const std::string all = std::to_string(static_cast<std::uint64_t>(games));
  EXPECT_TRUE(contains(json.output, "\"games\":" + all + ",")) << games;
  const RunResult text = validate(joined(joined({"--progress", "always"}, often), arguments));
  EXPECT_TRUE(contains(text.errors, " games, ")) << text.errors;
  EXPECT_TRUE(contains(text.errors, "B/s, ")) << text.errors;
  EXPECT_TRUE(contains(text.errors, " left")) << text.errors;
}

}  // namespace
}  // namespace cuarbiter
