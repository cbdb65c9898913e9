// A progress line on standard error, redrawn in place a few times a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace cuarbiter {

// Not thread-safe. Does nothing unless enabled.
class Progress {
 public:
  explicit Progress(bool enabled) : enabled_(enabled), start_(Clock::now()), drawn_(start_) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // "1.2 M positions, 34%, 5.6 M/s". `total` is 0 when the share is not known.
  void show(std::uint64_t count, std::string_view what, std::uint64_t done, std::uint64_t total) {
    if (due()) draw(static_cast<double>(count), what, done, total);
  }
  void show(double count, std::string_view what) {
    if (due()) draw(count, what, 0, 0);
  }
  // Takes the line away, so that other text can be written.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool due() const { return enabled_ && Clock::now() - drawn_ >= std::chrono::milliseconds(250); }
  void draw(double count, std::string_view what, std::uint64_t done, std::uint64_t total);

  bool enabled_;
  bool visible_ = false;
  Clock::time_point start_;
  Clock::time_point drawn_;
};

// A number for people: "950", "12.3 k", "4.5 M", "6.7 G".
std::string_view scaled_unit(double& value);

}  // namespace cuarbiter
