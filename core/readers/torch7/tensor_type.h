#pragma once
// Names of torch's tensor and storage classes.

#include <optional>
#include <string_view>

#include "core/network/element_type.h"

namespace convscope::readers::torch7 {

/// Element type of "torch.FloatTensor", "torch.CudaHalfTensor" and the like; nothing for other classes. `long_bytes` is
/// the size of a long: 4 or 8.
std::optional<network::ElementType> tensor_element(std::string_view type, int long_bytes);
/// The same of "torch.FloatStorage".
std::optional<network::ElementType> storage_element(std::string_view type, int long_bytes);

}  // namespace convscope::readers::torch7
