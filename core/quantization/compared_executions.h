#pragma once
// A network executed twice, as it is and with something changed on the way; and how far apart both are.

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/network/graph.h"
#include "core/quantization/error.h"
#include "core/reference/executor.h"

namespace convscope::quantization {

struct NetworkError {
  std::vector<Error> tensors;  ///< by tensor of the graph; a count of 0 for those that weren't compared
  int inputs = 0;
  int same_answer = 0;  ///< inputs whose first output has its largest value in the same place
};

/// The place of a tensor of the graph in a vector by tensor.
inline std::size_t index_of(int tensor) {
  return static_cast<std::size_t>(tensor);
}

/// Types whose values are rounded; integers are what they are.
bool is_real(network::ElementType type);

using Look = std::function<void(int tensor, const reference::FloatTensor& value)>;

/// Executes a topologically sorted graph for each input in floating point, and again with `change` made to each tensor
/// as soon as it is there. Compared are the marked tensors, as far as they hold real numbers. Nothing, with the
/// executor's errors, if an execution fails. `look` sees every tensor as it is. Throws Cancelled.
std::optional<NetworkError> compare_executions(const network::Graph& graph, const std::vector<bool>& compared,
                                               const reference::ValueHook& change,
                                               const std::vector<reference::FloatTensors>& inputs,
                                               Diagnostics& diagnostics, const std::stop_token& stop,
                                               const Look& look = {});

}  // namespace convscope::quantization
