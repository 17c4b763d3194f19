#pragma once
// A layer's program run for its values, on whatever processor it is for: here, under emulation, or by interpreting its
// syntax tree. Time is measured elsewhere (measuring/), or an estimate.

#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/cpu/artifacts/chosen_program.h"
#include "core/target/simulate.h"

namespace convscope::cpu {

class CpuSimulationTools : public target::SimulationTools {
 public:
  CpuSimulationTools();
  const std::vector<target::OptionDescription>& options() const override { return options_; }
  const std::vector<artifact::FigureDescription>& counted() const override { return counted_; }

 private:
  std::vector<target::OptionDescription> options_;
  std::vector<artifact::FigureDescription> counted_;
};

/// Runs the program on seeded data and compares every output with double precision, within what a sum of that length
/// may err: then it `matches`. What it counts: how it was run, the largest error and what is allowed, and the innermost
/// loop's operations a cycle by LLVM's model of the processor. `ran` is false, with a diagnostic, if nothing can run it
/// here. Throws Cancelled.
target::SimulationResult simulate(const ChosenProgram& program, const target::OptionValues& options,
                                  const std::stop_token& stop, Diagnostics& diagnostics);

}  // namespace convscope::cpu
