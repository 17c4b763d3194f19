#pragma once
// ONNX's main graph as the network model's.

#include <optional>

#include "core/network/graph.h"
#include "core/readers/common/report.h"
#include "core/readers/onnx/parse.h"
#include "core/readers/onnx/values.h"

namespace convscope::readers::onnx_format {

/// Errors: a name with two definitions or none; an output that nothing produces; nodes in a circle; what values, shapes
/// and attributes are refused for. Nodes come in topological order, otherwise in the file's.
std::optional<network::Graph> build_graph(const ParsedModel& model, const ValueSource& source, Report& report);

}  // namespace convscope::readers::onnx_format
