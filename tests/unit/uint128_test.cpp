// 128-bit counts: carries, overflow and decimal text, at the edges of both words.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <type_traits>

#include "host/batch/uint128.hpp"
#include "host/batch/uint128_text.hpp"

namespace cuarbiter {
namespace {

constexpr std::uint64_t kMax = ~std::uint64_t{0};
__extension__ using Wide = unsigned __int128;

Wide wide(const Uint128& v) {
  return (Wide{v.hi} << 64) | v.lo;
}

static_assert(std::is_trivial_v<Uint128>);
static_assert(sizeof(Uint128) == 16);
static_assert(product(kMax, kMax) == Uint128{1, kMax - 1});
static_assert(Uint128{}.is_zero() && !Uint128{0, 1}.is_zero() && !Uint128{1, 0}.is_zero());

TEST(Uint128, OrdersByTheHighWordFirst) {
  const Uint128 small{kMax, 0}, large{0, 1};
  EXPECT_TRUE(small < large && small <= large && large > small && large >= small);
  EXPECT_FALSE(large < small || large <= small || small == large);
  EXPECT_TRUE(small <= small && small >= small && !(small < small));
}

TEST(Uint128, AddCarriesAndReportsOverflow) {
  Uint128 sum{kMax, 0};
  EXPECT_FALSE(add(sum, 1));
  EXPECT_EQ(sum, (Uint128{0, 1}));
  sum = {kMax, kMax};
  EXPECT_TRUE(add(sum, 1));
  EXPECT_TRUE(sum.is_zero());
  sum = {kMax, kMax};
  EXPECT_TRUE(add(sum, Uint128{kMax, kMax}));
  EXPECT_EQ(sum, (Uint128{kMax - 1, kMax}));
  sum = {1, kMax};
  EXPECT_TRUE(add(sum, Uint128{0, 1}));
  EXPECT_EQ(sum, (Uint128{1, 0}));
  sum = {kMax, kMax - 1};
  EXPECT_FALSE(add(sum, 1));
  EXPECT_EQ(sum, (Uint128{0, kMax}));
}

TEST(Uint128, ProductsAgreeWithTheCompilersOwn) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t a = random() >> (random() % 64), b = random() >> (random() % 64);
    ASSERT_EQ(wide(product(a, b)), Wide{a} * b);
    const Uint128 start{random(), random() >> (random() % 64)};
    const Uint128 factor{random(), random() >> (random() % 64)};
    Uint128 sum = start;
    const bool over = add_product(sum, factor, b);
    ASSERT_EQ(wide(sum), wide(start) + wide(factor) * b);
    Wide product_wide, sum_wide;
    const bool expected = __builtin_mul_overflow(wide(factor), Wide{b}, &product_wide) |
                          __builtin_add_overflow(wide(start), product_wide, &sum_wide);
    ASSERT_EQ(over, expected);
    sum = start;
    ASSERT_EQ(add_product(sum, a, b), __builtin_add_overflow(wide(start), Wide{a} * b, &sum_wide));
    ASSERT_EQ(wide(sum), sum_wide);
  }
}

TEST(Uint128, WritesDecimal) {
  EXPECT_EQ(to_string({}), "0");
  EXPECT_EQ(to_string({kMax, 0}), "18446744073709551615");
  EXPECT_EQ(to_string({0, 1}), "18446744073709551616");
  EXPECT_EQ(to_string({kMax, kMax}), "340282366920938463463374607431768211455");
  EXPECT_EQ(to_string({10'000'000'000'000'000'000u, 0}), "10000000000000000000");
  EXPECT_EQ(to_string({9'999'999'999'999'999'999u, 0}), "9999999999999999999");
  EXPECT_EQ(to_string(product(10'000'000'000'000'000'000u, 10'000'000'000'000'000'000u)),
            "100000000000000000000000000000000000000");
  std::string text = "n=";
  append_decimal(text, {42, 0});
  EXPECT_EQ(text, "n=42");
}

TEST(Uint128, ReadsWhatItWrites) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 2000; ++i) {
    const Uint128 value{random() >> (random() % 64), random() >> (random() % 64)};
    const auto back = parse_uint128(to_string(value));
    ASSERT_TRUE(back.has_value());
    ASSERT_EQ(*back, value);
  }
}

TEST(Uint128, RefusesWhatIsNoCount) {
  EXPECT_EQ(parse_uint128("0000000000000000000000000000000000000000000007"), (Uint128{7, 0}));
  EXPECT_EQ(parse_uint128("340282366920938463463374607431768211455"), (Uint128{kMax, kMax}));
  EXPECT_FALSE(parse_uint128("340282366920938463463374607431768211456"));
  EXPECT_FALSE(parse_uint128("340282366920938463463374607431768211460"));
  EXPECT_FALSE(parse_uint128("1000000000000000000000000000000000000000"));
  for (const char* text : {"", " 1", "1 ", "+1", "-1", "1e3", "0x10", "1,000"}) {
    EXPECT_FALSE(parse_uint128(text)) << text;
  }
}

TEST(Uint128, ToDoubleIsClose) {
  EXPECT_EQ(to_double({}), 0.0);
  EXPECT_DOUBLE_EQ(to_double({0, 1}), 18446744073709551616.0);
  EXPECT_DOUBLE_EQ(to_double({123456789, 0}), 123456789.0);
}

}  // namespace
}  // namespace cuarbiter
