#pragma once
// Networks with weights on the simulator, on an input of their own.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/nmp/trained/trained_run.h"
#include "core/target/simulate.h"
#include "whole_network.h"

namespace convscope::nmp {

/// The board that takes all operators.
Machine machine_of(int element_bytes, int partial_sum_bytes);

/// From -scale to scale, in steps of a thousandth of it.
std::vector<float> random_floats(std::size_t count, unsigned seed, float scale);

/// Three made-up inputs.
std::vector<reference::FloatTensors> inputs_of(const network::Network& network);

struct TrainedNetwork : WholeNetwork {
  using WholeNetwork::WholeNetwork;

  /// `without_sums`: nobody has looked at partial sums.
  std::optional<TrainedProgram> trained(const std::vector<reference::FloatTensors>& inputs, Diagnostics& diagnostics,
                                        bool without_sums = false) const;
  /// On the first of its made-up inputs.
  TrainedRun run(const TrainedProgram& program) const;
  /// As asked for by options.
  target::SimulationResult simulate(const std::vector<std::pair<std::string, std::string>>& values,
                                    Diagnostics& diagnostics) const;
};

/// Runs the network with these widths, and expects that its program is verified and computes the rounded graph: the
/// run.
TrainedRun expect_rounded_graph(const network::Network& network, int element_bytes, int partial_sum_bytes);

}  // namespace convscope::nmp
