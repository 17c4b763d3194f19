#include "core/reference/image_inputs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/reference/image_file.h"

namespace convscope::reference {

int image_input(const network::Graph& graph) {
  int found = -1, count = 0;
  for (const int input : graph.inputs) {
    if (graph.tensors[static_cast<std::size_t>(input)].constant) continue;
    found = input;
    ++count;
  }
  if (count != 1) return -1;
  const network::TensorShape& shape = graph.tensors[static_cast<std::size_t>(found)].shape;
  const bool is_image = shape.elements() && shape.dimensions.size() == 4 && shape.dimensions[0] == 1 &&
                        std::all_of(shape.dimensions.begin() + 1, shape.dimensions.end(),
                                    [](std::int64_t size) { return size >= 1 && size <= image_dimension_cap; });
  return is_image ? found : -1;
}

std::optional<FloatTensors> image_inputs(const network::Graph& graph, const std::string& file, const PixelScale& pixels,
                                         Diagnostics& diagnostics) {
  const int input = image_input(graph);
  if (input < 0) {
    diagnostics.error({file, 0, {}}, "the network doesn't take one image",
                      "one input of known size: batch 1, maps, height, width");
    return std::nullopt;
  }
  const network::Tensor& tensor = graph.tensors[static_cast<std::size_t>(input)];
  const auto& sizes = tensor.shape.dimensions;
  const network::Shape shape{static_cast<int>(sizes[1]), {static_cast<int>(sizes[2]), static_cast<int>(sizes[3])}};
  const auto image =
      shape.maps == 3 ? load_colors(file, shape.size, diagnostics) : load_image(file, shape, diagnostics);
  if (!image) return std::nullopt;
  FloatTensor value{network::ElementType::float32, sizes, {}};
  for (const std::uint8_t pixel : image->values) value.values.push_back((pixel - pixels.mean) / pixels.scale);
  return FloatTensors{{tensor.name, std::move(value)}};
}

}  // namespace convscope::reference
