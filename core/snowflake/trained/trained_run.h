#pragma once
// Runs a program with the network's own weights, and tells how far its answers are from floating point.

#include <optional>
#include <vector>

#include "core/quantization/error.h"
#include "core/snowflake/host/run.h"
#include "core/snowflake/trained/trained_network.h"

namespace convscope::snowflake {

/// Of the maps that the host reads, against the float executor.
struct FloatAgreement {
  quantization::Error error;
  std::int64_t pixels = 0;  ///< that hold at least one channel
  std::int64_t same = 0;    ///< whose largest channel is the same: of a classifier's answer, the class
};

struct TrainedRun {
  ComparedRun run;
  FloatAgreement agreement;
};

/// What such a run computes with: seeded data with all that the network knows in its place. `values` as below; nothing,
/// with diagnostics, if some of them are missing. The program's layers must have passed `check_layers`.
std::optional<ProgramData> trained_data(const Program& program, const TrainedNetwork& network,
                                        const std::vector<int>& positions, const TensorValues& values,
                                        std::uint64_t seed, Diagnostics& diagnostics);

/// `positions`: for each layer of the program its position in the trained network. `values`: what its layers read and
/// write in floating point; the program's inputs are made of them. Layers without values get seeded ones (`seed`).
/// Nothing and diagnostics as run_and_compare, or if values are missing.
std::optional<TrainedRun> run_trained(const Program& program, const TrainedNetwork& network,
                                      const std::vector<int>& positions, const TensorValues& values, std::uint64_t seed,
                                      Diagnostics& diagnostics, const std::stop_token& stop = {});

}  // namespace convscope::snowflake
