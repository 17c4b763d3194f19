#pragma once
// A network as programs compute it: tensors of rows, columns and channels, and the steps between them. Convolutions are
// programs from the decision tree; everything else is plain code (plain_code.h).

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/cpu/architecture/problem.h"
#include "core/cpu/network/ends.h"
#include "core/flyte/flyte.h"
#include "core/network/network.h"

namespace convscope::cpu {

/// What a tensor of the graph holds, in the order of its dimensions.
struct TensorValue {
  std::vector<std::int64_t> dimensions;
  std::vector<float> values;
};
using TensorValues = std::map<int, TensorValue>;  ///< by index in the graph

/// One operation on each element, in the step that makes it.
struct ElementOperation {
  enum class Kind { add, multiply, relu, clip, leaky_relu, sigmoid, tanh, hard_sigmoid, hard_swish, exp };
  Kind kind = Kind::relu;
  float low = 0, high = 0;  ///< bounds of a clip; slope and offset of a hard sigmoid; `low`: slope of a leaky ReLU
  std::vector<float> values = {};  ///< added or multiplied: one, or one for each channel
};

enum class StepKind {
  convolution,
  elements,
  add,
  subtract,
  multiply,
  divide,
  max_pool,
  average_pool,
  concat,
  softmax,
  lrn,
  reshape,
  movement
};

/// Which elements an output of a pool sees.
struct PoolWindow {
  int kernel_height = 1, kernel_width = 1, stride_height = 1, stride_width = 1;
  int dilation_height = 1, dilation_width = 1;
  int pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  bool count_padding = false;  ///< an average divides by the kernel's size
};

struct LocalNormalization {
  int size = 5;
  float alpha = 0, beta = 0, bias = 1;
};

/// Elements that are put elsewhere: out[to + sum of i to_d] = in[from + sum of i from_d], i < count of each axis d.
struct Movement {
  struct Axis {
    std::int64_t count = 1, from = 0, to = 0;  ///< elements from one index to the next
  };
  std::size_t input = 0;  ///< of the step's
  std::int64_t from = 0, to = 0;
  std::vector<Axis> axes = {};  ///< outermost first
};

/// Tensors are in the order C H W, which is that of the graph's dimensions.
struct Moves {
  std::vector<Movement> pieces;
  std::optional<float> elsewhere = {};  ///< what the output has where no piece puts anything
};

struct Step {
  StepKind kind = StepKind::elements;
  std::string name;         ///< of the node; with those that are computed along with it
  int layer = -1;           ///< of the network
  std::vector<int> inputs;  ///< of Flow::tensors
  int output = -1;
  std::optional<Problem> problem = {};   ///< of a convolution
  std::vector<float> coefficients = {};  ///< of it, in the order M Y X C
  PoolWindow window = {};
  LocalNormalization normalization = {};
  Moves moves = {};
  char along = 'C';                          ///< dimension of a softmax
  bool logarithm = false;                    ///< of a softmax
  std::optional<Extents> as = {};            ///< of the output while it is computed, if its graph drops a dimension
  std::vector<ElementOperation> after = {};  ///< on each element of the output, first to last
};

struct FlowTensor {
  std::string name;
  Extents extents;  ///< H W C; of what is no image: its last dimension as W, all others as C
  int tensor = -1;  ///< of the graph
};

struct Flow {
  std::vector<FlowTensor> tensors;
  std::vector<Step> steps;  ///< in an order in which they can be computed
  std::vector<int> inputs, outputs;
  std::vector<int> constants;         ///< tensors with one value for each element
  std::int64_t taps = 0;              ///< of all convolutions one after the other: what errors grow with
  flyte::Storage stored = {};         ///< of all tensors; coefficients as their problems say
  std::vector<std::string> left_out;  ///< nodes that are left to the host, which reads `outputs`
};

/// Has tensors and convolutions' coefficients stored like this.
void store_as(Flow& flow, const flyte::Storage& activations, const flyte::Storage& weights);

/// The steps of a network with a graph, given all its values for one input. Bias, scaling and activations are computed
/// along with what they follow, if nobody else reads it. Where an operator or a mode of one has no generated code, the
/// network ends before it. Nothing, with a diagnostic that names the node, if a layer that multiplies comes behind
/// that, none comes before it, or the batch isn't one.
std::optional<Flow> flow_of(const network::Network& network, const TensorValues& values, Diagnostics& diagnostics);
/// The same of a network that ends earlier; what is left out needs no values.
std::optional<Flow> flow_of(const network::Network& network, const TensorValues& values, Ends ends,
                            Diagnostics& diagnostics);

/// Values as a step's output has them in the order H W C: dimensions of an image stand behind its channels in a graph.
std::vector<float> rows_columns_channels(const TensorValue& value, const Extents& extents);

}  // namespace convscope::cpu
