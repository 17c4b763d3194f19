#include "networks.h"

#include <gtest/gtest.h>

#include "core/network/shape_inference.h"
#include "core/readers/layer_list/layer_list.h"

namespace convscope::snowflake::test {
namespace {

network::Network inferred(std::optional<network::Network> network, Diagnostics& diagnostics) {
  EXPECT_TRUE(network) << diagnostics.text();
  if (!network) return {};
  auto graph = std::make_shared<network::Graph>(*network->graph);
  network::infer_shapes(*graph, {}, network->source_file, diagnostics);
  network->layers = network::layers_of(*graph);
  network->graph = std::move(graph);
  return *std::move(network);
}

}  // namespace

network::Network read(const std::string& layers) {
  Diagnostics diagnostics;
  return inferred(
      readers::read_layer_list_text("<layer_list name='net'>" + layers + "</layer_list>", "net.xml", diagnostics),
      diagnostics);
}

network::Network sample(const std::string& name) {
  Diagnostics diagnostics;
  const std::string path = std::string(CONVSCOPE_SOURCE_DIR) + "/samples/networks/" + name + ".xml";
  const auto file = MappedFile::open(path, diagnostics);
  return inferred(file ? readers::read_layer_list(*file, path, diagnostics) : std::nullopt, diagnostics);
}

}  // namespace convscope::snowflake::test
