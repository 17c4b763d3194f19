#include "app/cli/commands/calibration_inputs.h"

#include "core/quantization/network_formats.h"
#include "core/reference/image_folder.h"

namespace convscope::cli {
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

std::vector<reference::FloatTensors> CalibrationInputs::make(const network::Graph& graph, const std::string& network,
                                                             Diagnostics& diagnostics) const {
  if (!images.empty()) return reference::read_images(graph, {images, {mean, scale}}, network, "--images", diagnostics);
  std::vector<reference::FloatTensors> made;
  for (int i = 0; i < count; ++i) {
    auto seeded = quantization::seeded_inputs(graph, seed + static_cast<std::uint64_t>(i), diagnostics);
    if (!seeded) return {};
    made.push_back(*std::move(seeded));
  }
  return made;
}

}  // namespace convscope::cli
