#pragma once
// Vector clocks: what has happened before what, whatever the timing. Private to the verifier.
//
// Agents are the core, the DMA stream and the MAC unit of each TLT. An agent counts its own steps; its clocks tell of
// each other agent the last step that is certain to be over.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace convscope::nmp::verification {

enum class Unit : std::uint8_t { core, dma, mac };
inline constexpr int units = 3;

inline int agent_of(int tlt, Unit unit) {
  return units * tlt + static_cast<int>(unit);
}
inline int tlt_of(int agent) {
  return agent / units;
}
inline Unit unit_of(int agent) {
  return static_cast<Unit>(agent % units);
}

using Clocks = std::vector<std::uint32_t>;  ///< by agent

/// A step of an agent; of none: that there was no step.
struct Epoch {
  int agent = -1;
  std::uint32_t clock = 0;
  bool operator==(const Epoch&) const = default;
};
/// Who wrote what is there at the start.
inline constexpr Epoch before_everything{-1, 1};

/// Whether an agent with these clocks comes after the step.
inline bool is_before(const Epoch& step, const Clocks& clocks) {
  return step.agent < 0 || clocks[static_cast<std::size_t>(step.agent)] >= step.clock;
}

inline void join(Clocks& clocks, const Clocks& others) {
  for (std::size_t i = 0; i < clocks.size(); ++i) clocks[i] = std::max(clocks[i], others[i]);
}

}  // namespace convscope::nmp::verification
