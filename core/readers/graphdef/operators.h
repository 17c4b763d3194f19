#pragma once
// Operators of TensorFlow, one translation each.

#include <string>
#include <string_view>
#include <vector>

#include "core/readers/graphdef/translation.h"

namespace convscope::readers::graphdef {

/// Where axes of maps stand.
enum class Layout { file_order, maps_first };

/// A node of the file with everything that its translation needs.
struct OperatorContext {
  int index = -1;
  const NodeDef& source;
  Translation& to;

  std::size_t inputs() const { return to.sources(index).size(); }
  Value& input(std::size_t position) const { return to.value(to.sources(index)[position]); }
  /// Of a constant or of what shapes are computed from; nothing if it isn't known or longer than `limit`.
  std::optional<Integers> integers(std::size_t position, std::size_t limit = 64) const;

  /// "NCHW" or not.
  bool maps_stand_first() const { return source.text("data_format", "NHWC") == "NCHW"; }
  /// How many maps an operand has, after data_format; unknown_dimension where that isn't known.
  std::int64_t maps_of(const network::TensorShape& shape) const;
  /// Whether `data_format` is one of the two that are translated.
  bool has_plain_format() const;
  /// An operand of an operator on maps, maps first whatever the file has; nothing if it has no four dimensions.
  std::optional<int> maps(Value& value) const;
  /// The tensor that a value is in a layout.
  int operand(Value& value, Layout layout) const;

  /// The last node of the operator: its output's value, of `shape` in the file's order.
  Value& finish(const std::string& operator_name, std::vector<int> operands, network::Attributes attributes,
                Layout layout, network::TensorShape shape) const;
  /// Of an operator on maps: its output has the layout that the file says.
  Value& finish_maps(const std::string& operator_name, std::vector<int> operands, network::Attributes attributes,
                     network::TensorShape shape) const;
  /// A node before the last one.
  int step(const std::string& suffix, const std::string& operator_name, std::vector<int> operands,
           network::Attributes attributes = {}) const;
  /// The output is what an input is, without a node.
  void pass(const Value& value) const;
  int constant(const std::string& suffix, const Integers& values) const;
  int scalar(const std::string& suffix, float value) const;
  void error(std::string what, std::string expected = {}) const;
};

/// False if the operator can't be expressed; nothing was made then.
using OperatorTranslation = bool (*)(const OperatorContext&);

/// Whether an operator's maps are laid out as its data_format says, or in TensorFlow's own order.
bool works_on_maps(std::string_view operator_name);

/// Gives the output a value without a node: constants, what is computed from constants, and what shapes are computed
/// from.
bool fold(const OperatorContext& context);

bool placeholder(const OperatorContext& context);
bool identity(const OperatorContext& context);
bool convolution(const OperatorContext& context);
bool depthwise_convolution(const OperatorContext& context);
bool transposed_convolution(const OperatorContext& context);
bool matrix_product(const OperatorContext& context);
bool bias(const OperatorContext& context);
bool max_pool(const OperatorContext& context);
bool average_pool(const OperatorContext& context);
bool batch_normalization(const OperatorContext& context);
bool local_response_normalization(const OperatorContext& context);
bool unary(const OperatorContext& context);
bool rsqrt_of(const OperatorContext& context);
bool square(const OperatorContext& context);
bool relu_between(const OperatorContext& context);
bool leaky_relu(const OperatorContext& context);
bool softmax(const OperatorContext& context);
bool binary(const OperatorContext& context);
bool add_all(const OperatorContext& context);
bool concatenation(const OperatorContext& context);
bool reshape(const OperatorContext& context);
bool squeeze(const OperatorContext& context);
bool expand_dimensions(const OperatorContext& context);
bool transpose(const OperatorContext& context);
bool pad(const OperatorContext& context);
bool reduction(const OperatorContext& context);
bool resize(const OperatorContext& context);
bool slice(const OperatorContext& context);
bool strided_slice(const OperatorContext& context);
bool split(const OperatorContext& context);
bool depth_and_space(const OperatorContext& context);
bool cast(const OperatorContext& context);

/// The constant that a convolution's or product's output is offset by, given to that node where it has room.
bool give_bias(const OperatorContext& context, Value& linear, Value& offset);

/// Translates a node; what has no counterpart in ONNX is kept as it is.
void translate(int index, Translation& to);

/// Where a value's operands best stand: maps first if they already do.
Layout layout_of(const Value& value);

/// An axis that counts from the end where negative; nothing beyond the rank.
std::optional<std::size_t> absolute_axis(std::int64_t axis, std::size_t rank);
/// Where axis i of maps in the file's order stands with maps first.
std::int64_t axis_in(Layout layout, std::size_t axis);

}  // namespace convscope::readers::graphdef
