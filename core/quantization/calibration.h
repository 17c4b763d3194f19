#pragma once
// Points of a network's tensors as the NMP paper places them (section V): powers of two from the values that
// calibration inputs show, least where tensors share a point, and widths narrowed by layer as far as a bound on the
// error allows.

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/quantization/network_formats.h"
#include "core/quantization/observations.h"

namespace convscope::quantization {

struct CalibrationOptions {
  int bits = 16;
  /// Of the magnitudes of a computed tensor over all inputs, in percent, that its format must hold; others saturate.
  /// 100: all. Weights are held whole.
  double percentile = 100;
  bool per_filter = false;  ///< each filter of a product's weights has a point of its own
};

/// Fraction bits for magnitudes up to `most`: width - 1 - ceil(log2 most), so that the largest power of two below
/// saturates by one step at most. width - 1 of nothing but zeros; within 64 of the point.
int fraction_for(double most, int bits);

/// Formats with these widths, by tensor, for what was seen; then `agree` and `place_biases`. Weights whose filters were
/// looked at alone get a point for each.
NetworkFormats place_points(const network::Graph& graph, const Observations& seen, const std::vector<int>& bits);

/// Formats of a topologically sorted graph with inferred shapes for the inputs given (at least one), each executed
/// once. A tensor's point follows from its greatest magnitude over the inputs; a convolution or product with a clamp
/// (Relu, Clip) as its only reader has no format: only what the clamp leaves is held. Then `agree`. Nothing, with the
/// executor's errors, if an execution fails. Throws Cancelled.
std::optional<NetworkFormats> calibrate(const network::Graph& graph, const std::vector<reference::FloatTensors>& inputs,
                                        const CalibrationOptions& options, Diagnostics& diagnostics,
                                        const std::stop_token& stop = {});

/// Pools, views (Reshape, Transpose, Slice …) and concatenations compute nothing that would move a point: they have the
/// least of what they take, and what is added or concatenated agrees on the least; back and forth until nothing
/// changes. The result is the greatest assignment that keeps both rules and is nowhere above the one given.
/// Tensors that are fixed keep their points; the others follow them.
void agree(const network::Graph& graph, std::vector<std::optional<Format>>& formats,
           const std::vector<bool>& fixed = {});

/// A constant bias of a convolution or product begins its sums, in an accumulator that is wider than what is stored:
/// 32 bits with the fraction bits of the products, Q_in + Q_w (of the least of all filters, and of all that read it),
/// or with fewer if the greatest bias has no room then. Biases of layers whose input or weights have no format stay as
/// they are, and so do those that are fixed. A sum of biases rounded to stored words errs alike at every pixel, which
/// no average takes out: that would be most of the error where words are wide.
void place_biases(const network::Graph& graph, NetworkFormats& formats, const std::vector<bool>& fixed = {});

}  // namespace convscope::quantization
