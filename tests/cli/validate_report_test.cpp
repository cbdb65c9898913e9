// validate --report: one HTML page about the run.
#include <gtest/gtest.h>

#include "host/report/utf8.hpp"
#include "tests/support/cuarbiter_program.hpp"

namespace cuarbiter {
namespace {

using namespace test;

const std::string kFaulty = std::string(CUARBITER_DATA) + "/games/faulty.pgn";
const std::string kHistory = std::string(CUARBITER_DATA) + "/games/history.pgn";

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

// Without what differs from run to run: the date and the time taken.
std::string without_times(std::string page) {
  const std::size_t date = page.find(", rules ");
  page.erase(date, page.find("</p>", date) - date);
  const std::size_t taken = page.find("taken</span>");
  const std::size_t time = page.rfind("<div>", taken);
  return page.erase(time, taken - time);
}

TEST(Report, TellsOfTheRun) {
  const TemporaryFolder folder;
  const std::string path = folder.path("r.html");
  const RunResult plain = cuarbiter_on_cpu({"validate", kFaulty, kHistory});
  const RunResult run = cuarbiter_on_cpu({"validate", kFaulty, kHistory, "--report", path});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.output, plain.output);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"r.html"});
  const std::string page = read_file(path);
  EXPECT_TRUE(contains(page, "<b class=\"\">2</b><span class=\"faint\">files</span>"));
  EXPECT_TRUE(contains(page, "games/faulty.pgn</td>"));
  EXPECT_TRUE(contains(page, "games/history.pgn</td>"));
  EXPECT_TRUE(contains(page, "<code>move.illegal</code></td>"));
  EXPECT_TRUE(contains(page, "<code>stalemate</code></td>"));
  EXPECT_TRUE(contains(page, "<code>1/2-1/2</code></td>"));
  EXPECT_TRUE(contains(page, "illegal move &quot;Bxd7+&quot;"));
  EXPECT_GT(count(page, "class=\"board\""), 3u);
  EXPECT_TRUE(contains(page, "</html>\n"));
  EXPECT_TRUE(valid_utf8(page));
}

TEST(Report, IsTheSameForAnyThreadsAndBatches) {
  const TemporaryFolder folder;
  std::string first;
  for (const char* threads : {"1", "3"}) {
    for (const char* batch : {"1", "1000000"}) {
      for (const char* most : {"4", "1000"}) {
        const std::string path = folder.path("r.html");
        cuarbiter_on_cpu({"validate", kFaulty, kHistory, kFaulty, "--duplicates", "-j", threads,
                          "--batch-size", batch, "--max-errors", most, "--report", path});
        const std::string page = without_times(read_file(path));
        EXPECT_FALSE(contains(page, "UTC"));
        EXPECT_EQ(contains(page, "Stopped"), most == std::string("4"));
        if (most == std::string("4")) {
          EXPECT_EQ(count(page, "class=\"board\""), 4u);
          continue;
        }
        if (first.empty()) first = page;
        EXPECT_EQ(page == first, true) << threads << " " << batch;
      }
    }
  }
}

TEST(Report, HostileTags) {
  const TemporaryFolder folder;
  const std::string path = folder.path("r.html");
  const std::string evil = "<script>alert(1)</script>&\xff";
  const RunResult run = cuarbiter_on_cpu(
      {"validate", "--report", path},
      with_input("[White \"" + evil + "\"]\n[Black \"\\\"><img src=x>\"]\n[Date \"" + evil +
                 "\"]\n\n1. e4 Ke3 1-0\n"));
  EXPECT_EQ(run.status, 1);
  const std::string page = read_file(path);
  EXPECT_TRUE(valid_utf8(page));
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_FALSE(contains(page, "<img"));
  EXPECT_TRUE(contains(page, "&lt;script&gt;alert(1)&lt;/script&gt;&amp;\\xFF"));
  EXPECT_TRUE(contains(page, "&quot;&gt;&lt;img src=x&gt;"));
}

TEST(Report, FilesThatCannotBeRead) {
  const TemporaryFolder folder;
  const std::string path = folder.path("r.html");
  const RunResult run =
      cuarbiter_on_cpu({"validate", folder.path("none.pgn"), kHistory, "--report", path});
  EXPECT_EQ(run.status, 3);
  const std::string page = read_file(path);
  EXPECT_TRUE(contains(page, "none.pgn<br><span class=\"error\">"));
  EXPECT_TRUE(contains(page, "games/history.pgn</td>"));
}

TEST(Report, GoesNowhereElse) {
  const TemporaryFolder folder;
  const RunResult dash = cuarbiter_on_cpu({"validate", kHistory, "--report", "-"});
  EXPECT_EQ(dash.status, 2);
  const std::string both = folder.path("x.html");
  EXPECT_EQ(cuarbiter_on_cpu({"validate", kHistory, "--report", both, "-o", both}).status, 2);
  // Told before anything is read.
  const RunResult nowhere =
      cuarbiter_on_cpu({"validate", kHistory, "--report", folder.path("none/r.html")});
  EXPECT_EQ(nowhere.status, 3);
  EXPECT_EQ(nowhere.output, "");
  EXPECT_TRUE(contains(nowhere.errors, "none/r.html"));
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace cuarbiter
