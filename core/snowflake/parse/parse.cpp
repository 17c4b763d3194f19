#include "core/snowflake/parse/parse.h"

#include "core/snowflake/parse/graph_parser.h"

namespace convscope::snowflake {
namespace {

/// Descriptors have no operators: a chain of convolutions. A connection table becomes a dense convolution with zeros.
ParsedNetwork parse_chain(const network::Network& network, int macs) {
  ParsedNetwork parsed;
  MapsTable table;
  parsed.reasons.resize(network.layers.size());
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const network::Layer& layer = network.layers[i];
    const auto position = static_cast<int>(i);
    int in = static_cast<int>(table.maps.size()) - 1;
    if (in < 0 || table.maps.back().shape.maps != layer.in.maps) {
      ++in;
      table.maps.push_back({layer.in});
    }
    table.maps.push_back({layer.out, position});
    table.uses.push_back({in, in + 1, -1});
    ProgramLayer convolution;
    convolution.name = layer.name;
    convolution.kernel_height = layer.kernel.height;
    convolution.kernel_width = layer.kernel.width;
    convolution.stride_height = layer.stride.height;
    convolution.stride_width = layer.stride.width;
    convolution.dilation_height = layer.dilation.height;
    convolution.dilation_width = layer.dilation.width;
    convolution.padding_top = layer.padding.top;
    convolution.padding_left = layer.padding.left;
    convolution.groups = layer.dense ? layer.groups : 1;
    parsed.layers.push_back({std::move(convolution), Dependency::sequential, position, {}});
    parsed.computed_by.push_back(position);
    if (!layer.dense)
      parsed.layers.back().remarks.push_back("its connection table runs as a dense convolution, zeros included");
    parsed.layers.back().remarks.push_back("the activation is left to the host: Snowflake has ReLU alone");
  }
  const std::vector<int> kept{static_cast<int>(table.maps.size()) - 1};
  if (!table.maps.empty()) place_maps(table, kept, macs, parsed);
  return parsed;
}

}  // namespace

ParsedNetwork parse(const network::Network& network, int macs) {
  return network.graph ? GraphParser(network, macs).run() : parse_chain(network, macs);
}

}  // namespace convscope::snowflake
