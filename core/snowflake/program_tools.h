#pragma once
// Programs from files and editors: verify, simulate, assemble; and what a run can be told.

#include "core/snowflake/host/run.h"
#include "core/target/programs.h"

namespace convscope::snowflake {

class SnowflakeSimulationTools : public target::SimulationTools {
 public:
  const std::vector<target::OptionDescription>& options() const override { return options_; }
  const std::vector<artifact::FigureDescription>& counted() const override { return counted_; }

 private:
  const std::vector<target::OptionDescription> options_ = {{"data-seed", "Seed of the data",
                                                            "Seed of the generated image, weights and biases",
                                                            target::OptionKind::integer, "1"}};
  const std::vector<artifact::FigureDescription> counted_ = {
      {.key = "cycles", .label = "cycles"}, {.key = "macs", .label = "MACs"}, {.key = "outputs", .label = "outputs"}};
};

class SnowflakeProgramTools : public target::ProgramTools {
 public:
  bool recognizes(std::string_view content) const override;
  bool verify(std::string_view content, const std::string& file, Diagnostics& diagnostics) const override;
  target::SimulationResult simulate(std::string_view content, const std::string& file,
                                    const target::OptionValues& options, const std::stop_token& stop,
                                    Diagnostics& diagnostics) const override;
  std::optional<std::string> assemble(std::string_view assembly, const std::string& file,
                                      Diagnostics& diagnostics) const override;
};

/// Runs a program with seeded data and compares every layer's output with the reference.
target::SimulationResult run_program(const Program& program, const target::OptionValues& options,
                                     const std::stop_token& stop, Diagnostics& diagnostics);

}  // namespace convscope::snowflake
