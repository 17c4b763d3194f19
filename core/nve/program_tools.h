#pragma once
// Programs from files and editors: verify, simulate, assemble.

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
};

}  // namespace convscope::nve
