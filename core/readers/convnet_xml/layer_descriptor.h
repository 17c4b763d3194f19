#pragma once
// One layerDescriptor as it stands in the file; how layers follow from each other is checked elsewhere.

#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/xml.h"

namespace convscope::readers {

inline constexpr int dimension_cap = 65536;  ///< of heights, widths, kernels and subsampling, in pixels
inline constexpr int map_cap = 65536;        ///< feature maps of a layer

/// A number in an element of its own; 0 if missing or wrong, which has been reported then.
struct Field {
  int value = 0;
  Location where;
};

struct LayerDescriptor {
  std::string name;  ///< L1, L2, … by position
  Location where;
  Field out_height, out_width, kernel_height, kernel_width, sub_height, sub_width, out_count;
  std::vector<std::vector<int>> inputs;  ///< by outNet idx; complete only if no error was found
};

/// Reads what stands inside a layerDescriptor, `position` counted from 0. Entries of connection lists must be below
/// `available_maps`; 0 if that is unknown because the layer before is wrong, map_cap for the first layer.
LayerDescriptor read_layer(const XmlDocument& document, pugi::xml_node node, int position, int available_maps,
                           Diagnostics& findings);

}  // namespace convscope::readers
