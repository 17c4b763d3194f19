// Any bytes as a TensorFlow graph, binary or text: a graph that holds together, or an error.

#include <cstdint>
#include <string_view>

#include "core/readers/graphdef/graphdef.h"
#include "tests/fuzz/check_graph.h"

using convscope::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  convscope::Diagnostics diagnostics;
  const auto network = convscope::readers::read_graphdef_bytes(bytes, nullptr, "fuzz.pb", diagnostics);
  require(network.has_value() != diagnostics.has_errors(), "a network or an error");
  require(diagnostics.items().size() < 500, "a bounded number of diagnostics");
  if (network) convscope::fuzz::check_graph(*network->graph);
  return 0;
}
