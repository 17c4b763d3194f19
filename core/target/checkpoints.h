#pragma once
// Copies of a run's state at cycles some distance apart, in bounded memory: when they take too much, every other one is
// dropped and the distance doubles. So a jump replays at most that distance, whatever the length of the run.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace convscope::target {

template <typename State>
class Checkpoints {
 public:
  /// `size` tells how many bytes a state takes beside the one that is kept before it (null: none is).
  using Size = std::function<std::int64_t(const State& state, const State* before)>;
  Checkpoints(std::int64_t most_bytes, std::int64_t distance, Size size)
      : most_bytes_(most_bytes), distance_(distance), size_(std::move(size)) {}

  /// Cycles between two checkpoints.
  std::int64_t distance() const { return distance_; }
  std::int64_t bytes() const { return bytes_; }
  /// Cycle before which the next state is to be kept.
  std::int64_t next() const { return kept_.empty() ? distance_ : kept_.back().cycle + distance_; }

  /// Keeps the state before a cycle; in the order of cycles.
  void keep(std::int64_t cycle, std::unique_ptr<const State> state) {
    bytes_ += size_(*state, kept_.empty() ? nullptr : kept_.back().state.get());
    kept_.push_back({cycle, std::move(state)});
    while (bytes_ > most_bytes_ && !kept_.empty()) thin();
  }
  /// The last state kept at or before a cycle, and its cycle; null and 0 if it is the beginning.
  std::pair<const State*, std::int64_t> before(std::int64_t cycle) const {
    const auto behind = first_behind(cycle);
    if (behind == kept_.begin()) return {nullptr, 0};
    return {std::prev(behind)->state.get(), std::prev(behind)->cycle};
  }
  /// Cycle of the first state kept behind a cycle, or `otherwise`.
  std::int64_t after(std::int64_t cycle, std::int64_t otherwise) const {
    const auto behind = first_behind(cycle);
    return behind == kept_.end() ? otherwise : behind->cycle;
  }

 private:
  struct Kept {
    std::int64_t cycle = 0;
    std::unique_ptr<const State> state;
  };

  auto first_behind(std::int64_t cycle) const {
    return std::partition_point(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.cycle <= cycle; });
  }

  void thin() {
    distance_ *= 2;
    std::vector<Kept> kept;
    for (Kept& each : kept_)
      if (each.cycle % distance_ == 0) kept.push_back(std::move(each));
    kept_ = std::move(kept);
    bytes_ = 0;
    const State* before = nullptr;
    for (const Kept& each : kept_) {
      bytes_ += size_(*each.state, before);
      before = each.state.get();
    }
  }

  std::int64_t most_bytes_, distance_, bytes_ = 0;
  Size size_;
  std::vector<Kept> kept_;
};

}  // namespace convscope::target
