#include "ui/document/network_reading.h"

#include <utility>

#include <fmt/format.h>

#include "core/catalogue/catalogue.h"
#include "core/network/graph.h"

namespace convscope::ui {
namespace {

/// Name of the first image input with an open height or width; nothing if there is none.
std::optional<std::string> open_image(const network::Network& network) {
  if (!network.graph) return std::nullopt;
  for (const int input : network.graph->inputs) {
    const network::Tensor& tensor = network.graph->tensors[static_cast<std::size_t>(input)];
    const auto& dimensions = tensor.shape.dimensions;
    if (!tensor.constant && dimensions.size() == 4 && (dimensions[2] < 0 || dimensions[3] < 0)) return tensor.name;
  }
  return std::nullopt;
}

}  // namespace

std::optional<network::Network> read_network_with_defaults(const std::string& path, Diagnostics& diagnostics) {
  Diagnostics first;
  auto network = catalogue::read_network(path, first);
  const auto input = network ? open_image(*network) : std::nullopt;
  if (!input) {
    diagnostics.append(first);
    return network;
  }
  network::InputSizes sizes;
  sizes.image = default_image;
  network = catalogue::read_network(path, diagnostics, sizes);
  diagnostics.note({path, 0, "input '" + *input + "'"},
                   fmt::format("the file leaves the size of the image open; taken as {} x {} (rows x columns)",
                               default_image.height, default_image.width));
  return network;
}

}  // namespace convscope::ui
