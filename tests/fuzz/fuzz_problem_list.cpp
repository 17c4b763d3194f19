// Any bytes as a list of convolutions: layers whose problems come back, or an error.

#include <cstdint>
#include <string_view>

#include "core/cpu/layers/layer_problem.h"
#include "core/cpu/layers/problem_list.h"
#include "tests/fuzz/require.h"

using convscope::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  convscope::cpu::is_problem_list(text);
  convscope::Diagnostics diagnostics;
  const auto network = convscope::cpu::read_problem_list_text(text, "fuzz.conv", diagnostics);
  require(network.has_value() != diagnostics.has_errors(), "a network or an error");
  if (!network) return 0;
  for (const auto& layer : network->layers) {
    std::string reason;
    require(convscope::cpu::problem_of(layer, 1, reason).has_value(), "a problem for each layer");
  }
  return 0;
}
