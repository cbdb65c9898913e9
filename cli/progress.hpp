// Progress on standard error: a line redrawn in place a few times a second, or JSON Lines, about
// one a second, for a program that reads along; or both as often as the habits say.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/habits.hpp"

namespace cuarbiter {

// How far a run is.
struct ProgressState {
  double count = 0;
  std::optional<double> share;         // 0 to 1; nothing when it is not known
  std::optional<double> seconds_left;  // nothing when it is not known
  std::optional<double> bytes;         // of text, where these are counted too
};

// Not thread-safe. Does nothing unless the habits ask for it.
//   1.2 M positions, 34%, 5.6 M/s, 0:07 left
//   {"type":"progress","what":"positions","count":"1200000","share":0.34,"per_second":5600000,
//    "seconds":0.2,"seconds_left":7.1}
// (on one line; share and seconds_left are null when they are not known). Where bytes of text are
// counted, ", 310.5 MB/s" follows the rate, and "bytes" and "bytes_per_second" end the object.
class Progress {
 public:
  explicit Progress(const Habits& habits)
      : enabled_(habits.progress || habits.progress_json),
        json_(habits.progress_json),
        interval_(habits.progress_interval.value_or(kFirstInterval)),
        later_interval_(habits.progress_interval.value_or(json_ ? 1.0 : kFirstInterval)),
        start_(Clock::now()),
        drawn_(start_) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool enabled() const { return enabled_; }
  // Since it was made.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  // `what` is counted, in the plural. A share of `total`; 0 when that is not known.
  void show(std::uint64_t count, std::string_view what, std::uint64_t done, std::uint64_t total) {
    if (due()) draw(state_of(count, done, total), what);
  }
  void show(const ProgressState& state, std::string_view what) {
    if (due()) draw(state, what);
  }
  // Takes the line away, so that other text can be written.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  static constexpr double kFirstInterval = 0.25;  // seconds

  bool due() const { return enabled_ && Clock::now() - drawn_ >= interval_; }
  ProgressState state_of(std::uint64_t count, std::uint64_t done, std::uint64_t total) const;
  void draw(const ProgressState& state, std::string_view what);

  bool enabled_;
  bool json_;
  bool visible_ = false;
  Seconds interval_;
  Seconds later_interval_;  // once something was shown
  Clock::time_point start_;
  Clock::time_point drawn_;
};

// Scales a number for people to below 1000 and returns its unit: "", "k", "M", "G" ...
std::string_view scaled_unit(double& value);

// "950.0 nodes", "12.3 k nodes".
std::string scaled_text(double value, std::string_view what);

}  // namespace cuarbiter
