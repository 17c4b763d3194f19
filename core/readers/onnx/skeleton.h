#pragma once
// A model without its bulk: what protobuf parses is small whatever the weights weigh, and they are never copied.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/readers/common/report.h"
#include "core/readers/onnx/schema.h"

namespace convscope::readers::onnx_format {

struct Skeleton {
  std::string bytes;                   ///< the same message; fields that the schema doesn't list are left out
  std::vector<std::string_view> bulk;  ///< values, in the file; the message refers to them by index
};

/// Errors, with byte and field: a length that reaches beyond the file (truncated) or beyond the message around it, an
/// encoding that is none, and more fields than fit into about a gigabyte of messages.
std::optional<Skeleton> skeleton_of(std::string_view file, Message root, Report& report);

}  // namespace convscope::readers::onnx_format
