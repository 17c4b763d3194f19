#pragma once
// Operators of TensorFlow Lite, one translation each.

#include <string>
#include <vector>

#include "core/readers/tflite/translation.h"

namespace convscope::readers::tflite {

/// An operator with everything that its translation needs.
struct OperatorContext {
  const ModelOperator& source;
  Translation& to;
  std::string name;  ///< of its node: that of its first output

  std::int64_t input(std::size_t position) const;  ///< -1 if absent
  std::int64_t output() const { return source.outputs.front(); }
  const ModelTensor& in() const { return to.tensor(input(0)); }
  const ModelTensor& out() const { return to.tensor(output()); }

  /// The last node of the operator but its fused activation, if it has one.
  void finish(const std::string& operator_name, std::vector<int> operands, network::Attributes attributes = {},
              schema::Activation fused_activation = schema::Activation::None) const;
  /// A node before the last one.
  int step(const std::string& suffix, const std::string& operator_name, std::vector<int> operands, Integers shape,
           network::Attributes attributes = {}) const;
  /// Gives the output the values of a tensor that holds them in the file's order and `shape`.
  void finish_from_file_order(int tensor, schema::Activation fused_activation = schema::Activation::None) const;
  /// An axis of the file's layout in ONNX's, for tensors of `rank`.
  static std::int64_t axis(std::int64_t axis, std::size_t rank);
  /// The same for values that stand one an axis.
  static Integers by_axis(const Integers& values);
  int integers(const std::string& suffix, const Integers& values) const;
  int scalar(const std::string& suffix, float value) const;
};

/// Of operators whose options may be left out.
template <typename Options>
schema::Activation fused_activation(const ModelOperator& source) {
  const Options* options = source.options<Options>();
  return options == nullptr ? schema::Activation::None : options->fused_activation();
}

/// False if the operator can't be expressed; nothing was made then.
using OperatorTranslation = bool (*)(const OperatorContext&);

bool convolution(const OperatorContext& context);
bool depthwise_convolution(const OperatorContext& context);
bool transposed_convolution(const OperatorContext& context);
bool fully_connected(const OperatorContext& context);
bool average_pool(const OperatorContext& context);
bool max_pool(const OperatorContext& context);
bool binary(const OperatorContext& context);
bool unary(const OperatorContext& context);
bool relu_between(const OperatorContext& context);
bool leaky_relu(const OperatorContext& context);
bool prelu(const OperatorContext& context);
bool softmax(const OperatorContext& context);
bool concatenation(const OperatorContext& context);
bool reshape(const OperatorContext& context);
bool transpose(const OperatorContext& context);
bool pad(const OperatorContext& context);
bool reduction(const OperatorContext& context);
bool resize(const OperatorContext& context);
bool strided_slice(const OperatorContext& context);
bool slice(const OperatorContext& context);
bool split(const OperatorContext& context);
bool depth_and_space(const OperatorContext& context);
bool quantize(const OperatorContext& context);
bool dequantize(const OperatorContext& context);

}  // namespace convscope::readers::tflite
