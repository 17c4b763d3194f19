#pragma once
// Programs from files and editors: verify, simulate, assemble, trace.

#include <vector>

#include "core/target/programs.h"

namespace convscope::nve {

class NveProgramTools : public target::ProgramTools {
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
      {"image", "Image", "Input: a PGM, PNG or JPEG file, or seed:N for a generated one", target::OptionKind::text,
       "seed:1"},
      {"coefficients-seed", "Seed of the coefficients", "Seed of the generated coefficients",
       target::OptionKind::integer, "1"},
      {"image-mean", "Mean of pixels",
       "Of a layer that has its network's weights: what is subtracted from a file's pixel of 0 to 255",
       target::OptionKind::integer, "0", -255, 255},
      {"image-scale", "Scale of pixels", "Of such a layer: what a file's pixel is then divided by",
       target::OptionKind::integer, "255", 1, 65'535},
      {"strip", "Strip", "Strip of the image that is traced, the top one 0", target::OptionKind::integer, "0", 0,
       1'000'000'000}};
};

}  // namespace convscope::nve
