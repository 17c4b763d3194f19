#pragma once
// Values of ONNX tensors as constants, without a copy wherever the file has them as they are in memory.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/network/graph.h"
#include "core/readers/common/report.h"
#include "core/readers/onnx/external_files.h"

namespace onnx {
class SparseTensorProto;
class TensorProto;
}  // namespace onnx

namespace convscope::readers::onnx_format {

/// Where values of tensors may be, besides the tensor message itself.
struct ValueSource {
  std::shared_ptr<const void> message;  ///< owns the tensor messages
  std::shared_ptr<const void> file;     ///< owns `bulk`
  std::vector<std::string_view> bulk;   ///< Skeleton::bulk
  ExternalFiles& external;
};

/// Errors that name `element`: shapes that checked_elements refuses; values whose number or size is not that of the
/// shape. Strings and types that are not known have no values.
std::optional<network::Constant> constant_of(const onnx::TensorProto& tensor, const ValueSource& source,
                                             const std::string& element, Report& report);
/// Its shape and type only.
std::optional<network::Constant> constant_of(const onnx::SparseTensorProto& tensor, const std::string& element,
                                             Report& report);

/// A constant that owns its bytes.
network::Constant owning_constant(network::ElementType type, std::vector<std::int64_t> dimensions,
                                  std::vector<std::byte> bytes);

}  // namespace convscope::readers::onnx_format
