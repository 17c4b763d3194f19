#pragma once
// Weights of a .caffemodel: message NetParameter in protobuf's wire format, read without copying what it holds.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/network/graph.h"
#include "core/readers/common/report.h"

namespace convscope::readers::caffe {

/// One blob of a layer. Its values are float32 or float64.
struct ModelBlob {
  std::vector<std::int64_t> dimensions;
  network::ElementType type = network::ElementType::float32;
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;  ///< empty if the blob holds fewer or more values than its dimensions say
};

using ModelBlobs = std::map<std::string, std::vector<ModelBlob>>;  ///< by layer

/// The blobs of all layers that have some. A message that is cut short gives a warning and what stood before.
ModelBlobs read_model(std::string_view bytes, std::shared_ptr<const void> owner, Report& report);

}  // namespace convscope::readers::caffe
