#pragma once
// A folder of images as inputs of a network in floating point.

#include <string>
#include <vector>

#include "core/reference/image_inputs.h"

namespace convscope::reference {

struct ImageFolder {
  std::string path;  ///< empty: none
  PixelScale pixels;
  bool operator==(const ImageFolder&) const = default;
};

/// Every image of the folder (PNG, JPEG, PGM; PPM too for three maps), in the order of their names, as the one input of
/// the graph. `network` and `option` name it and what asked for it to people. Empty, with an error, if the folder can't
/// be read or holds none, or if the graph doesn't take one image; an error for each image that can't be read.
std::vector<FloatTensors> read_images(const network::Graph& graph, const ImageFolder& folder,
                                      const std::string& network, const std::string& option, Diagnostics& diagnostics);

}  // namespace convscope::reference
