#pragma once
// Attributes of ONNX nodes as the network model has them, and tensors that stand in attributes.

#include <optional>
#include <string>

#include "core/network/attributes.h"
#include "core/network/graph.h"
#include "core/readers/common/report.h"
#include "core/readers/onnx/values.h"

namespace onnx {
class NodeProto;
}

namespace convscope::readers::onnx_format {

/// Names and values as they are. Tensors of up to 4096 numbers become a number (one element) or a list; larger ones,
/// and subgraphs, become a text that tells what is there.
network::Attributes attributes_of(const onnx::NodeProto& node, const ValueSource& source, const std::string& element,
                                  Report& report);

/// The value of a Constant node, in any of its forms; an error if it has none.
std::optional<network::Constant> constant_of_node(const onnx::NodeProto& node, const ValueSource& source,
                                                  const std::string& element, Report& report);

/// The value of a ConstantOfShape node: one element, float32 zero if it is not given; without dimensions.
std::optional<network::Constant> fill_of_node(const onnx::NodeProto& node, const ValueSource& source,
                                              const std::string& element, Report& report);

}  // namespace convscope::readers::onnx_format
