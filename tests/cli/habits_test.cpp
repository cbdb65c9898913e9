// Habits of the command line that every command shares: usage, help, exit statuses, input and
// output, closed pipes.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <chrono>
#include <thread>

#include "tests/support/cuarbiter_program.hpp"

namespace cuarbiter {
namespace {

using namespace test;

const std::string kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

TEST(Usage, MistakesAreStatusTwo) {
  const std::vector<std::vector<std::string>> mistakes = {
      {},
      {"no-such-command"},
      {"perft"},
      {"perft", "four"},
      {"perft", "-1"},
      {"perft", "100"},
      {"perft", "3", "--no-such-flag"},
      {"perft", "3", "--suite", "--stats", "file"},
      {"perft", "3", "--checkpoint", ""},
      {"perft", "3", "--shard", "2/1"},
      {"perft", "3", "--format", "pgn"},
      {"perft", "3", "--format", "xml"},
      {"perft", "3", "--backend", "gpu"},
      {"perft", "3", "--backend", "cpu", "--device", "0"},
      {"perft", "3", "--device", "0,0"},
      {"perft", "3", "--device", "zero"},
      {"perft", "3", "--memory", "much"},
      {"perft", "3", "--memory", "0"},
      {"perft", "3", "--device-memory", "101%"},
      {"perft", "3", "--threads", "-2"},
      {"perft", "3", "--threads", "two"},
      {"perft", "3", "--batch-size", "0"},
      {"perft", "3", "--color", "sometimes"},
      {"perft", "3", "--progress", "sometimes"},
      {"perft", "3", "-q", "-v"},
      {"perft", "3", "--max-nodes", "5"},
      {"perft", "3", "--fen", kStart, "file"},
      {"perft", "--suite", "--divide", "file"},
      {"perft", "--suite", "--max-nodes", "many", "file"},
      {"classify", "--rules", "chess", "file"},
      {"classify", "--move-limit", "0", "file"},
      {"moves", "--rules", "fide", "file"},
      {"devices", "--threads", "2"},
      {"devices", "extra"},
      {"perft", "3", "--fen", ""},
      {"perft", "3", "-o", ""},
      {"perft", "3", "--memory", ""},
      {"classify", ""},
  };
  for (const auto& words : mistakes) {
    const RunResult run = cuarbiter(words);
    std::string shown;
    for (const std::string& word : words) shown += " " + word;
    EXPECT_EQ(run.status, 2) << shown;
    EXPECT_EQ(run.output, "") << shown;
    EXPECT_TRUE(contains(run.errors, "cuarbiter: error: ")) << shown << ": " << run.errors;
  }
}

TEST(Usage, HelpAndVersionGoToStandardOutput) {
  const RunResult version = cuarbiter({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_EQ(version.output.rfind("cuarbiter 0.", 0), 0u) << version.output;
  EXPECT_EQ(version.errors, "");
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--help"}, {"-h"}}) {
    const RunResult help = cuarbiter(words);
    EXPECT_EQ(help.status, 0);
    for (const char* command :
         {"perft", "validate", "classify", "moves", "devices", "bench", "codes"}) {
      EXPECT_TRUE(contains(help.output, command)) << command;
    }
    EXPECT_TRUE(contains(help.output, "Exit status")) << help.output;
    EXPECT_EQ(help.errors, "");
  }
  for (const char* command :
       {"perft", "validate", "classify", "moves", "devices", "bench", "codes"}) {
    const RunResult help = cuarbiter({command, "--help"});
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_TRUE(contains(help.output, "--format")) << command;
    EXPECT_EQ(help.errors, "") << command;
  }
}

TEST(Input, AMissingFileIsStatusThreeAndTheNextOneIsRead) {
  const TemporaryFolder folder;
  const std::string good = folder.write("good.fen", kStart + "\n");
  const std::string missing = folder.path("missing.fen");
  for (const char* command : {"classify", "moves"}) {
    const RunResult run =
        cuarbiter_on_cpu({command, "--format", "jsonl", missing, good, folder.path("")});
    EXPECT_EQ(run.status, 3) << command;
    EXPECT_EQ(count_lines(run.output), 1u) << command;
    EXPECT_EQ(count_lines(run.errors), 2u) << run.errors;
    EXPECT_TRUE(contains(run.errors, missing)) << run.errors;
  }
  const RunResult perft = cuarbiter_on_cpu({"perft", "2", "-q", missing, good});
  EXPECT_EQ(perft.status, 3);
  EXPECT_EQ(perft.output, kStart + " ;D2 400\n");
}

TEST(Input, FaultyInputAndFindingsGiveTheHigherStatus) {
  const TemporaryFolder folder;
  const std::string faulty = folder.write("faulty.fen", "nonsense\n");
  EXPECT_EQ(cuarbiter_on_cpu({"classify", faulty}).status, 1);
  EXPECT_EQ(cuarbiter_on_cpu({"classify", faulty, folder.path("missing")}).status, 3);
  EXPECT_EQ(cuarbiter_on_cpu({"classify", "--exit-zero", faulty}).status, 0);
  EXPECT_EQ(cuarbiter_on_cpu({"classify", "--exit-zero", faulty, folder.path("missing")}).status,
            3);
}

TEST(Input, StandardInputIsReadForADashOrNothing) {
  const RunResult none = cuarbiter_on_cpu({"classify"}, with_input(kStart + "\n"));
  const RunResult dash = cuarbiter_on_cpu({"classify", "-"}, with_input(kStart + "\n"));
  EXPECT_EQ(none.status, 0);
  EXPECT_EQ(none.output, dash.output);
  EXPECT_TRUE(contains(none.output, "<stdin>:1: ongoing")) << none.output;
}

TEST(FilesFrom, NamesFilesBehindTheArguments) {
  const TemporaryFolder folder;
  const std::string white = folder.write("white.fen", kStart + "\n");
  const std::string black =
      folder.write("bl\nack.fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1\n");
  const std::string spaced = folder.write(" a name .fen", "8/8/8/8/8/8/8/K1k5 w - - 0 1\n");
  const std::string lines =
      folder.write("lines", white + "\r\n\n" + spaced + "\n" + folder.path("missing"));
  const std::string nulls = folder.write("nulls", black + std::string(2, '\0') + white);
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"classify"}, {"moves"}, {"perft", "1", "-q"}, {"validate", "--games"}}) {
    const auto with = [&](std::vector<std::string> more) {
      std::vector<std::string> all = words;
      all.insert(all.end(), more.begin(), more.end());
      return cuarbiter_on_cpu(all);
    };
    const RunResult named = with({spaced, white, spaced, folder.path("missing")});
    const RunResult listed = with({spaced, "--files-from", lines});
    EXPECT_EQ(named.status, 3) << words[0];
    EXPECT_EQ(listed.status, 3) << words[0];
    EXPECT_EQ(listed.output, named.output) << words[0];
    EXPECT_EQ(listed.errors, named.errors) << words[0];
    EXPECT_EQ(with({"-0", "--files-from", nulls}).output, with({black, white}).output) << words[0];
    EXPECT_EQ(with({"--null", "--files-from=" + nulls}).output, with({black, white}).output);
    // Nothing listed is nothing to do: standard input is not read instead.
    std::vector<std::string> none = words;
    none.insert(none.end(), {"--files-from", "-"});
    const RunResult empty = cuarbiter_on_cpu(none, with_input("\n"));
    EXPECT_EQ(empty.status, 0) << words[0] << empty.errors;
    EXPECT_FALSE(contains(empty.output, "Nodes")) << words[0];
    const RunResult by_pipe = cuarbiter_on_cpu(none, with_input(white + "\n"));
    EXPECT_EQ(by_pipe.output, with({white}).output) << words[0];
  }
  const RunResult suite = cuarbiter_on_cpu(
      {"perft", "--suite", "--files-from",
       folder.write("suites", folder.write("s.epd", kStart + " ;D1 20 ;D2 401\n"))});
  EXPECT_EQ(suite.status, 1) << suite.errors;
}

TEST(FilesFrom, MistakesAreToldApart) {
  const TemporaryFolder folder;
  const std::string itself = folder.write("itself", "-\n");
  EXPECT_EQ(cuarbiter({"classify", "-0", itself}).status, 2);
  EXPECT_EQ(cuarbiter({"perft", "2", "--null"}).status, 2);
  EXPECT_EQ(cuarbiter({"classify", "--files-from", "-", "-"}).status, 2);
  EXPECT_EQ(cuarbiter({"classify", "--files-from", "-"}, with_input("-\n")).status, 2);
  EXPECT_EQ(cuarbiter({"perft", "2", "--fen", kStart, "--files-from", itself}).status, 2);
  const RunResult missing = cuarbiter({"validate", "--files-from", folder.path("missing")});
  EXPECT_EQ(missing.status, 3);
  EXPECT_TRUE(contains(missing.errors, folder.path("missing"))) << missing.errors;
  EXPECT_EQ(missing.output, "");
}

// A gzip stream (RFC 1952) with one stored block (RFC 1951, 3.2.4) and no end.
std::string cut_gzip(const std::string& content) {
  const auto low = static_cast<char>(content.size() & 255);
  const auto high = static_cast<char>(content.size() >> 8);
  std::string out("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10);
  out += '\0';
  out += {low, high, static_cast<char>(~low), static_cast<char>(~high)};
  return out + content;
}

TEST(Input, BrokenCompressionIsStatusThreeAfterWhatCouldBeRead) {
  const TemporaryFolder folder;
  const std::string cut = folder.write("cut.gz", cut_gzip(kStart + "\n" + kStart + "\n"));
  const std::string good = folder.write("good.fen", kStart + "\n");
  for (const char* threads : {"1", "3"}) {
    const RunResult run =
        cuarbiter_on_cpu({"classify", "--format", "csv", "-j", threads, cut, good});
    EXPECT_EQ(run.status, 3);
    EXPECT_EQ(count_lines(run.output), 4u) << run.output;
    EXPECT_EQ(count_lines(run.errors), 1u) << run.errors;
    EXPECT_TRUE(contains(run.errors, "cut.gz")) << run.errors;
  }
}

TEST(Output, AFileAppearsUnderItsNameOnlyWhenComplete) {
  const TemporaryFolder folder;
  const RunResult run = cuarbiter_on_cpu({"perft", "3", "-q", "-o", folder.path("counts.jsonl")});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(read_file(folder.path("counts.jsonl")), "{\"type\":\"perft\",\"line\":1,\"fen\":\"" +
                                                        kStart +
                                                        "\",\"depth\":3,\"nodes\":\"8902\"}\n");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"counts.jsonl"});
}

TEST(Output, AFailedRunLeavesTheOldFileAlone) {
  const TemporaryFolder folder;
  const std::string old = folder.write("old.txt", "old");
  const RunResult run = cuarbiter_on_cpu({"perft", "3", "-o", old},
                                         RunOptions{"", {"CUARBITER_ISA=none"}, false, false, -1});
  EXPECT_EQ(run.status, 4);
  EXPECT_EQ(read_file(old), "old");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"old.txt"});
}

TEST(Output, ASignalRemovesTheTemporaryFile) {
  const TemporaryFolder folder;
  const std::string target = folder.path("never.txt");
  // Classify waits for standard input that does not come, with its output file open.
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::dup2(ends[0], 0);
    ::close(ends[0]);
    ::close(ends[1]);
    ::execl(CUARBITER_PROGRAM, CUARBITER_PROGRAM, "classify", "--backend", "cpu", "-o",
            target.c_str(), nullptr);
    ::_exit(127);
  }
  for (int i = 0; i < 500 && folder.names().empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(folder.names().size(), 1u);
  // The file is there a moment before the program has noted its name.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ::kill(child, SIGTERM);
  int state = 0;
  ::waitpid(child, &state, 0);
  ::close(ends[0]);
  ::close(ends[1]);
  EXPECT_TRUE(WIFSIGNALED(state));
  EXPECT_TRUE(folder.names().empty());
}

TEST(Output, AFolderThatIsNotThereIsStatusThree) {
  const RunResult run = cuarbiter_on_cpu({"perft", "2", "-o", "/no/such/folder/file"});
  EXPECT_EQ(run.status, 3);
  EXPECT_TRUE(contains(run.errors, "/no/such/folder/file")) << run.errors;
}

TEST(Output, TheSuffixChoosesTheFormatUnlessOneIsGiven) {
  const TemporaryFolder folder;
  for (const auto& [name, start] :
       std::vector<std::pair<std::string, std::string>>{{"a.jsonl", "{\"type\":"},
                                                        {"a.json", "{\"type\":"},
                                                        {"a.csv", "type,line"},
                                                        {"a.txt", "Nodes: "},
                                                        {"a", "Nodes: "}}) {
    cuarbiter_on_cpu({"perft", "1", "-q", "-o", folder.path(name)});
    EXPECT_EQ(read_file(folder.path(name)).rfind(start, 0), 0u) << name;
  }
  cuarbiter_on_cpu({"perft", "1", "-q", "--format", "text", "-o", folder.path("b.csv")});
  EXPECT_EQ(read_file(folder.path("b.csv")), "Nodes: 20\n");
}

TEST(Output, AClosedPipeIsAQuietSuccess) {
  std::string many;
  for (int i = 0; i < 20000; ++i) many += kStart + "\n";
  for (const char* threads : {"1", "3"}) {
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"classify", "--proof-nodes", "0"}, {"moves"}}) {
      RunOptions options;
      options.input = many;
      options.closed_pipe = true;
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.end(), {"--threads", threads});
      const RunResult run = cuarbiter_on_cpu(arguments, options);
      EXPECT_EQ(run.status, 0) << command.front();
      EXPECT_EQ(run.errors, "") << command.front();
    }
  }
  RunOptions options;
  options.closed_pipe = true;
  EXPECT_EQ(cuarbiter_on_cpu({"perft", "1", "-q"}, options).status, 0);
  EXPECT_EQ(cuarbiter({"codes"}, options).status, 0);
}

TEST(Output, AClosedPipeEndsTheRunAlthoughInputKeepsWaiting) {
  ::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  RunOptions options;
  options.closed_pipe = true;
  options.input_pipe = ends[0];
  // 800 KB in batches of one line (classify takes more lines at a time), more than the output's
  // buffer; then silence.
  const std::string line = "x" + std::string(40000, 'y') + "\n";
  std::thread writer([&] {
    for (int i = 0; i < 20; ++i) {
      if (::write(ends[1], line.data(), line.size()) < 0) break;
    }
  });
  const RunResult run = cuarbiter_on_cpu(
      {"moves", "-q", "--threads", "3", "--batch-size", "1", "--format", "jsonl"}, options);
  // The reading end closes here, so that the writer cannot block.
  ::close(ends[0]);
  writer.join();
  ::close(ends[1]);
  EXPECT_EQ(run.status, 1);
}

TEST(Output, StandardOutputThatIsClosedIsAFault) {
  RunOptions options;
  options.without_output = true;
  EXPECT_EQ(cuarbiter_on_cpu({"perft", "1", "-q"}, options).status, 3);
}

TEST(Output, AFullDiskIsAFault) {
  struct stat status {};
  if (::stat("/dev/full", &status) != 0) GTEST_SKIP() << "there is no /dev/full";
  const RunResult run = cuarbiter_on_cpu({"perft", "1", "-q", "-o", "/dev/full"});
  EXPECT_EQ(run.status, 3);
  EXPECT_TRUE(contains(run.errors, "/dev/full")) << run.errors;
}

TEST(Terminal, UntrustedTextCannotControlIt) {
  const RunResult run = cuarbiter_on_cpu({"classify"}, with_input("\x1b[31mred\x07 w - - 0 1\n"));
  EXPECT_EQ(run.status, 1);
  EXPECT_FALSE(contains(run.output, "\x1b"));
  EXPECT_FALSE(contains(run.errors, "\x1b"));
  EXPECT_TRUE(contains(run.output, "\\x1B[31mred\\x07")) << run.output;
}

TEST(Terminal, ColoursOnlyWhenAsked) {
  const RunResult always = cuarbiter_on_cpu({"classify", "--color", "always"}, with_input("x\n"));
  EXPECT_TRUE(contains(always.errors, "\x1b["));
  const RunResult automatic = cuarbiter_on_cpu({"classify"}, with_input("x\n"));
  EXPECT_FALSE(contains(automatic.errors, "\x1b["));
}

TEST(Backend, OneThatCannotRunIsStatusFour) {
  RunOptions options;
  options.environment = {"CUARBITER_ISA=none"};
  const RunResult run = cuarbiter_on_cpu({"perft", "1"}, options);
  EXPECT_EQ(run.status, 4);
  EXPECT_TRUE(contains(run.errors, "CUARBITER_ISA")) << run.errors;
}

TEST(Backend, VerboseSaysWhichItIs) {
  const RunResult verbose = cuarbiter_on_cpu({"perft", "1", "-v"});
  EXPECT_TRUE(contains(verbose.errors, "computing on cpu")) << verbose.errors;
  const RunResult quiet = cuarbiter_on_cpu({"perft", "1", "-q"});
  EXPECT_EQ(quiet.errors, "");
}

TEST(Codes, AllFormatsListTheSame) {
  const RunResult text = cuarbiter({"codes"});
  const RunResult jsonl = cuarbiter({"codes", "--format", "jsonl"});
  const RunResult csv = cuarbiter({"codes", "--format", "csv"});
  const RunResult markdown = cuarbiter({"codes", "--format", "markdown"});
  EXPECT_EQ(text.status, 0);
  EXPECT_GT(count_lines(text.output), 50u);
  EXPECT_EQ(count_lines(jsonl.output), count_lines(text.output));
  EXPECT_EQ(count_lines(csv.output), count_lines(text.output) + 1);
  EXPECT_EQ(count_lines(markdown.output), count_lines(text.output) + 2);
  EXPECT_TRUE(contains(markdown.output, "| `move.illegal` | error | ")) << markdown.output;
}

TEST(Devices, TheCpuIsAlwaysThere) {
  const RunResult jsonl = cuarbiter({"devices", "--format", "jsonl"});
  EXPECT_EQ(jsonl.status, 0);
  EXPECT_EQ(jsonl.output.rfind("{\"type\":\"device\",\"name\":\"cpu\",\"description\":", 0), 0u)
      << jsonl.output;
  EXPECT_TRUE(contains(jsonl.output, "\"usable\":true,\"reason\":null,\"threads\":"));
  // CUDA has at least the line that says why not.
  EXPECT_GE(count_lines(jsonl.output), 2u);
  EXPECT_TRUE(contains(cuarbiter({"devices"}).output, "instruction set"));
}

TEST(Bench, SignaturesHoldForEveryInstructionSetAndThreadCount) {
  for (const char* threads : {"1", "3"}) {
    for (const std::string isa : {"", "generic", "avx2", "avx512"}) {
      RunOptions options;
      options.environment = {"CUARBITER_ISA=" + isa};
      const std::string devices = cuarbiter({"devices", "--format", "jsonl"}, options).output;
      if (contains(devices, "CUARBITER_ISA=" + isa + ": this processor")) continue;
      EXPECT_TRUE(contains(devices, "\"instruction_set\":\"" + isa)) << devices;
      const RunResult run =
          cuarbiter_on_cpu({"bench", "--quick", "--format", "jsonl", "-j", threads}, options);
      EXPECT_EQ(run.status, 0) << run.output << run.errors;
      EXPECT_EQ(count_lines(run.output), 5u);
      EXPECT_FALSE(contains(run.output, "\"ok\":false"));
      EXPECT_TRUE(contains(run.output, "\"signature\":\"500117\"")) << run.output;
    }
  }
}

}  // namespace
}  // namespace cuarbiter
