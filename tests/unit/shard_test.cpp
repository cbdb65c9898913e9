// Parts of a run: which they are, and that they are disjoint and complete.
#include "host/batch/shard.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace cuarbiter {
namespace {

TEST(Shard, IsReadAsIndexAndCount) {
  EXPECT_EQ(parse_shard("1/1"), (Shard{1, 1}));
  EXPECT_EQ(parse_shard("3/8"), (Shard{3, 8}));
  EXPECT_EQ(parse_shard("1000000/1000000"), (Shard{1000000, 1000000}));
  for (const char* text : {"", "/", "1", "1/", "/1", "0/1", "2/1", "-1/2", "+1/2", "1/2/3", "1 / 2",
                           "1/1000001", "1/99999999999999999999", "a/b"}) {
    EXPECT_FALSE(parse_shard(text)) << text;
  }
}

Shard slurm(const std::map<std::string, std::string>& environment) {
  return slurm_shard([&](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

std::map<std::string, std::string> array(int id, int least, int most, int step, int count) {
  return {{"SLURM_ARRAY_TASK_ID", std::to_string(id)},
          {"SLURM_ARRAY_TASK_MIN", std::to_string(least)},
          {"SLURM_ARRAY_TASK_MAX", std::to_string(most)},
          {"SLURM_ARRAY_TASK_STEP", std::to_string(step)},
          {"SLURM_ARRAY_TASK_COUNT", std::to_string(count)}};
}

TEST(Shard, OfAJobArray) {
  EXPECT_EQ(slurm(array(0, 0, 7, 1, 8)), (Shard{1, 8}));
  EXPECT_EQ(slurm(array(7, 0, 7, 1, 8)), (Shard{8, 8}));
  EXPECT_EQ(slurm(array(1, 1, 3, 1, 3)), (Shard{1, 3}));
  EXPECT_EQ(slurm(array(9, 1, 11, 4, 3)), (Shard{3, 3}));
  EXPECT_EQ(slurm(array(9, 1, 12, 4, 3)), (Shard{3, 3}));  // --array=1-12:4
  auto without_step = array(2, 1, 3, 1, 3);
  without_step.erase("SLURM_ARRAY_TASK_STEP");
  EXPECT_EQ(slurm(without_step), (Shard{2, 3}));
}

TEST(Shard, OfTheTasksOfAJob) {
  EXPECT_EQ(slurm({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}), (Shard{1, 4}));
  EXPECT_EQ(slurm({{"SLURM_PROCID", "3"}, {"SLURM_NTASKS", "4"}}), (Shard{4, 4}));
  EXPECT_EQ(slurm({{"SLURM_NTASKS", "1"}}), (Shard{1, 1}));
  // Tasks of the jobs of an array: every pair is another part.
  std::vector<bool> seen(6);
  for (int id = 0; id < 3; ++id) {
    for (int task = 0; task < 2; ++task) {
      auto environment = array(id, 0, 2, 1, 3);
      environment.insert({{"SLURM_PROCID", std::to_string(task)}, {"SLURM_NTASKS", "2"}});
      const Shard shard = slurm(environment);
      EXPECT_EQ(shard.count, 6u);
      ASSERT_LE(shard.index, 6u);
      EXPECT_FALSE(seen[shard.index - 1]);
      seen[shard.index - 1] = true;
    }
  }
}

TEST(Shard, WhatSlurmDoesNotSay) {
  EXPECT_THROW(slurm({}), ShardError);
  EXPECT_THROW(slurm({{"SLURM_NTASKS", "4"}}), ShardError);
  EXPECT_THROW(slurm({{"SLURM_NTASKS", "x"}, {"SLURM_PROCID", "0"}}), ShardError);
  EXPECT_THROW(slurm({{"SLURM_NTASKS", "4"}, {"SLURM_PROCID", "4"}}), ShardError);
  EXPECT_THROW(slurm({{"SLURM_ARRAY_TASK_ID", "4"}}), ShardError);
  EXPECT_THROW(slurm(array(3, 1, 7, 1, 3)), ShardError);  // --array=1,3,7
  EXPECT_THROW(slurm(array(2, 1, 5, 2, 3)), ShardError);
  EXPECT_THROW(slurm(array(6, 1, 5, 2, 3)), ShardError);
  EXPECT_THROW(slurm(array(1, 1, 5, 0, 5)), ShardError);
  EXPECT_THROW(slurm(array(1, 1, 2000000, 1, 2000000)), ShardError);
}

TEST(ShardItems, AreDisjointAndComplete) {
  std::mt19937_64 random(7);
  for (const std::size_t items : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{31},
                                  std::size_t{32}, std::size_t{1000}}) {
    for (const unsigned kind : {0u, 1u, 2u, 3u}) {
      std::vector<std::uint64_t> work(items);
      for (std::uint64_t& w : work) {
        w = kind == 0 ? 1 : kind == 1 ? random() % 1000 : kind == 2 ? 0 : random() >> 20;
      }
      for (const unsigned count : {1u, 2u, 3u, 7u, 64u, 1001u}) {
        std::size_t next = 0;
        for (unsigned index = 1; index <= count; ++index) {
          const ItemRange range = shard_items(work, Shard{index, count});
          ASSERT_EQ(range.begin, next) << items << ' ' << index << '/' << count;
          ASSERT_LE(range.begin, range.end);
          next = range.end;
        }
        ASSERT_EQ(next, items) << count;
      }
    }
  }
}

TEST(ShardItems, HaveAboutTheSameWork) {
  std::mt19937_64 random(8);
  std::vector<std::uint64_t> work(10000);
  for (std::uint64_t& w : work) w = 1 + random() % 1000;
  const std::uint64_t total = std::accumulate(work.begin(), work.end(), std::uint64_t{0});
  for (unsigned index = 1; index <= 10; ++index) {
    const ItemRange range = shard_items(work, Shard{index, 10});
    std::uint64_t sum = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) sum += work[i];
    EXPECT_NEAR(static_cast<double>(sum), static_cast<double>(total) / 10, 1001);
  }
}

}  // namespace
}  // namespace cuarbiter
