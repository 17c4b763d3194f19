#pragma once
// Runs a program with data and compares every layer's output with the reference, word for word.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/snowflake/host/layout.h"
#include "core/snowflake/simulate/simulator.h"

namespace convscope::snowflake {

/// What a program computes with: parameters by layer, and one tensor for each region of kind `input`, in their order.
struct ProgramData {
  std::vector<LayerParameters> parameters;
  std::vector<reference::FixedTensor> inputs;
};

/// How an input lies, and who reads it first: as its input, or as its bypass.
struct InputPlace {
  MapsPlace maps;
  int layer = 0;
  bool bypass = false;
};

/// Of each region of kind `input` that a layer reads, in their order. The first layer that reads it tells how it lies.
std::vector<InputPlace> input_places(const Program& program);

/// Deterministic data (docs/snowflake-simulation.md, 'Seeded data'): weights in +-sqrt(3 / taps), biases and inputs in
/// +-1, as fixed point. The program's layers must have passed `check_layers`.
ProgramData seeded_data(const Program& program, std::uint64_t seed);

/// DRAM before the run: kernels, code, inputs; all else is zero.
std::vector<std::int16_t> dram_image(const Program& program, const ProgramData& data);

/// Output of each layer, by the reference.
std::vector<reference::FixedTensor> reference_outputs(const Program& program, const ProgramData& data,
                                                      const std::stop_token& stop = {});

struct LayerComparison {
  std::int64_t words = 0;
  std::int64_t different = 0;  ///< words that are wrong
  std::int64_t never_written = 0;
  std::string first_difference;  ///< where, expected, found; empty if there is none
  bool equal() const { return different == 0 && never_written == 0; }
};

struct ComparedRun {
  SimulationResult result;
  std::vector<LayerComparison> layers;
  std::vector<reference::FixedTensor> outputs;  ///< of each layer, as the machine wrote them
  bool equal() const;                           ///< not refused, and every word of every layer is right
  std::string text() const;                     ///< the refusal or the first difference; "equal"
};

/// Nothing and diagnostics if the program's layers are unsound or `data` doesn't fit them.
std::optional<ComparedRun> run_and_compare(const Program& program, const ProgramData& data, Diagnostics& diagnostics,
                                           const SimulationOptions& options = {}, const std::stop_token& stop = {});
std::optional<ComparedRun> run_and_compare(const Program& program, std::uint64_t seed, Diagnostics& diagnostics,
                                           const SimulationOptions& options = {}, const std::stop_token& stop = {});

}  // namespace convscope::snowflake
