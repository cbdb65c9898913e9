// Drawing the progress line.
#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cli/messages.hpp"
#include "host/report/json.hpp"

namespace cuarbiter {
namespace {

// "0:07", "12:34", "5:06:07", "3 d 4 h".
std::string duration_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::min(seconds, 1e12) + 0.5);
  const std::uint64_t minutes = whole / 60, hours = minutes / 60, days = hours / 24;
  if (days != 0) return fmt::format("{} d {} h", days, hours % 24);
  if (hours != 0) return fmt::format("{}:{:02}:{:02}", hours, minutes % 60, whole % 60);
  return fmt::format("{}:{:02}", minutes, whole % 60);
}

std::string progress_text(const ProgressState& state, std::string_view what, double speed,
                          double seconds) {
  const std::string_view speed_unit = scaled_unit(speed);
  std::string text = scaled_text(state.count, what);
  if (state.share) text += fmt::format(", {:.0f}%", 100 * *state.share);
  text += fmt::format(", {:.1f} {}/s", speed, speed_unit);
  if (state.bytes) {
    double rate = *state.bytes / seconds;
    const std::string_view unit = scaled_unit(rate);
    text += fmt::format(", {:.1f} {}B/s", rate, unit);
  }
  if (state.seconds_left) text += fmt::format(", {} left", duration_text(*state.seconds_left));
  return text;
}

std::string progress_json(const ProgressState& state, std::string_view what, double speed,
                          double seconds) {
  const auto number = [](const std::optional<double>& value, int digits) {
    return value ? fmt::format("{:.{}f}", *value, digits) : std::string("null");
  };
  std::string out;
  JsonObject object(out);
  object.string("type", "progress")
      .string("what", what)
      .string("count", fmt::format("{:.0f}", state.count))
      .raw("share", number(state.share, 4))
      .raw("per_second", number(speed, 0))
      .raw("seconds", number(seconds, 1))
      .raw("seconds_left", number(state.seconds_left, 1));
  if (state.bytes) {
    object.string("bytes", fmt::format("{:.0f}", *state.bytes))
        .raw("bytes_per_second", number(*state.bytes / seconds, 0));
  }
  object.end_line();
  return out;
}

}  // namespace

std::string_view scaled_unit(double& value) {
  constexpr std::string_view kUnits[] = {"", "k", "M", "G", "T", "P", "E", "Z", "Y", "R", "Q"};
  std::size_t unit = 0;
  while (value >= 1000.0 && unit + 1 < std::size(kUnits)) {
    value /= 1000.0;
    ++unit;
  }
  return kUnits[unit];
}

std::string scaled_text(double value, std::string_view what) {
  const std::string_view unit = scaled_unit(value);
  return fmt::format("{:.1f} {}{}{}", value, unit, unit.empty() ? "" : " ", what);
}

void Progress::clear() {
  if (!visible_) return;
  say("\r\x1b[K");
  visible_ = false;
}

ProgressState Progress::state_of(std::uint64_t count, std::uint64_t done,
                                 std::uint64_t total) const {
  ProgressState state;
  state.count = static_cast<double>(count);
  if (total == 0) return state;
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  state.share = share;
  if (done != 0) state.seconds_left = seconds() * (1 - share) / share;
  return state;
}

void Progress::draw(const ProgressState& state, std::string_view what) {
  drawn_ = Clock::now();
  interval_ = later_interval_;
  const double taken = std::max(1e-9, seconds());
  const double speed = state.count / taken;
  if (json_) return say(progress_json(state, what, speed, taken));
  say("\r\x1b[K" + progress_text(state, what, speed, taken));
  visible_ = true;
}

}  // namespace cuarbiter
