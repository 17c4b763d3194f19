#pragma once
// Programs from files and editors: verify, simulate, assemble; and what a run can be told.

#include <memory>

#include "core/nmp/architecture/program.h"
#include "core/nmp/host/run.h"
#include "core/target/programs.h"

namespace convscope::nmp {

class NmpSimulationTools : public target::SimulationTools {
 public:
  const std::vector<target::OptionDescription>& options() const override { return options_; }
  const std::vector<artifact::FigureDescription>& counted() const override { return counted_; }

 private:
  const std::vector<target::OptionDescription> options_ = {
      {"data-seed", "Seed of the data", "Seed of the generated inputs and weights", target::OptionKind::integer, "1"},
      {"image", "Image",
       "Of a network as a whole with its file's weights: the file of an image, or seed:N for made-up input",
       target::OptionKind::text, ""},
      {"image-mean", "Mean of pixels", "Of such a network: what is subtracted from a file's pixel of 0 to 255",
       target::OptionKind::integer, "0", -255, 255},
      {"image-scale", "Scale of pixels", "Of such a network: what a file's pixel is then divided by",
       target::OptionKind::integer, "255", 1, 65'535},
      {"ranges", "Ranges",
       "Of such a network: what quantize --json printed, to make its formats of; without it, what the image shows",
       target::OptionKind::text, ""}};
  const std::vector<artifact::FigureDescription> counted_ = {
      {.key = "cycles", .label = "cycles"},
      {.key = "software_cycles", .label = "of them for instructions"},
      {.key = "instructions", .label = "instructions"},
      {.key = "macs", .label = "MACs"},
      {.key = "outputs", .label = "outputs"},
      {.key = "rounded_otherwise", .label = "results that aren't their sum rounded once"},
      {.key = "sqnr", .label = "dB SQNR"},
      {.key = "same_answer", .label = "same answer"}};
};

class NmpProgramTools : public target::ProgramTools {
 public:
  bool recognizes(std::string_view content) const override;
  bool verify(std::string_view content, const std::string& file, Diagnostics& diagnostics) const override;
  target::SimulationResult simulate(std::string_view content, const std::string& file,
                                    const target::OptionValues& options, const std::stop_token& stop,
                                    Diagnostics& diagnostics) const override;
  std::optional<std::string> assemble(std::string_view assembly, const std::string& file,
                                      Diagnostics& diagnostics) const override;
  std::optional<std::string> disassemble(std::string_view content, const std::string& file,
                                         Diagnostics& diagnostics) const override;
  target::Examination examine(std::string_view content, const std::string& file, std::string_view wanted,
                              std::int64_t steps, const std::stop_token& stop, Diagnostics& diagnostics) const override;
  const std::vector<target::OptionDescription>* trace_options() const override { return &trace_options_; }
  std::shared_ptr<const target::Trace> trace(std::string_view content, const std::string& file,
                                             const target::OptionValues& options, std::int64_t checkpoint_bytes,
                                             const std::stop_token& stop, Diagnostics& diagnostics) const override;

 private:
  const std::vector<target::OptionDescription> trace_options_ = {
      {"data-seed", "Seed of the data", "Seed of the generated inputs and weights", target::OptionKind::integer, "1"},
      {"tlt", "TLT that the listing follows",
       "Whose instructions are shown and searched for, counted from 0, TLE by TLE", target::OptionKind::integer, "0", 0,
       65'535}};
};

/// Runs a program on seeded data and compares its outputs with the reference; its figures are those of a layer whose
/// program it is. `software_cycles` are what instructions add to transfers and MACs (T_SW of equation 6).
target::SimulationResult run_program(const Program& program, const target::OptionValues& options,
                                     const std::stop_token& stop, Diagnostics& diagnostics);

/// What a run counted.
artifact::NamedQuantity count(const char* key, double value);

/// The figures of a run that was not refused.
target::SimulationResult result_of(const Program& program, const ComparedRun& run, const std::stop_token& stop);

/// Whether an input is asked for that only a network as a whole can take; then an error says so.
bool asks_for_network(const target::OptionValues& options, const Location& where, Diagnostics& diagnostics);

/// What counts as a run that was refused.
target::SimulationResult refused_run();

}  // namespace convscope::nmp
