// Any bytes as a layer list: a graph that holds together, or an error.

#include <cstdint>
#include <string_view>

#include "core/readers/layer_list/layer_list.h"
#include "tests/fuzz/check_graph.h"

using convscope::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  convscope::readers::is_layer_list(text);
  convscope::Diagnostics diagnostics;
  const auto network = convscope::readers::read_layer_list_text(text, "fuzz.xml", diagnostics);
  require(network.has_value() != diagnostics.has_errors(), "a network or an error");
  require(diagnostics.items().size() < 500, "a bounded number of diagnostics");
  if (network) convscope::fuzz::check_graph(*network->graph);
  return 0;
}
