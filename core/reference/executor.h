#pragma once
// Plain execution of graphs of operators: the oracle for everything that computes. Written for clarity; sums are made
// in double precision, results are rounded to their element type. Shared with the rest of the project is the inference
// of shapes, which decides how large outputs are.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/network/graph.h"

namespace convscope::reference {

/// Elements in row-major order. Each value is one that `type` can hold; integers are exact up to 2^53.
struct FloatTensor {
  network::ElementType type = network::ElementType::float32;
  std::vector<std::int64_t> dimensions;
  std::vector<double> values;
  bool operator==(const FloatTensor&) const = default;
};

using FloatTensors = std::map<std::string, FloatTensor>;  ///< by name

struct ExecutionLimits {
  std::int64_t elements = std::int64_t{1} << 28;    ///< of all tensors alive at a time
  std::int64_t operations = std::int64_t{1} << 38;  ///< multiply-accumulates and element operations of the whole run
};

/// Sees the value of a tensor, by its index in the graph, and may change it: each input once, each constant whenever an
/// operator takes it, and each computed tensor once it is rounded to its type.
using ValueHook = std::function<void(int tensor, FloatTensor& value)>;

/// The values of a constant; nothing if they are absent, no numbers, or more than `limit`.
std::optional<FloatTensor> tensor_of(const network::Constant& constant, std::int64_t limit = std::int64_t{1} << 28);

/// Rounds each value to the nearest that the type holds (ties to even); leaves integers alone.
void round_to_type(FloatTensor& tensor);

/// Whether it knows the node's operator, or what that makes is constant; modes that it lacks show when it is executed.
bool can_execute(const network::Graph& graph, const network::Node& node);

/// Outputs of a topologically sorted graph for inputs by name; shapes are those of the inputs given, not those in the
/// graph. Errors name node and operator: an input that is missing, a constant without values, an operator or one of its
/// modes that isn't implemented, shapes that don't fit, a limit that would be passed. Operators of ONNX's own domain
/// and the quantized ones of com.microsoft in the meaning of graph.opset. A tensor is freed after its last use.
std::optional<FloatTensors> execute(const network::Graph& graph, const FloatTensors& inputs, Diagnostics& diagnostics,
                                    const ExecutionLimits& limits = {}, const ValueHook& hook = {});

}  // namespace convscope::reference
