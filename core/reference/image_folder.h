#pragma once
// A folder of images as inputs of a network in floating point.

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/reference/image_inputs.h"

namespace convscope::reference {

struct ImageFolder {
  std::string path;  ///< empty: none
  PixelScale pixels;
  bool operator==(const ImageFolder&) const = default;
};

/// Elements of all images of a folder together: 2 GB.
inline constexpr std::int64_t folder_cap = std::int64_t{1} << 28;

/// Every image of the folder (PNG, JPEG, PGM; PPM too for three maps; in capitals as well), in the order of their
/// names, as the one input of the graph; folders, pipes and the like that are called so are none. `network` and
/// `option` name it and what asked for it to people. Empty, with an error, if the folder can't be read or holds none,
/// or more than `most` elements, if it goes away or its images become others while they are read, or if the graph
/// doesn't take one image; an error for each image that can't be read. Throws Cancelled.
std::vector<FloatTensors> read_images(const network::Graph& graph, const ImageFolder& folder,
                                      const std::string& network, const std::string& option, Diagnostics& diagnostics,
                                      const std::stop_token& stop = {}, std::int64_t most = folder_cap);

}  // namespace convscope::reference
