#pragma once
// The memory that the load units' streams and the store port share (docs/snowflake-simulation.md, 'Memory').
// All active streams have the same rate: min(cap, bandwidth / number of active streams). So a stream of work w that
// begins when each stream has been served s in total ends when it reaches s + w, whatever comes and goes between.

#include <array>
#include <cstdint>
#include <limits>

#include "core/snowflake/architecture/machine.h"

namespace convscope::snowflake::simulation {

/// Time in parts of a cycle. Only streams end between cycles; all else happens at whole cycles.
using Tick = std::int64_t;
inline constexpr Tick ticks_per_cycle = 16;
inline constexpr Tick never = std::numeric_limits<Tick>::max() / 4;

constexpr std::int64_t whole_cycle(Tick tick) {
  return (tick + ticks_per_cycle - 1) / ticks_per_cycle;
}

/// What a stream takes of the memory, in parts of 2^-20 byte at the full bandwidth.
using Work = std::int64_t;
inline constexpr Work work_per_byte = Work{1} << 20;

class Streams {
 public:
  explicit Streams(const Machine& machine);

  Work work(std::int64_t bytes) const { return bytes * byte_work_; }
  Work load_work(std::int64_t bytes) const { return work(bytes) + load_cost_; }

  Tick now() const { return now_; }
  Work served() const { return served_; }  ///< to each stream that was active all the time
  int active() const { return active_; }

  void begin() { set_active(active_ + 1); }
  void end() { set_active(active_ - 1); }
  void move_to(Tick tick) {
    served_ += rate_ * (tick - now_);
    now_ = tick;
  }
  /// The first tick at which `served` is at least `level`, as long as no stream begins or ends; one must be active.
  Tick reaches(Work level) const { return level <= served_ ? now_ : now_ + (level - served_ + rate_ - 1) / rate_; }

 private:
  static constexpr std::size_t most = 17;
  void set_active(int active) {
    active_ = active;
    rate_ = rates_[static_cast<std::size_t>(active)];
  }

  Work byte_work_, load_cost_;
  std::array<Work, most> rates_{};  ///< per tick, by number of active streams
  int active_ = 0;
  Work rate_ = 0, served_ = 0;
  Tick now_ = 0;
};

}  // namespace convscope::snowflake::simulation
