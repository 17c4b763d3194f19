#pragma once
// What will happen when. Private to the simulator.

#include <cstdint>
#include <queue>
#include <vector>

namespace convscope::nmp::simulation {

/// In the order of their priority at one time: DRAM and ring choose when all else of an instant has happened.
enum class Happening : std::uint8_t {
  core_acts,
  dma_asks,
  leaves_dram,
  transfer_ends,
  convolution_ends,
  dram_chooses,
  ring_chooses
};

struct Event {
  double time = 0;
  std::int64_t number = 0;  ///< in the order in which events were planned
  Happening happening = Happening::core_acts;
  int index = 0;  ///< of the TLT or TLE
};

class Events {
 public:
  void plan(double time, Happening happening, int index) { queue_.push({time, next_++, happening, index}); }
  bool empty() const { return queue_.empty(); }
  double next_time() const { return queue_.top().time; }
  Event take() {
    const Event first = queue_.top();
    queue_.pop();
    return first;
  }

 private:
  struct Later {
    bool operator()(const Event& a, const Event& b) const {
      if (a.time != b.time) return a.time > b.time;
      const bool a_chooses = a.happening >= Happening::dram_chooses, b_chooses = b.happening >= Happening::dram_chooses;
      return a_chooses != b_chooses ? a_chooses : a.number > b.number;
    }
  };
  std::priority_queue<Event, std::vector<Event>, Later> queue_;
  std::int64_t next_ = 0;
};

}  // namespace convscope::nmp::simulation
