// Any bytes as a ConvNet descriptor: a network whose layers fit together, or an error.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/readers/convnet_xml/convnet_xml.h"
#include "tests/fuzz/require.h"

using convscope::fuzz::require;

namespace {

void check_layer(const convscope::network::Layer& layer) {
  require(layer.out.maps == static_cast<int>(layer.inputs.size()), "one connection list per output map");
  require(layer.in.maps >= 1 && layer.in.size.height >= 1 && layer.in.size.width >= 1, "an input");
  require(layer.macs() > 0, "countable work");
  for (const auto& list : layer.inputs)
    for (const int input : list) require(input >= 0 && input < layer.in.maps, "inputs that exist");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  convscope::Diagnostics diagnostics;
  const auto network = convscope::readers::read_convnet_xml(text, "fuzz.xml", diagnostics);
  require(network.has_value() != diagnostics.has_errors(), "a network or an error");
  require(diagnostics.items().size() < 500, "a bounded number of diagnostics");
  if (!network) return 0;
  require(convscope::readers::is_convnet_xml(text), "what is read is recognized");
  for (const auto& layer : network->layers) check_layer(layer);
  for (std::size_t i = 1; i < network->layers.size(); ++i)
    require(network->layers[i].in == network->layers[i - 1].out, "the producer's shape");
  return 0;
}
