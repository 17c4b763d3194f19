#pragma once
// Work and true sizes of operators that have no kernel over rows and columns, and that no machine maps therefore: they
// count in what a network computes all the same.

#include <vector>

#include "core/network/graph.h"
#include "core/network/network.h"

namespace convscope::network {

/// So that totals of half a million layers don't overflow.
inline constexpr std::int64_t mac_cap = std::int64_t{1} << 44;

/// Shapes of a node's inputs (an absent one is not known), and of its first output.
struct NodeShapes {
  std::vector<TensorShape> inputs;
  TensorShape out;
};

/// Dimensions of space if there are more than two; empty otherwise, and where one is no int.
std::vector<int> deep_space(const TensorShape& shape);

/// Conv and its kin over any space, ConvTranspose and DeformConv; data and weights as positions among the inputs.
///   convolution: maps and pixels of the output, times the inputs of each:  M * prod(out) * C/g * prod(kernel)
///   transposed:  the same seen from the input, before anything is cropped: C * prod(in) * M/g * prod(kernel)
OtherWork convolution_work(const NodeShapes& shapes, std::size_t data, std::size_t weights, bool transposed);
/// Kernel, stride, dilation and padding as the attributes have them; nothing if they don't fit.
void set_window(Space& space, const Node& node, const TensorShape& data, const TensorShape& weights);

/// A product whose inner dimension is `inner` columns: one row, or one stack of rows, of the output.
OtherWork product_work(const TensorShape& out, std::int64_t inner, const TensorShape* constant);

/// LSTM, GRU and RNN: every step takes all weights of the input and of the recurrence.
OtherWork recurrent_work(const NodeShapes& shapes, const Attributes& attributes);
/// Sequences at a time; unknown_dimension if that isn't known.
std::int64_t recurrent_batch(const NodeShapes& shapes, const Attributes& attributes);

/// Einsum of two tensors: a MAC for each value of its indices. With an ellipsis, or more tensors, it isn't known.
OtherWork einsum_work(const NodeShapes& shapes, const Attributes& attributes);

}  // namespace convscope::network
