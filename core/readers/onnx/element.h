#pragma once
// ONNX's element types and the arithmetic of shapes, with every claim checked.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/network/element_type.h"
#include "core/readers/common/report.h"

namespace convscope::readers::onnx_format {

/// onnx.TensorProto.DataType by number; later versions of onnx.proto than the installed one have more.
struct DataType {
  network::ElementType type = network::ElementType::unknown;
  int bits = 0;  ///< of one element; 0 if it has no fixed size or is not known
};

DataType data_type(int number);

/// "[64 x 3 x 7 x 7]", at most eight dimensions of it.
std::string shape_text(std::span<const std::int64_t> dimensions);

/// Number of elements; an error that names `element` if a dimension is negative, there are more than 64 of them, or
/// they claim more than network::element_cap elements (a dimension of 0 counts as 1 here, so that no product of
/// some of them overflows).
std::optional<std::int64_t> checked_elements(std::span<const std::int64_t> dimensions, const std::string& element,
                                             Report& report);

}  // namespace convscope::readers::onnx_format
