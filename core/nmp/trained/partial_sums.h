#pragma once
// How large sums of products are on their way, where a program adds up a layer's channels in parts.

#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/nmp/link/link.h"
#include "core/nmp/trained/points.h"
#include "core/nmp/trained/step_values.h"
#include "core/reference/executor.h"

namespace convscope::nmp {

/// Of each step of a program whose channels are added up in parts, from the network's graph, executed for each of the
/// inputs: sums as they are behind each part but the last (biases, and what they begin from, included), and, where
/// partial sums are as wide as elements, the point of results at which rounding and saturation on the way and at the
/// end leave the least error (sum of squares over all inputs, behind the layer's clamp; of equal ones the finest).
/// Magnitudes of results as in `most`. Nothing, with diagnostics, if the graph can't be executed. Throws Cancelled.
std::optional<std::vector<std::optional<SumPoints>>> observe_partial_sums(
    const network::Network& network, const LinkedProgram& linked, const std::vector<const SolvedLayer*>& solved,
    const std::vector<StepValues>& values, const std::vector<double>& most,
    const std::vector<reference::FloatTensors>& inputs, Diagnostics& diagnostics, const std::stop_token& stop);

/// The error that partial sums and results make with this many bits and this point: squares of the differences to the
/// sums of all parts. `parts` are by element alike; the first has biases in it.
double error_of_sums(const std::vector<std::vector<double>>& parts, const quantization::Format& format,
                     double clamp_low, double clamp_high);

}  // namespace convscope::nmp
