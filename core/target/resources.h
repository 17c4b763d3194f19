#pragma once
// What machines of any kind are made of, described once. Targets that share a key mean the same by it.

#include <vector>

#include "core/artifact/figure.h"

namespace convscope::target {

inline constexpr const char* mac_units = "mac_units";        ///< multiply-accumulates a cycle at the element width
inline constexpr const char* on_chip_bits = "on_chip_bits";  ///< of all memories on the chip, registers not counted
inline constexpr const char* instruction_bits = "instruction_bits";  ///< of those, in instruction memories
inline constexpr const char* memory_ports = "memory_ports";          ///< of all memories on the chip

/// Descriptions of these, all of them costs that a front can be drawn over.
const std::vector<artifact::FigureDescription>& shared_resources();

}  // namespace convscope::target
