#pragma once
// Which layers of a definition make up the network of phase TEST, and what its data layers say about shapes.

#include <cstdint>
#include <string>
#include <vector>

#include "core/readers/caffe/layers.h"
#include "core/readers/common/protobuf_text.h"

namespace convscope::readers::caffe {

/// Of an input, as far as a definition may state it.
inline constexpr std::int64_t largest_dimension = std::int64_t{1} << 31;

struct LayerEntry {
  const Message* message = nullptr;
  std::string name;
  std::string type;  ///< of version 2, whatever the file has
  int line = 0;
  std::vector<std::string> bottoms;
  std::vector<std::string> tops;
  bool only_consumer = false;  ///< of its first bottom
};

/// The layers that phase TEST includes, in the order of the file. Layers of version 0 are an error.
std::vector<LayerEntry> layers_for_test(const Message& root, Report& report);

/// Layers that feed the network instead of computing.
bool is_data_layer(const LayerEntry& layer);

/// Shape of a data layer's top, as far as the file states it.
BlobShape data_shape(const LayerEntry& layer, std::size_t top, Report& report);

}  // namespace convscope::readers::caffe
