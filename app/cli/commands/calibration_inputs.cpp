#include "app/cli/commands/calibration_inputs.h"

#include <algorithm>
#include <filesystem>

#include "core/quantization/network_formats.h"
#include "core/reference/image_file.h"

namespace convscope::cli {
namespace {

using reference::FloatTensor;
using reference::FloatTensors;

/// The one input that images are put into; -1, with an error, if there is none or several.
int image_input(const network::Graph& graph, const std::string& file, Diagnostics& diagnostics) {
  int found = -1, count = 0;
  for (const int input : graph.inputs) {
    const network::Tensor& tensor = graph.tensors[static_cast<std::size_t>(input)];
    if (tensor.constant) continue;
    found = input;
    ++count;
  }
  const auto shape = found < 0 ? network::TensorShape{} : graph.tensors[static_cast<std::size_t>(found)].shape;
  const bool image = count == 1 && shape.elements() && shape.dimensions.size() == 4 && shape.dimensions[0] == 1 &&
                     std::all_of(shape.dimensions.begin() + 1, shape.dimensions.end(),
                                 [](std::int64_t size) { return size >= 1 && size <= reference::image_dimension_cap; });
  if (image) return found;
  diagnostics.error({file, 0, "--images"}, "the network doesn't take one image",
                    "one input of known size: batch 1, maps, height, width", "without --images inputs are made up");
  return -1;
}

/// Colours for networks that take three maps; for others gray.
std::vector<std::string> image_files(const std::string& folder, bool colors, Diagnostics& diagnostics) {
  std::vector<std::string> files;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
    const std::string extension = entry.path().extension().string();
    const bool readable = extension == ".png" || extension == ".jpg" || extension == ".jpeg" || extension == ".pgm";
    if (readable || (colors && extension == ".ppm")) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  if (files.empty())
    diagnostics.error({folder, 0, "--images"}, failure ? failure.message() : "there are no images in it",
                      colors ? "a folder of PNG, JPEG, PPM or PGM files" : "a folder of PNG, JPEG or PGM files");
  return files;
}

std::vector<FloatTensors> read_images(const CalibrationInputs& options, const network::Graph& graph,
                                      const std::string& network, Diagnostics& diagnostics) {
  std::vector<FloatTensors> inputs;
  const int input = image_input(graph, network, diagnostics);
  if (input < 0) return inputs;
  const network::Tensor& tensor = graph.tensors[static_cast<std::size_t>(input)];
  const auto& sizes = tensor.shape.dimensions;
  const network::Shape shape{static_cast<int>(sizes[1]), {static_cast<int>(sizes[2]), static_cast<int>(sizes[3])}};
  const bool colors = shape.maps == 3;
  for (const std::string& file : image_files(options.images, colors, diagnostics)) {
    const auto image = colors ? reference::load_colors(file, shape.size, diagnostics)
                              : reference::load_image(file, shape, diagnostics);
    if (!image) continue;
    FloatTensor value{network::ElementType::float32, sizes, {}};
    for (const std::uint8_t pixel : image->values) value.values.push_back((pixel - options.mean) / options.scale);
    inputs.push_back({{tensor.name, std::move(value)}});
  }
  return inputs;
}

}  // namespace

void CalibrationInputs::add_to(CLI::App& command) {
  command.add_option("--images", images,
                     "Folder of PNG, JPEG, PPM or PGM files to calibrate with: in colour for three maps, else gray; "
                     "without it, made-up inputs");
  command.add_option("--mean", mean, "What is subtracted from a pixel of 0 to 255")->capture_default_str();
  command.add_option("--scale", scale, "What a pixel is then divided by")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--seed", seed, "Of made-up inputs")->capture_default_str();
  command.add_option("--inputs", count, "How many inputs are made up")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
}

std::vector<FloatTensors> CalibrationInputs::make(const network::Graph& graph, const std::string& network,
                                                  Diagnostics& diagnostics) const {
  if (!images.empty()) return read_images(*this, graph, network, diagnostics);
  std::vector<FloatTensors> made;
  for (int i = 0; i < count; ++i) {
    auto seeded = quantization::seeded_inputs(graph, seed + static_cast<std::uint64_t>(i), diagnostics);
    if (!seeded) return {};
    made.push_back(*std::move(seeded));
  }
  return made;
}

}  // namespace convscope::cli
