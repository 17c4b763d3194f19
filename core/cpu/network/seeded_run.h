#pragma once
// A network's values for one input, by the reference executor.

#include <cstdint>
#include <optional>
#include <stop_token>

#include "core/base/diagnostic.h"
#include "core/cpu/network/flow.h"
#include "core/network/graph.h"
#include "core/reference/executor.h"

namespace convscope::cpu {

/// The graph with values for floating-point constants that have none, or one for all: uniform, of a variance that
/// keeps sums of products at the size of their inputs. One-dimensional ones are between a half and one and a half, as
/// they may be variances.
network::Graph with_coefficients(const network::Graph& graph, std::uint64_t seed);

/// All tensors for inputs that are uniform in [-1, 1). Nothing, with a diagnostic, where the reference executor refuses
/// the graph, an input has no known size, or all values together are more than 2^28. Throws Cancelled.
/// `change` is made to each tensor as soon as it is there.
std::optional<TensorValues> seeded_run(const network::Graph& graph, std::uint64_t seed, const std::stop_token& stop,
                                       Diagnostics& diagnostics, const reference::ValueHook& change = {});

}  // namespace convscope::cpu
