// Keys with where they were first seen, in memory and on disk: the same answers for any budget.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <map>
#include <random>
#include <utility>

#include "host/io/error.hpp"
#include "host/io/key_store.hpp"
#include "tests/support/run_program.hpp"

namespace cuarbiter {
namespace {

using Key = std::pair<std::uint64_t, std::uint64_t>;

// Sets TMPDIR for as long as it lives.
class TemporaryDirectory {
 public:
  explicit TemporaryDirectory(const std::string& path) {
    if (const char* now = ::getenv("TMPDIR")) before_ = now;
    ::setenv("TMPDIR", path.c_str(), 1);
  }
  ~TemporaryDirectory() {
    before_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before_.c_str(), 1);
  }

 private:
  std::string before_;
};

TEST(KeyStore, AgreesWithAMapForAnyBudget) {
  for (const std::size_t budget : {0u, 1000u, 5000u, 100000u, 100000000u}) {
    KeyStore store(budget);
    std::map<Key, SeenAt> expected;
    std::mt19937_64 random(budget);
    std::size_t found = 0;
    for (std::uint64_t i = 1; i <= 20000; ++i) {
      // Half of them come again, soon or late.
      Key key{random(), random()};
      if (i % 2 == 0) {
        std::mt19937_64 again(i / 2);
        key = Key{again(), again()};
      } else if (i < 10000) {
        std::mt19937_64 first(i);
        key = Key{first(), first()};
      }
      const SeenAt here{static_cast<std::uint32_t>(i % 7 + 1), i * 1000003, i * 7777777};
      const auto [at, is_new] = expected.emplace(key, here);
      const std::optional<SeenAt> first = store.insert(key.first, key.second, here);
      ASSERT_EQ(first.has_value(), !is_new) << budget << " " << i;
      if (first) {
        ++found;
        ASSERT_EQ(*first, at->second) << budget << " " << i;
      }
    }
    EXPECT_GT(found, 4000u);
    EXPECT_EQ(store.size(), expected.size());
    if (budget <= 5000) {
      EXPECT_GT(store.runs(), 1u) << budget;
      EXPECT_LT(store.runs(), 50u) << budget;
    }
    if (budget == 100000000) {
      EXPECT_EQ(store.runs(), 0u);
    }
  }
}

// Hashes never look so, but the answer must not depend on how keys lie.
TEST(KeyStore, KeysWithOneHalfInCommon) {
  for (const std::size_t budget : {0u, 4000u, 40000u}) {
    KeyStore store(budget);
    for (int round = 0; round < 2; ++round) {
      for (std::uint64_t i = 0; i < 3000; ++i) {
        const SeenAt here{1, i + 1, 5};
        const auto same_hi = store.insert(42, i, here);
        const auto same_lo = store.insert(i * 0x123456789ABCDu + 43, 42, here);
        ASSERT_EQ(same_hi.has_value(), round == 1) << i;
        ASSERT_EQ(same_lo.has_value(), round == 1) << i;
        if (round == 1) {
          ASSERT_EQ(same_hi->game, i + 1);
        }
      }
    }
  }
}

TEST(KeyStore, PlacesUpTo48Bits) {
  KeyStore store(0);
  const std::uint64_t most = (std::uint64_t{1} << 48) - 1;
  const SeenAt large{0xFFFFFFFFu, most, most}, mixed{1, 0x123456789ABCu, 0xFEDCBA987654u};
  EXPECT_FALSE(store.insert(0, 0, large));
  EXPECT_FALSE(store.insert(~std::uint64_t{0}, ~std::uint64_t{0}, mixed));
  for (std::uint64_t i = 1; i < 1000; ++i) store.insert(i << 54, i, SeenAt{1, 1, 1});
  EXPECT_GT(store.runs(), 0u);
  EXPECT_EQ(store.insert(0, 0, SeenAt{1, 1, 1}), large);
  EXPECT_EQ(store.insert(~std::uint64_t{0}, ~std::uint64_t{0}, SeenAt{1, 1, 1}), mixed);
}

TEST(KeyStore, LeavesNoNamesBehindAndTellsOfAFolderThatIsNotThere) {
  const test::TemporaryFolder folder;
  {
    const TemporaryDirectory there(folder.path("."));
    KeyStore store(0);
    for (std::uint64_t i = 0; i < 1000; ++i) store.insert(i << 54, i, SeenAt{1, 1, 1});
    EXPECT_GT(store.runs(), 0u);
    EXPECT_TRUE(folder.names().empty());
  }
  const TemporaryDirectory nowhere(folder.path("nowhere"));
  KeyStore store(0);
  try {
    for (std::uint64_t i = 0; i < 1000; ++i) store.insert(i << 54, i, SeenAt{1, 1, 1});
    FAIL() << "no error";
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("nowhere"), std::string::npos) << error.what();
  }
}

TEST(SortedRun, FindsWithAndWithoutAFilter) {
  for (const std::size_t filter : {0u, 1u << 20}) {
    SortedRun run(2000, filter);
    for (std::uint64_t i = 0; i < 2000; ++i) run.add(KeyEntry{i << 50, i, {i + 1, i}});
    run.finish();
    EXPECT_EQ(run.size(), 2000u);
    KeyEntry found;
    for (int pass = 0; pass < 2; ++pass) {
      for (std::uint64_t i = 0; i < 2000; ++i) {
        ASSERT_TRUE(run.find(i << 50, i, found)) << i;
        ASSERT_EQ(found.value[0], i + 1);
        ASSERT_FALSE(run.find(i << 50, i + 1, found)) << i;
        ASSERT_FALSE(run.find((i << 50) + 1, i, found)) << i;
      }
      run.drop_filter();
    }
    EXPECT_LT(run.memory_bytes(), 100u);
  }
  SortedRun empty(0, 1000);
  empty.finish();
  KeyEntry found;
  EXPECT_FALSE(empty.find(1, 1, found));
}

}  // namespace
}  // namespace cuarbiter
