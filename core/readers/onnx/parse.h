#pragma once
// Bytes to ONNX's messages.

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/readers/common/report.h"

namespace onnx {
class ModelProto;
class TensorProto;
}  // namespace onnx

namespace convscope::readers::onnx_format {

struct ParsedModel {
  std::shared_ptr<const onnx::ModelProto> message;
  std::vector<std::string_view> bulk;  ///< Skeleton::bulk
  std::vector<int> node_lines;         ///< of the main graph's nodes, from 1, in text; else empty
};

struct ParsedTensor {
  std::shared_ptr<const onnx::TensorProto> message;
  std::vector<std::string_view> bulk;
};

/// Errors: those of skeleton_of, and what protobuf doesn't accept.
std::optional<ParsedModel> parse_binary(std::string_view bytes, Report& report);
std::optional<ParsedTensor> parse_tensor(std::string_view bytes, Report& report);
/// Errors, with line and column: what protobuf's text format doesn't accept; more than 16 MB of text.
std::optional<ParsedModel> parse_text(std::string_view text, Report& report);

}  // namespace convscope::readers::onnx_format
