#pragma once
// The networks of the TSO paper on its machine: what its figures and the calibration start from.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/figures/figure.h"
#include "core/nmp/cost/convolution.h"
#include "core/nmp/search/solution.h"

namespace convscope::figures {

/// A sample and its convolutions, which alone the paper's times are about: fully connected layers are left out.
struct TsoNetwork {
  std::shared_ptr<const network::Network> network;
  std::vector<nmp::Convolution> convolutions;  ///< in the network's order
  std::int64_t macs() const;
};

/// File names of the five samples, in Table I's order. YOLO is not among them: the paper does not describe it.
std::vector<std::string> tso_samples();

/// In Table I's order; empty, with diagnostics, if a sample is missing or has a convolution that can't be sliced.
std::vector<TsoNetwork> tso_networks(const Environment& environment, Diagnostics& diagnostics);

/// The preset that stands for the paper's board. Nothing, with diagnostics, if it is missing or refused.
std::optional<nmp::Machine> tso_machine(const Environment& environment, Diagnostics& diagnostics);

/// A column of times of Table I.
struct TsoColumn {
  std::string key;  ///< the published source is "tso-table1-" + key
  std::string title;
  nmp::SearchOptions options;
};
/// TSO by bursts, TSO by volume, the three fixed partitions, the three fixed schedules.
std::vector<TsoColumn> tso_columns();

using Solutions = std::vector<std::shared_ptr<const nmp::Solution>>;

/// A solution for each convolution. Throws Cancelled.
Solutions solve_all(const TsoNetwork& network, const nmp::Machine& machine, const nmp::SearchOptions& options,
                    const Environment& environment);
double total_seconds(const Solutions& solutions);

/// A network's times under the columns that were asked for: ours, if there is a sample, and Table I's.
struct TsoTimes {
  std::string network;
  std::vector<std::optional<double>> ours, published;  ///< seconds, for each column
};

/// Every network of Table I, in its order. Empty, with diagnostics, if something is missing.
std::vector<TsoTimes> tso_times(const std::vector<TsoColumn>& columns, const Environment& environment,
                                Diagnostics& diagnostics);

}  // namespace convscope::figures
