#pragma once
// What a run on NVE's simulator can be told: image, seed of the coefficients, number of strips.

#include <cstdint>
#include <string>
#include <vector>

#include "core/reference/image_inputs.h"
#include "core/target/simulate.h"

namespace convscope::nve {

/// Everything that a program's simulation needs besides the program.
struct SimulationInput {
  std::string image = "seed:1";  ///< path of a PGM, PNG or JPEG file, or "seed:N"
  std::uint64_t coefficients_seed = 1;
  int strips = 0;                     ///< of each map; 0: all
  reference::PixelScale pixels = {};  ///< of an image file, for a network as a whole
};

class NveSimulationTools : public target::SimulationTools {
 public:
  const std::vector<target::OptionDescription>& options() const override { return options_; }
  const std::vector<artifact::FigureDescription>& counted() const override { return counted_; }

 private:
  const std::vector<target::OptionDescription> options_ = {
      {"image", "Image", "Input: a PGM, PNG or JPEG file, or seed:N for a generated one", target::OptionKind::text,
       "seed:1"},
      {"coefficients-seed", "Seed of the coefficients", "Seed of the generated coefficients",
       target::OptionKind::integer, "1"},
      {"strips", "Strips", "Simulate at most this many strips of each map (0: all)", target::OptionKind::integer, "0",
       0, 1'000'000'000},
      {"image-mean", "Mean of pixels", "Of a network as a whole: what is subtracted from a file's pixel of 0 to 255",
       target::OptionKind::integer, "0", -255, 255},
      {"image-scale", "Scale of pixels", "Of a network as a whole: what a file's pixel is then divided by",
       target::OptionKind::integer, "255", 1, 65'535}};
  const std::vector<artifact::FigureDescription> counted_ = {{.key = "cycles", .label = "cycles"},
                                                             {.key = "macs", .label = "MACs"},
                                                             {.key = "strips", .label = "strips"},
                                                             {.key = "outputs", .label = "outputs"}};
};

/// `options` are those of NveSimulationTools.
SimulationInput simulation_input(const target::OptionValues& options);

}  // namespace convscope::nve
