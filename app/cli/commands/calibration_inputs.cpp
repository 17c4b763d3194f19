#include "app/cli/commands/calibration_inputs.h"

#include <algorithm>
#include <filesystem>

#include "core/quantization/network_formats.h"
#include "core/reference/image_inputs.h"

namespace convscope::cli {
namespace {

using reference::FloatTensors;

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
  const int input = reference::image_input(graph);
  if (input < 0) {
    diagnostics.error({network, 0, "--images"}, "the network doesn't take one image",
                      "one input of known size: batch 1, maps, height, width", "without --images inputs are made up");
    return inputs;
  }
  const bool colors = graph.tensors[static_cast<std::size_t>(input)].shape.dimensions[1] == 3;
  for (const std::string& file : image_files(options.images, colors, diagnostics))
    if (auto image = reference::image_inputs(graph, file, {options.mean, options.scale}, diagnostics))
      inputs.push_back(*std::move(image));
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
