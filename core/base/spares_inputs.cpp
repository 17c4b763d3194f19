#include "core/base/spares_inputs.h"

#include <filesystem>

namespace convscope {

bool spares_inputs(const std::string& output, const std::vector<std::string>& inputs, Diagnostics& diagnostics) {
  for (const std::string& input : inputs) {
    std::error_code missing;  // then they aren't the same
    if (input.empty() || !std::filesystem::equivalent(output, input, missing)) continue;
    diagnostics.error({output, 0, {}}, "this is read by the same command, and would be overwritten",
                      "the name of another file");
    return false;
  }
  return true;
}

}  // namespace convscope
