#pragma once
// Programs from files and editors: verify, simulate, assemble; and what a run can be told.

#include <memory>

#include "core/snowflake/trained/trained_run.h"
#include "core/target/programs.h"

namespace convscope::snowflake {

class SnowflakeSimulationTools : public target::SimulationTools {
 public:
  const std::vector<target::OptionDescription>& options() const override { return options_; }
  const std::vector<artifact::FigureDescription>& counted() const override { return counted_; }

 private:
  const std::vector<target::OptionDescription> options_ = {{"data-seed", "Seed of the data",
                                                            "Seed of the generated image, and of weights and biases "
                                                            "where the network has none",
                                                            target::OptionKind::integer, "1"}};
  const std::vector<artifact::FigureDescription> counted_ = {{.key = "cycles", .label = "cycles"},
                                                             {.key = "macs", .label = "MACs"},
                                                             {.key = "outputs", .label = "outputs"},
                                                             {.key = "sqnr", .label = "dB SQNR"},
                                                             {.key = "argmax", .label = "same argmax"}};
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
      {"data-seed", "Seed of the data",
       "Seed of the generated inputs, and of weights and biases where the network has none",
       target::OptionKind::integer, "1"},
      {"image", "Image", "Of a network with weights of its own: a PGM, PPM, PNG or JPEG file as its input",
       target::OptionKind::text, ""},
      {"image-mean", "Mean of pixels", "What is subtracted from a pixel of 0 to 255", target::OptionKind::integer, "0",
       -255, 255},
      {"image-scale", "Scale of pixels", "What a pixel is then divided by", target::OptionKind::integer, "255", 1,
       65'535}};
};

/// The network that a program's layers come from, and their positions there; null if it has no values.
struct TrainedLayers {
  std::shared_ptr<const TrainedNetwork> network;
  std::vector<int> positions;
};

/// Runs a program and compares every layer's output with the reference, word for word: with the network's own weights
/// and seeded inputs, else with seeded data. Of the network's own it counts, too, over the maps that the host reads:
/// `sqnr`, the ratio of signal to quantization noise in dB against the float executor, and `argmax`, the part of the
/// pixels whose largest channel is the same, 0 to 1.
target::SimulationResult run_program(const Program& program, const TrainedLayers& trained,
                                     const target::OptionValues& options, const std::stop_token& stop,
                                     Diagnostics& diagnostics);

/// The run of a program cycle by cycle, with the network's own weights and what the layers before it make of the image
/// that is asked for, or of a seeded one; with seeded data where the network has no values. `options` are those of
/// `trace_options`. Null, with diagnostics, if an image can't be taken. Throws Cancelled.
std::shared_ptr<const target::Trace> trace_with_values(const Program& program, const TrainedLayers& trained,
                                                       const target::OptionValues& options,
                                                       std::int64_t checkpoint_bytes, const std::stop_token& stop,
                                                       Diagnostics& diagnostics);

}  // namespace convscope::snowflake
