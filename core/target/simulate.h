#pragma once
// Simulation: a target runs what it compiled on an input, and answers in figures.

#include <string>
#include <vector>

#include "core/artifact/metrics.h"
#include "core/target/options.h"

namespace convscope::target {

struct SimulationResult {
  bool ran = false;      ///< false: refused with diagnostics (hazard, bad input)
  bool matches = false;  ///< every output equals the fixed-point reference
  /// What the run counted, in the target's order; all of them even if it did not run.
  std::vector<artifact::NamedQuantity> counted = {};
  /// Figures of what was compiled that the run knows better than the compiler, by the keys of artifact::Metrics: they
  /// take the place of the derived ones. Empty if only a part was run.
  std::vector<artifact::NamedQuantity> figures = {};
};

/// What a target that simulates can be told. The runs themselves: Compiled::simulate, ProgramTools::simulate.
class SimulationTools {
 public:
  virtual ~SimulationTools() = default;
  virtual const std::vector<OptionDescription>& options() const = 0;
  /// What SimulationResult::counted may hold.
  virtual const std::vector<artifact::FigureDescription>& counted() const = 0;
};

}  // namespace convscope::target
