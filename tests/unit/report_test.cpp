// The code table, and the writers: JSON, CSV, text for terminals, UTF-8.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <set>
#include <string>

#include "host/report/csv.hpp"
#include "host/report/diagnostic.hpp"
#include "host/report/json.hpp"
#include "host/report/terminal.hpp"
#include "host/report/utf8.hpp"

namespace cuarbiter {
namespace {

using namespace std::string_literals;

TEST(Diagnostic, NamesAreUniqueAndFoundAgain) {
  std::set<std::string_view> names, meanings;
  for (std::size_t i = 0; i < kCodeCount; ++i) {
    const Code code = static_cast<Code>(i);
    EXPECT_TRUE(names.insert(code_name(code)).second) << code_name(code);
    EXPECT_TRUE(meanings.insert(code_meaning(code)).second) << code_meaning(code);
    EXPECT_NE(code_meaning(code).back(), '.');
    EXPECT_EQ(find_code(code_name(code)), code);
    EXPECT_NE(code_name(code).find('.'), std::string_view::npos);
  }
  EXPECT_FALSE(find_code("move.unheard-of"));
  EXPECT_FALSE(find_code(""));
}

TEST(Diagnostic, NamesFollowTheEnumerators) {
  EXPECT_EQ(code_name(Code::fen_en_passant_impossible), "fen.en-passant-impossible");
  EXPECT_EQ(code_name(Code::move_king_left_in_check), "move.king-left-in-check");
  EXPECT_EQ(code_name(Code::game_duplicate), "game.duplicate");
}

TEST(Diagnostic, ExactlyTheseCodesAreWarnings) {
  const std::set<std::string_view> expected = {"fen.counters",
                                               "fen.normalised",
                                               "epd.move",
                                               "pgn.variant-unsupported",
                                               "pgn.tag-missing",
                                               "pgn.tag-value",
                                               "pgn.move-number",
                                               "pgn.encoding",
                                               "pgn.setup-tag",
                                               "pgn.nested-comment",
                                               "pgn.reserved",
                                               "pgn.nag-glyph",
                                               "pgn.result-spelling",
                                               "move.null",
                                               "san.check-suffix",
                                               "san.disambiguation",
                                               "san.capture",
                                               "san.castling",
                                               "san.promotion",
                                               "san.case",
                                               "san.long",
                                               "san.figurine",
                                               "san.pawn-letter",
                                               "san.en-passant",
                                               "san.punctuation",
                                               "game.beyond-fivefold",
                                               "game.beyond-seventyfive",
                                               "game.duplicate",
                                               "touch.empty-square",
                                               "game.beyond-checks"};
  std::set<std::string_view> warnings;
  for (std::size_t i = 0; i < kCodeCount; ++i) {
    const Code code = static_cast<Code>(i);
    if (code_severity(code) == Severity::warning) warnings.insert(code_name(code));
  }
  EXPECT_EQ(warnings, expected);
  EXPECT_EQ(severity_name(Severity::warning), "warning");
  EXPECT_EQ(severity_name(Severity::error), "error");
}

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(Json, EscapesWhatMustBeEscapedAndNothingElse) {
  EXPECT_EQ(json_string(""), R"("")");
  EXPECT_EQ(json_string("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(json_string("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(json_string("\x00\x01\x1f\x7f"s), "\"\\u0000\\u0001\\u001f\x7f\"");
  EXPECT_EQ(json_string("Réti, ♔ 😀"), "\"Réti, ♔ 😀\"");
}

TEST(Json, EscapesAtEveryPlaceOfAWord) {
  for (const std::string special : {"\"", "\\", "\n", "\x1f"}) {
    for (std::size_t before = 0; before < 20; ++before) {
      for (std::size_t after = 0; after < 20; ++after) {
        const std::string head(before, 'x'), tail(after, '\xff');
        const std::string shown = special == "\n"     ? "\\n"
                                  : special == "\x1f" ? "\\u001f"
                                                      : "\\" + special;
        ASSERT_EQ(json_string(head + special + tail), "\"" + head + shown + tail + "\"");
      }
    }
  }
}

TEST(Json, WritesFieldsInTheOrderOfTheCalls) {
  std::string out = "before ";
  JsonObject(out)
      .string("type", "perft")
      .integer("line", 1)
      .integer("low", std::numeric_limits<std::int64_t>::min())
      .integer("high", std::numeric_limits<std::uint64_t>::max())
      .integer("byte", std::uint8_t{200})
      .boolean("ok", true)
      .boolean("no", false)
      .null("none")
      .raw("raw", "[1]")
      .end_line();
  EXPECT_EQ(out,
            "before {\"type\":\"perft\",\"line\":1,\"low\":-9223372036854775808,"
            "\"high\":18446744073709551615,\"byte\":200,\"ok\":true,\"no\":false,\"none\":null,"
            "\"raw\":[1]}\n");
}

TEST(Json, NestsArraysAndObjects) {
  std::string out;
  JsonObject object(out);
  object.open_array("draw").string_item("a").string_item("b").close_array();
  object.open_array("none").close_array();
  object.open_array("numbers").integer_item(1).integer_item(-2).raw_item("null").close_array();
  object.open_object("can_win").string("white", "yes").close_object();
  object.open_array("defects");
  object.open_object_item().string("code", "x").close_object();
  object.open_object_item().close_object();
  object.close_array().integer("after", 3).end();
  EXPECT_EQ(out, R"({"draw":["a","b"],"none":[],"numbers":[1,-2,null],"can_win":{"white":"yes"},)"
                 R"("defects":[{"code":"x"},{}],"after":3})");
}

// The text is put together in pieces: whatever their border falls on, nothing is lost.
TEST(Json, LongObjectsComeOutWhole) {
  for (std::size_t length = 900; length < 1030; ++length) {
    const std::string filler(length, 'x');
    std::string out, expected = "{\"a\":\"" + filler + "\"";
    JsonObject object(out);
    object.string("a", filler);
    for (int round = 0; round < 30; ++round) {
      object.integer("number", 18446744073709551615u).integer("ten", 10).integer("minus", -7);
      object.boolean("yes", true).null("none").string("escaped", "\"\n\x01").plain("word", "w");
      object.open_object("object").open_array("array").close_array().close_object();
      object.open_array("items").string_item("\xff\"").raw_item("1").integer_item(99).close_array();
      object.string("bytes", "R\xe9ti").fields("\"f\":1,\"g\":2").raw("raw", "[]");
      expected +=
          ",\"number\":18446744073709551615,\"ten\":10,\"minus\":-7,\"yes\":true,\"none\":null,"
          "\"escaped\":\"\\\"\\n\\u0001\",\"word\":\"w\",\"object\":{\"array\":[]},"
          "\"items\":[\"\xef\xbf\xbd\\\"\",1,99],\"bytes_base64\":\"Uul0aQ==\","
          "\"f\":1,\"g\":2,\"raw\":[]";
    }
    object.string("long", std::string(5000, 'y') + '"').end_line();
    expected += ",\"long\":\"" + std::string(5000, 'y') + "\\\"\"}\n";
    ASSERT_EQ(out, expected) << length;
  }
}

TEST(Json, PlainLinesOfAnyLength) {
  std::string text;
  for (int length = 0; length < 200; ++length, text += static_cast<char>('a' + length % 26)) {
    std::string out, expected = "{";
    JsonObject object(out);
    for (int round = 0; round < 20; ++round) {
      object.plain_line("line", text);
      expected += (round ? ",\"line\":\"" : "\"line\":\"") + text + '"';
    }
    object.end();
    ASSERT_EQ(out, expected + '}');
  }
}

TEST(Json, TextThatIsNotUtf8BecomesBase64) {
  std::string out;
  JsonObject(out).string("white", "R\xe9ti").string("black", "ok").end();
  EXPECT_EQ(out, R"({"white_base64":"Uul0aQ==","black":"ok"})");
  out.clear();
  JsonObject(out).open_array("a").string_item("x\xe9y\xc3\xa9\xff").close_array().end();
  EXPECT_EQ(out, "{\"a\":[\"x\xef\xbf\xbdy\xc3\xa9\xef\xbf\xbd\"]}");
}

TEST(Json, Base64OfTheRfc) {
  // RFC 4648, section 10.
  const std::pair<const char*, const char*> cases[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, expected] : cases) {
    std::string out;
    append_base64(out, bytes);
    EXPECT_EQ(out, expected);
  }
  std::string out;
  append_base64(out, "\xff\xfe\xfb\xef\x00\x01"s);
  EXPECT_EQ(out, "//777wAB");
}

TEST(Csv, QuotesOnlyWhereNeeded) {
  std::string out;
  CsvRow(out).field("plain").field("a,b").field("say \"x\"").field("two\nlines").empty().end();
  CsvRow(out).field(std::string(" blank")).field("blank\t").field("\r").field("in side").end();
  CsvRow(out).field(-3).field(std::uint64_t{18446744073709551615u}).field(true).field(false).end();
  EXPECT_EQ(out,
            "plain,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",\n"
            "\" blank\",\"blank\t\",\"\r\",in side\n"
            "-3,18446744073709551615,true,false\n");
}

TEST(Csv, ARowOfOneEmptyFieldIsNoBlankLine) {
  std::string out = "x\n";
  CsvRow(out).empty().end();
  CsvRow(out).empty().empty().end();
  EXPECT_EQ(out, "x\n\"\"\n,\n");
}

TEST(Terminal, NeutralisesWhatActsOnATerminal) {
  EXPECT_EQ(visible("Ke3 \x1b[31mred\x07"), "Ke3 \\x1B[31mred\\x07");
  EXPECT_EQ(visible("a\nb\tc\r\x7f"), "a\\x0Ab\\x09c\\x0D\\x7F");
  EXPECT_EQ(visible("nul \x00 end"s), "nul \\x00 end");
  EXPECT_EQ(visible("C1 \xc2\x9b end"), "C1 \\xC2\\x9B end");
  EXPECT_EQ(visible("rtl \xe2\x80\xae \xe2\x81\xa6 \xe2\x80\xa8"),
            "rtl \\xE2\\x80\\xAE \\xE2\\x81\\xA6 \\xE2\\x80\\xA8");
  EXPECT_EQ(visible("R\xe9ti \xff\xc3"), "R\\xE9ti \\xFF\\xC3");
  EXPECT_EQ(visible("Réti ♔ \xc2\xa0 😀 back\\slash"), "Réti ♔ \xc2\xa0 😀 back\\slash");
  EXPECT_EQ(visible(""), "");
}

TEST(Terminal, NoByteStringGetsAControlCharacterThrough) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string shown =
          visible(std::string{'x', static_cast<char>(a), static_cast<char>(b), 'y'});
      ASSERT_TRUE(valid_utf8(shown));
      for (const char c : shown) {
        const auto byte = static_cast<unsigned char>(c);
        ASSERT_TRUE(byte >= 0x20 && byte != 0x7f) << a << ' ' << b;
      }
      ASSERT_EQ(shown.find("\xc2\x9b"), std::string::npos);
    }
  }
}

TEST(Terminal, ColorFollowsModeTerminalAndEnvironment) {
  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "xterm", 1);
  EXPECT_TRUE(use_color(ColorMode::automatic, true));
  EXPECT_FALSE(use_color(ColorMode::automatic, false));
  EXPECT_TRUE(use_color(ColorMode::always, false));
  EXPECT_FALSE(use_color(ColorMode::never, true));
  ::setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(use_color(ColorMode::automatic, true));
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(use_color(ColorMode::automatic, true));
  EXPECT_TRUE(use_color(ColorMode::always, true));
  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(use_color(ColorMode::automatic, true));
  std::string out;
  append_colored(out, TextColor::red, "error", true);
  append_colored(out, TextColor::bold, " plain", false);
  EXPECT_EQ(out, "\x1b[31merror\x1b[0m plain");
}

TEST(Utf8, KnowsWellFormedFromIllFormed) {
  for (const std::string& good :
       {""s, "abc"s, "\x00"s, "\x7f"s, "\xc2\x80"s, "\xdf\xbf"s, "\xe0\xa0\x80"s, "\xed\x9f\xbf"s,
        "\xee\x80\x80"s, "\xef\xbf\xbf"s, "\xf0\x90\x80\x80"s, "\xf4\x8f\xbf\xbf"s}) {
    EXPECT_TRUE(valid_utf8(good));
    EXPECT_TRUE(valid_utf8("12345678" + good + "x"));
  }
  for (const std::string& bad :
       {"\x80"s, "\xbf"s, "\xc0\x80"s, "\xc1\xbf"s, "\xc2"s, "\xc2\x41"s, "\xe0\x9f\xbf"s,
        "\xe2\x82"s, "\xed\xa0\x80"s, "\xed\xbf\xbf"s, "\xf0\x8f\xbf\xbf"s, "\xf0\x90\x80"s,
        "\xf4\x90\x80\x80"s, "\xf5\x80\x80\x80"s, "\xfe"s, "\xff"s}) {
    EXPECT_FALSE(valid_utf8(bad));
    EXPECT_FALSE(valid_utf8("12345678" + bad));
    EXPECT_FALSE(valid_utf8("é" + bad + "123456789"));
  }
}

TEST(Utf8, EveryCodePointIsOneSequence) {
  std::uint32_t valid = 0;
  for (std::uint32_t point = 0; point < 0x110000; ++point) {
    std::string text;
    const auto push = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
    if (point < 0x80) {
      push(point);
    } else if (point < 0x800) {
      push(0xc0 | point >> 6), push(0x80 | (point & 63));
    } else if (point < 0x10000) {
      push(0xe0 | point >> 12), push(0x80 | (point >> 6 & 63)), push(0x80 | (point & 63));
    } else {
      push(0xf0 | point >> 18), push(0x80 | (point >> 12 & 63));
      push(0x80 | (point >> 6 & 63)), push(0x80 | (point & 63));
    }
    const bool surrogate = point >= 0xd800 && point < 0xe000;
    ASSERT_EQ(utf8_sequence(text), surrogate ? 0 : text.size()) << point;
    valid += surrogate ? 0 : 1;
  }
  EXPECT_EQ(valid, 0x110000u - 0x800u);
}

TEST(Utf8, ReadsLatin1) {
  EXPECT_EQ(latin1_to_utf8("R\xe9ti \xff\x80"), "Réti ÿ\xc2\x80");
  std::string all;
  for (int c = 0; c < 256; ++c) all.push_back(static_cast<char>(c));
  EXPECT_TRUE(valid_utf8(latin1_to_utf8(all)));
  EXPECT_EQ(latin1_to_utf8(all).size(), 128u + 2 * 128u);
}

}  // namespace
}  // namespace cuarbiter
