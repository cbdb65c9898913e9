// JSON read back: what RFC 8259 allows, and what it does not.
#include "host/report/json_read.hpp"

#include <gtest/gtest.h>

#include "host/report/json.hpp"

namespace cuarbiter {
namespace {

TEST(JsonRead, Values) {
  const auto value = JsonValue::parse(
      " { \"a\" : 1 , \"b\":[true,false,null,-1.5e+3],\"c\":{\"d\":\"x\"},\"e\":\"\",\"f\":[],"
      "\"g\":{}}\r\n");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->integer("a"), 1u);
  ASSERT_EQ(value->find("b")->items().size(), 4u);
  EXPECT_TRUE(value->find("b")->items()[0].boolean());
  EXPECT_FALSE(value->find("b")->items()[1].boolean());
  EXPECT_EQ(value->find("b")->items()[2].kind(), JsonValue::Kind::null);
  EXPECT_EQ(value->find("b")->items()[3].text(), "-1.5e+3");
  EXPECT_FALSE(value->find("b")->items()[3].integer());
  EXPECT_EQ(value->find("c")->string("d"), "x");
  EXPECT_EQ(value->string("e"), "");
  EXPECT_FALSE(value->string("a"));
  EXPECT_FALSE(value->integer("e"));
  EXPECT_EQ(value->find("none"), nullptr);
  EXPECT_EQ(JsonValue::parse("18446744073709551615")->integer(), ~std::uint64_t{0});
  EXPECT_FALSE(JsonValue::parse("18446744073709551616")->integer());
}

TEST(JsonRead, Escapes) {
  EXPECT_EQ(JsonValue::parse(R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00")")->text(),
            "\"\\/\b\f\n\r\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  // What is written is read back.
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  all += "\xc3\xa9";
  std::string text;
  JsonObject(text).string("all", all).end();
  EXPECT_EQ(JsonValue::parse(text)->string("all"), all);
}

TEST(JsonRead, WhatIsNone) {
  for (const char* text : {"",
                           " ",
                           "{",
                           "}",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{a:1}",
                           "{\"a\":1}x",
                           "[1,]",
                           "[1",
                           "[,1]",
                           "01",
                           "-",
                           "1.",
                           ".5",
                           "1e",
                           "+1",
                           "tru",
                           "nul",
                           "\"",
                           "\"\\x\"",
                           "\"\\u12\"",
                           "\"\\ud83d\"",
                           "\"\\ude00\"",
                           "\"\n\"",
                           "'a'",
                           "{\"a\":1,\"a\":2}",
                           "{\"a\":1 \"b\":2}"}) {
    EXPECT_FALSE(JsonValue::parse(text)) << text;
  }
  EXPECT_TRUE(JsonValue::parse(std::string(30, '[') + std::string(30, ']')));
  EXPECT_FALSE(JsonValue::parse(std::string(100000, '[')));
  EXPECT_FALSE(JsonValue::parse(std::string(40, '[') + std::string(40, ']')));
}

// What JsonObject::string() writes comes back, whatever the bytes.
TEST(JsonRead, BytesComeBack) {
  for (const std::string& bytes :
       {std::string(), std::string("plain"), std::string("caf\xC3\xA9 \"\\\x01"),
        std::string("\xFF"), std::string("\xFF\xFE"), std::string("\xFF\xFE\0", 3),
        std::string("\xE9t\xE9 and more")}) {
    std::string out;
    JsonObject(out).string("name", bytes).end();
    const auto read = JsonValue::parse(out);
    ASSERT_TRUE(read) << out;
    EXPECT_EQ(read->bytes("name"), bytes) << out;
    EXPECT_EQ(read->bytes("other"), std::nullopt);
  }
  for (const char* bad : {"A", "AA", "AAA", "A===", "A=AA", "AA=A", "AA A", "AAAA=AAA"}) {
    EXPECT_EQ(decoded_base64(bad), std::nullopt) << bad;
  }
  EXPECT_EQ(decoded_base64("Zm9vYmE="), "fooba");
}

}  // namespace
}  // namespace cuarbiter
