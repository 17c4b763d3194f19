#pragma once
// Runs a program with data and compares its output with the reference, element for element.

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/nmp/simulate/simulator.h"

namespace convscope::nmp {

struct ComparedRun {
  SimulationResult result;
  std::int64_t outputs = 0;      ///< elements that were compared
  std::int64_t different = 0;    ///< of these, the wrong ones
  std::string first_difference;  ///< where, expected, found; empty if there is none
  bool equal() const { return !result.refusal && different == 0; }
  std::string text() const;  ///< the refusal, the first difference, or "equal"
};

/// What a layer of the program must leave, [map][row][column], in the layers' order.
using LayerOutput = std::function<void(std::size_t layer, const std::vector<std::int32_t>& output)>;

/// On these bytes of DRAM; `computed` is shown what the reference makes of them. Throws Cancelled.
ComparedRun run_and_compare(const Program& program, std::vector<std::uint8_t> dram, const SimulationOptions& options,
                            Observer* observer, const std::stop_token& stop, const LayerOutput& computed = {});

/// On seeded data; the program's places must lie in its DRAM. Throws Cancelled.
ComparedRun run_and_compare(const Program& program, std::uint64_t seed, const SimulationOptions& options = {},
                            Observer* observer = nullptr, const std::stop_token& stop = {});

}  // namespace convscope::nmp
