// Parts of the command line: sizes, CPU quotas, exit statuses, rules profiles, states.
#include <gtest/gtest.h>

#include "cli/available_threads.hpp"
#include "cli/exit_status.hpp"
#include "cli/position_state.hpp"
#include "cli/size_text.hpp"
#include "host/batch/rules_profile.hpp"

namespace cuarbiter {
namespace {

TEST(Size, ReadsNumbersWithUnits) {
  EXPECT_EQ(parse_size("1"), 1u);
  EXPECT_EQ(parse_size("4096"), 4096u);
  EXPECT_EQ(parse_size("4096B"), 4096u);
  EXPECT_EQ(parse_size("2k"), 2048u);
  EXPECT_EQ(parse_size("512M"), 512u << 20);
  EXPECT_EQ(parse_size("8GiB"), std::uint64_t{8} << 30);
  EXPECT_EQ(parse_size("1.5GiB"), std::uint64_t{3} << 29);
  EXPECT_EQ(parse_size("2T"), std::uint64_t{2} << 40);
  EXPECT_EQ(parse_size("1KB"), 1000u);
  EXPECT_EQ(parse_size("3gb"), 3000000000u);
}

TEST(Size, RefusesEverythingElse) {
  for (const char* text : {"", "0", "-1", "+1", "K", "1X", "1KK", "1 K", "1K ", "1e3", "nan", "inf",
                           "0x10", "99999999999999999999", "9000000T", ".", "12%"}) {
    EXPECT_FALSE(parse_size(text).has_value()) << text;
  }
}

TEST(Size, ReadsShares) {
  EXPECT_EQ(parse_percent("1%"), 1u);
  EXPECT_EQ(parse_percent("100%"), 100u);
  for (const char* text : {"", "%", "0%", "101%", "80", "8.5%", "-5%", "80%%", " 80%"}) {
    EXPECT_FALSE(parse_percent(text).has_value()) << text;
  }
}

TEST(Size, WritesThem) {
  EXPECT_EQ(size_text(0), "0 B");
  EXPECT_EQ(size_text(1023), "1023 B");
  EXPECT_EQ(size_text(1536), "1.5 KiB");
  EXPECT_EQ(size_text(std::uint64_t{24} << 30), "24.0 GiB");
}

TEST(Threads, QuotaOfAControlGroup) {
  EXPECT_EQ(quota_threads("max 100000"), 0u);
  EXPECT_EQ(quota_threads("200000 100000\n"), 2u);
  EXPECT_EQ(quota_threads("150000 100000"), 2u);
  EXPECT_EQ(quota_threads("10000 100000"), 1u);
  EXPECT_EQ(quota_threads("-1\n 100000\n"), 0u);
  EXPECT_EQ(quota_threads(""), 0u);
  EXPECT_EQ(quota_threads(" "), 0u);
  EXPECT_EQ(quota_threads("100000"), 0u);
  EXPECT_EQ(quota_threads("100000 0"), 0u);
}

TEST(Threads, ThereIsOne) {
  EXPECT_GE(available_threads(), 1u);
}

TEST(RunStatus, TheHighestWins) {
  RunStatus status;
  EXPECT_EQ(status.status(), ExitStatus::clean);
  status.raise(ExitStatus::input);
  status.raise(ExitStatus::findings);
  EXPECT_EQ(status.status(), ExitStatus::input);
  status.raise(ExitStatus::stopped);
  status.raise(ExitStatus::internal);
  EXPECT_EQ(status.status(), ExitStatus::stopped);
}

TEST(RunStatus, ExitZeroForgivesFindingsOnly) {
  EXPECT_EQ(with_exit_zero(ExitStatus::findings, true), ExitStatus::clean);
  EXPECT_EQ(with_exit_zero(ExitStatus::findings, false), ExitStatus::findings);
  EXPECT_EQ(with_exit_zero(ExitStatus::input, true), ExitStatus::input);
}

TEST(Rules, ProfilesByName) {
  ASSERT_TRUE(find_rules_profile("fide").has_value());
  EXPECT_EQ(find_rules_profile("fide")->claim_clock, 100u);
  EXPECT_EQ(find_rules_profile("fide")->automatic_clock, 150u);
  EXPECT_EQ(find_rules_profile("fide-2001")->automatic_clock, 0u);
  EXPECT_EQ(find_rules_profile("qq")->claim_clock, 0u);
  EXPECT_EQ(find_rules_profile("qq")->automatic_clock, 60u);
  EXPECT_FALSE(find_rules_profile("FIDE").has_value());
}

TEST(Rules, MoveLimitReplacesFiftyAndSeventyFive) {
  const RulesProfile fide = with_move_limit(*find_rules_profile("fide"), 100);
  EXPECT_EQ(fide.claim_clock, 200u);
  EXPECT_EQ(fide.automatic_clock, 300u);
  EXPECT_EQ(with_move_limit(*find_rules_profile("fide"), 51).automatic_clock, 153u);
  const RulesProfile old = with_move_limit(*find_rules_profile("fide-2001"), 75);
  EXPECT_EQ(old.claim_clock, 150u);
  EXPECT_EQ(old.automatic_clock, 0u);
  EXPECT_EQ(with_move_limit(*find_rules_profile("qq"), 40).automatic_clock, 80u);
}

TEST(State, ClaimsAndAutomaticEnds) {
  const RulesProfile fide = *find_rules_profile("fide");
  PositionFacts facts;
  facts.legal_moves = 5;
  EXPECT_EQ(position_state(facts, 99, false, fide).claim, "");
  EXPECT_EQ(position_state(facts, 100, false, fide).claim, "fifty_moves");
  EXPECT_EQ(position_state(facts, 100, false, fide).name, "ongoing");
  EXPECT_EQ(position_state(facts, 149, false, fide).name, "ongoing");
  const PositionState over = position_state(facts, 150, false, fide);
  EXPECT_EQ(over.name, "seventyfive_moves");
  EXPECT_EQ(over.claim, "");
  EXPECT_EQ(over.dead, Answer::unknown);
  const RulesProfile qq = *find_rules_profile("qq");
  EXPECT_EQ(position_state(facts, 59, false, qq).name, "ongoing");
  EXPECT_EQ(position_state(facts, 60, false, qq).name, "thirty_moves");
  EXPECT_EQ(position_state(facts, 400, false, *find_rules_profile("fide-2001")).name, "ongoing");
}

TEST(State, MateComesBeforeEveryDraw) {
  PositionFacts facts;
  facts.checkers = 1;
  const PositionState state = position_state(facts, 200, true, *find_rules_profile("fide"));
  EXPECT_EQ(state.name, "checkmate");
  EXPECT_EQ(state.dead, Answer::no);
  EXPECT_EQ(state.white_can_win, Answer::yes);
  EXPECT_EQ(state.black_can_win, Answer::no);
}

TEST(State, WhoCanWinFollowsTheSideToMove) {
  PositionFacts facts;
  facts.legal_moves = 3;
  facts.flags = kFlagUsCannotWin;
  const RulesProfile fide = *find_rules_profile("fide");
  EXPECT_EQ(position_state(facts, 0, false, fide).white_can_win, Answer::no);
  EXPECT_EQ(position_state(facts, 0, false, fide).black_can_win, Answer::unknown);
  EXPECT_EQ(position_state(facts, 0, true, fide).white_can_win, Answer::unknown);
  EXPECT_EQ(position_state(facts, 0, true, fide).black_can_win, Answer::no);
  EXPECT_EQ(position_state(facts, 0, true, fide).dead, Answer::unknown);
  facts.flags = kFlagUsCannotWin | kFlagThemCannotWin | kFlagInsufficientMaterial;
  EXPECT_EQ(position_state(facts, 0, false, fide).dead, Answer::yes);
  facts = PositionFacts{};
  EXPECT_EQ(position_state(facts, 0, false, fide).name, "stalemate");
  EXPECT_EQ(position_state(facts, 0, false, fide).dead, Answer::yes);
}

}  // namespace
}  // namespace cuarbiter
