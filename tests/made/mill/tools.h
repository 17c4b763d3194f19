#pragma once
// What the mill can do besides compiling: simulate, measure, work with programs from files.

#include <string>
#include <vector>

#include "core/target/measure.h"
#include "core/target/programs.h"
#include "core/target/simulate.h"
#include "tests/made/mill/figures.h"
#include "tests/made/mill/grinding.h"

namespace convscope::made::mill {

class MillSimulationTools : public target::SimulationTools {
 public:
  const std::vector<target::OptionDescription>& options() const override { return options_; }
  const std::vector<artifact::FigureDescription>& counted() const override { return figures(); }

 private:
  const std::vector<target::OptionDescription> options_ = {
      {"wind",
       "Wind",
       "Weather that the mill is simulated in",
       target::OptionKind::choice,
       "calm",
       0,
       0,
       {"calm", "storm"}},
      {"visitors", "Visitors", "Each of them stops the wheel for a turn", target::OptionKind::integer, "0", 0, 100}};
};

/// A storm doubles the speed of the stones; visitors hold up each layer.
target::SimulationResult simulate(const std::vector<Grinding>& layers, const Machine& machine,
                                  const target::OptionValues& options);

class MillMeasurementTools : public target::MeasurementTools {
 public:
  const std::vector<target::OptionDescription>& options() const override { return options_; }
  std::vector<artifact::Observation> measure(const target::CompileRequest& request, const target::OptionValues& options,
                                             const std::stop_token& stop, Diagnostics& diagnostics) const override;

 private:
  const std::vector<target::OptionDescription> options_ = {
      {"rounds", "Rounds", "How often each layer is ground", target::OptionKind::integer, "5", 1, 1000}};
};

/// Program files begin with "mill program"; they hold numbers of turns.
class MillProgramTools : public target::ProgramTools {
 public:
  bool recognizes(std::string_view content) const override { return content.starts_with("mill program"); }
  bool verify(std::string_view content, const std::string& file, Diagnostics& diagnostics) const override;
  target::SimulationResult simulate(std::string_view content, const std::string& file,
                                    const target::OptionValues& options, const std::stop_token& stop,
                                    Diagnostics& diagnostics) const override;
  std::optional<std::string> assemble(std::string_view assembly, const std::string& file,
                                      Diagnostics& diagnostics) const override;
  const std::vector<target::OptionDescription>* trace_options() const override { return &trace_options_; }
  std::shared_ptr<const target::Trace> trace(std::string_view content, const std::string& file,
                                             const target::OptionValues& options, std::int64_t checkpoint_bytes,
                                             const std::stop_token& stop, Diagnostics& diagnostics) const override;

 private:
  const std::vector<target::OptionDescription> trace_options_ = {
      {"days", "Days", "How often the program is run, day after day", target::OptionKind::integer, "1", 1, 7}};
};

}  // namespace convscope::made::mill
