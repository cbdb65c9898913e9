// A file that a later process goes on with.
#include "host/io/append_file.hpp"

#include <gtest/gtest.h>

#include "host/io/error.hpp"
#include "tests/support/run_program.hpp"

namespace cuarbiter {
namespace {

using test::read_file;
using test::TemporaryFolder;

std::string all_of(AppendFile& file) {
  std::string out;
  file.read_all([&](std::string_view bytes) { out += bytes; });
  return out;
}

TEST(AppendFile, GrowsAndIsCut) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a");
  {
    AppendFile file(path, 0);
    file.write("one,");
    EXPECT_EQ(file.length(), 4u);
    EXPECT_EQ(read_file(path), "");
    file.sync();
    EXPECT_EQ(read_file(path), "one,");
    file.write("two,");
    EXPECT_EQ(all_of(file), "one,two,");
    file.write("lost");
  }
  EXPECT_EQ(read_file(path), "one,two,");
  AppendFile file(path, 4);
  EXPECT_EQ(read_file(path), "one,");
  file.write(std::string(700000, 'x'));
  EXPECT_EQ(file.length(), 700004u);
  EXPECT_EQ(all_of(file), "one," + std::string(700000, 'x'));
  file.write("end");
  EXPECT_EQ(all_of(file).substr(700000), "xxxxend");
}

TEST(AppendFile, WhatCannotBe) {
  const TemporaryFolder folder;
  folder.write("short", "abc");
  EXPECT_THROW(AppendFile(folder.path("short"), 4), IoError);
  EXPECT_EQ(read_file(folder.path("short")), "abc");
  EXPECT_THROW(AppendFile(folder.path("no/folder"), 0), IoError);
  EXPECT_THROW(AppendFile("/dev/null", 0), IoError);
}

}  // namespace
}  // namespace cuarbiter
