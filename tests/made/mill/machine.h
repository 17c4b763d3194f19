#pragma once
// The machine of the made-up target: a mill that grinds grains (MACs) between stones, carts bring them from a barn.

#include <cstdint>
#include <memory>
#include <string>

#include "core/arch/parameters.h"

namespace convscope::made::mill {

struct Machine {
  int stones = 4;           ///< grains a turn
  double clock_hz = 2e6;    ///< turns a second
  bool early_carts = true;  ///< the next layer's grains are brought while this one's are ground
};

std::shared_ptr<const arch::MachineDescription> machine_description();
Machine machine_from(const arch::ParameterValues& values);

/// Its own figures; nobody else knows their keys.
inline constexpr const char* grist = "grist";                      ///< a word: how fine
inline constexpr const char* sacks = "sacks";                      ///< carried, an objective
inline constexpr const char* grains_per_sack = "grains_per_sack";  ///< a quotient
inline constexpr const char* cart_turns = "cart_turns";            ///< turns that carts take
inline constexpr const char* stone_weight = "stone_weight";        ///< a cost

}  // namespace convscope::made::mill
