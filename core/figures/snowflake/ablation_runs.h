#pragma once
// Table 2's networks run with something changed: what the ablations are made of.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/figures/snowflake/snowflake_networks.h"
#include "core/snowflake/plan/layer_shape.h"

namespace convscope::figures {

/// A layer whose mapping a variant may change: the paper's is in it.
struct MappedLayer {
  const snowflake::ProgramLayer& layer;
  const std::vector<snowflake::Region>& regions;
  const snowflake::Machine& machine;
  bool first = false;  ///< of its network
};

/// What differs from level paper on the preset; empty functions change nothing.
struct AblationVariant {
  std::string name;
  std::function<void(snowflake::TimingMachine& timing)> timing = {};
  std::function<void(const MappedLayer& layer, snowflake::Mapping& mapping)> mapping = {};
  std::function<void(snowflake::ParsedNetwork& network)> network = {};
  std::string last_sample = {};  ///< instead of Table 2's last network, which then runs alone
};

/// A network without its fully connected layers, as one program.
struct AblationRun {
  double seconds = 0;
  double bytes = 0;                        ///< instructions included
  std::vector<std::string> layers = {};    ///< names
  std::vector<double> layer_seconds = {};  ///< of each
};

/// For each variant its runs, one for each of Table 2's networks, nothing where it doesn't run that. Empty, with
/// diagnostics, if a sample is missing or a program is refused. Throws Cancelled.
std::vector<std::vector<std::optional<AblationRun>>> run_ablations(const std::vector<AblationVariant>& variants,
                                                                   const snowflake::Machine& machine,
                                                                   const Environment& environment,
                                                                   Diagnostics& diagnostics);

/// Variants of mappings: kernel tiles that fill their bank; the first layer INDP with kernels broadcast, unrolled, if
/// its kernels fit a bank so, or all of them both banks.
void fill_kernel_bank(const MappedLayer& layer, snowflake::Mapping& mapping);
void first_independent(const MappedLayer& layer, snowflake::Mapping& mapping);
/// A variant of networks: residual additions left out.
void without_bypass(snowflake::ParsedNetwork& network);

}  // namespace convscope::figures
