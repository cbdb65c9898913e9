// Drawing the progress line.
#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/messages.hpp"

namespace cuarbiter {

std::string_view scaled_unit(double& value) {
  constexpr std::string_view kUnits[] = {"", "k", "M", "G", "T", "P"};
  std::size_t unit = 0;
  while (value >= 1000.0 && unit + 1 < std::size(kUnits)) {
    value /= 1000.0;
    ++unit;
  }
  return kUnits[unit];
}

void Progress::clear() {
  if (!visible_) return;
  say("\r\x1b[K");
  visible_ = false;
}

void Progress::draw(double count, std::string_view what, std::uint64_t done, std::uint64_t total) {
  drawn_ = Clock::now();
  const double seconds = std::max(1e-9, std::chrono::duration<double>(drawn_ - start_).count());
  double speed = count / seconds;
  const std::string_view speed_unit = scaled_unit(speed);
  const std::string_view count_unit = scaled_unit(count);
  std::string text = fmt::format("\r\x1b[K{:.1f} {} {}", count, count_unit, what);
  if (total != 0) {
    const double share = 100.0 * static_cast<double>(done) / static_cast<double>(total);
    text += fmt::format(", {:.0f}%", std::min(100.0, share));
  }
  text += fmt::format(", {:.1f} {}/s", speed, speed_unit);
  say(text);
  visible_ = true;
}

}  // namespace cuarbiter
