#pragma once
// Networks whose files are quantized already (ONNX: QuantizeLinear, DequantizeLinear, QLinearConv, QLinearMatMul …;
// TensorFlow Lite: tensors of integers with scales) as networks of real numbers, and the scales that their files state.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/network/graph.h"
#include "core/network/network.h"
#include "core/quantization/format.h"

namespace convscope::quantization {

/// Integer q of a type of 4 to 32 bits stands for (q - zero point) * scale (ONNX QuantizeLinear). One scale for all, or
/// one for each index along `axis`; as many zero points.
struct OwnScale {
  network::ElementType type = network::ElementType::int8;
  std::vector<double> scales, zero_points;
  std::size_t axis = 0;

  /// The real numbers between which nothing saturates, under a scale and its zero point.
  Range range(std::size_t index) const;
  /// The nearest that the type holds (ties to even), saturated.
  double rounded(double value, std::size_t index) const;
  /// Whether a format Qm.n of the type's width holds exactly the same numbers: scales that are powers of two, of signed
  /// integers around 0.
  bool is_point() const;
  bool operator==(const OwnScale&) const = default;
};

/// What a format says of a tensor itself.
OwnScale own_scale(const network::IntegerScale& stated);

/// Whether scales of integers of this type are understood: 4 to 32 bits with a sign, 4 to 16 without.
bool holds_quantized(network::ElementType type);

struct ScaledGraph {
  network::Graph graph;                         ///< of real numbers; topologically sorted
  std::vector<std::optional<OwnScale>> scales;  ///< by tensor; nothing where the file states none
  std::vector<bool> passed;                     ///< tensors that are nothing but what a scale is put on: not held
};

/// Quantized constants become real ones. QLinearConv, QLinearMatMul, QLinearAdd and QLinearMul become the operators
/// that they stand for; a QuantizeLinear becomes a Clip to the range of its type, since files leave out the Relu that
/// their type's range makes; DequantizeLinear disappears, and pools and views of integers become those of real numbers.
/// Of tensors that have a scale themselves, operators become the same ones on real numbers, their results clipped to
/// what integers hold. The graph is topologically sorted and has inferred types. Nothing if it has no such operators;
/// nothing either, with a warning that says why, if one is of another kind (scales that are computed or by block, other
/// operators on integers, contradicting scales): then it is executed as it is.
std::optional<ScaledGraph> with_own_scales(const network::Graph& graph, const std::string& file,
                                           Diagnostics& diagnostics);

/// Of tensors that have scales themselves: the same nodes, in the same places, on the real numbers that integers stand
/// for, without scales. Results aren't clipped to what the integers hold: for machines that choose points of their own.
/// Nothing if no tensor has a scale; nothing either, with a warning that says why, if one can't be used.
std::optional<network::Graph> in_real_numbers(const network::Graph& graph, const std::string& file,
                                              Diagnostics& diagnostics);

/// The network with such a graph; as it is where that gives nothing.
network::Network in_real_numbers(const network::Network& network, Diagnostics& diagnostics);

}  // namespace convscope::quantization
