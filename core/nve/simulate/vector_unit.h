#pragma once
// Accumulators and output stage (thesis, section 3.1). Private to the simulator.
// A body of which nothing is used may be nonsense, as before the first iteration of a rotated kernel. What went wrong
// is therefore kept with the accumulators and refused when they are activated for an output column.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace convscope::nve::simulation {

inline constexpr std::size_t largest_lanes = 64;

/// The first operation that made accumulators meaningless.
struct Flaw {
  enum class Kind : std::uint8_t { none, no_bias, no_coefficient, no_pixels } kind = Kind::none;
  std::int64_t cycle = 0;
  int address = 0;
};

struct Accumulators {
  alignas(64) std::array<std::uint32_t, largest_lanes> values{};  ///< wrap around, as 32-bit registers do
  std::int64_t macs = 0;
  Flaw flaw{Flaw::Kind::no_bias, 0, 0};
  // Of the `set rb` that moved them to the output stage.
  std::int64_t moved_cycle = 0, visible_cycle = 0;
  int moved_address = 0;
  // Once activated for an output column.
  int map = -1;
  std::int64_t column = 0;
  std::array<bool, 2> activated{};
};

/// One multiply-accumulate per lane. The lane count is a template parameter so that the loop is unrolled and
/// vectorized.
template <int Lanes>
void multiply_accumulate(std::uint32_t* accumulators, const std::uint8_t* pixels, int stride, std::int32_t weight) {
  const auto w = static_cast<std::uint32_t>(weight);
  if (stride == 1)
    for (int lane = 0; lane < Lanes; ++lane) accumulators[lane] += w * pixels[lane];
  else
    for (int lane = 0; lane < Lanes; ++lane) accumulators[lane] += w * pixels[lane * stride];
}

using MultiplyAccumulate = void (*)(std::uint32_t*, const std::uint8_t*, int, std::int32_t);

inline MultiplyAccumulate multiply_accumulate_for(int lanes) {
  switch (lanes) {
    case 4:
      return multiply_accumulate<4>;
    case 8:
      return multiply_accumulate<8>;
    case 16:
      return multiply_accumulate<16>;
    case 32:
      return multiply_accumulate<32>;
    default:
      return multiply_accumulate<64>;
  }
}

/// Finished accumulators on their way to ACT, oldest first; the front is what ACT sees once it is visible.
class OutputStage {
 public:
  /// Fills and returns the next place.
  Accumulators& push(const Accumulators& finished) {
    Accumulators& place = ring_[(first_ + count_) % ring_.size()];
    place = finished;
    ++count_;
    return place;
  }
  /// The accumulators that are about to be replaced in this cycle, or null.
  const Accumulators* replaced(std::int64_t cycle) const {
    return count_ > 1 && ring_[(first_ + 1) % ring_.size()].visible_cycle <= cycle ? &ring_[first_] : nullptr;
  }
  /// The front is seen from this cycle on.
  bool appears(std::int64_t cycle) const { return count_ > 0 && ring_[first_].visible_cycle == cycle; }
  void pop() {
    first_ = (first_ + 1) % ring_.size();
    --count_;
  }
  Accumulators* visible(std::int64_t cycle) {
    return count_ > 0 && ring_[first_].visible_cycle <= cycle ? &ring_[first_] : nullptr;
  }
  const Accumulators* visible(std::int64_t cycle) const {
    return count_ > 0 && ring_[first_].visible_cycle <= cycle ? &ring_[first_] : nullptr;
  }
  /// What replaces the front.
  const Accumulators& next() const { return ring_[(first_ + 1) % ring_.size()]; }
  /// Accumulators still in the stage, i = 0 the oldest.
  std::size_t size() const { return count_; }
  const Accumulators& at(std::size_t i) const { return ring_[(first_ + i) % ring_.size()]; }

 private:
  std::array<Accumulators, 16> ring_;  ///< one more than the longest output latency, at least
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace convscope::nve::simulation
