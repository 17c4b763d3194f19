#pragma once
// From modules of nn to nodes.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/readers/common/graph_builder.h"
#include "core/readers/torch7/constants.h"
#include "core/readers/torch7/tables.h"

namespace convscope::readers::torch7 {

using Integers = std::vector<std::int64_t>;

/// What goes from module to module: a tensor, or a table of such.
struct Flow {
  int tensor = -1;
  int rank = -1;  ///< number of dimensions, the batch among them; -1 if unknown
  std::shared_ptr<const std::vector<Flow>> parts = nullptr;  ///< of a table
  int depth = 0;                                             ///< of tables in tables

  bool is_table() const { return parts != nullptr; }
};

/// The parts of a table, or the tensor itself: they live as long as the flow.
std::span<const Flow> parts_of(const Flow& flow);
/// Appends the tensors of tables in tables; false if there are more than 1000.
bool add_leaves(const Flow& flow, std::vector<Flow>& leaves);

/// What is shared by all modules of a network.
struct Workshop {
  Tables& tables;
  GraphBuilder& graph;
  Report& report;
  std::size_t copy_budget = std::size_t{64} << 20;  ///< bytes of tensors that must be gathered
  bool copies_left_out = false;
};

/// Size of a window along one axis and how it moves.
struct Slide {
  std::int64_t kernel = 1, stride = 1, pad = 0, dilation = 1;
};

/// All that the translation of one module may look at.
struct ModuleContext {
  Value module;
  std::string type;  ///< class without its library: "SpatialConvolution"
  std::string name;
  Flow in;
  Workshop& shop;

  Value field(std::string_view key) const { return shop.tables.field(module, key); }
  bool has(std::string_view key) const { return field(key).kind != Kind::nothing; }
  /// Without a fallback the field must be there. Errors name module, field and range.
  std::int64_t integer(std::string_view key, std::optional<std::int64_t> fallback, std::int64_t least,
                       std::int64_t most) const;
  double real(std::string_view key, std::optional<double> fallback) const;
  bool boolean(std::string_view key, bool fallback) const;
  /// Of a field that is a tensor with elements.
  std::optional<StoredTensor> stored(std::string_view key) const;

  void error(std::string what, std::string expected = {}) const;
  void warning(std::string what, std::string expected = {}) const;

  /// A constant of these dimensions with the values of the field's tensor; shapes alone, with a warning, if their
  /// numbers differ. -1 if the field is nil.
  int parameter(std::string_view key, const Integers& dimensions) const;
  /// The same from a tensor.
  int parameter(const StoredTensor& tensor, std::string_view key, const Integers& dimensions) const;
  int scalar(const std::string& suffix, double value) const;
  int list(const std::string& suffix, const Integers& values) const;

  /// A table; an error if it is empty, too long or too deep.
  Flow table(std::vector<Flow> parts) const;
  /// The input as one tensor; an error if it is a table.
  int operand() const;
  /// The node that gives the module's output.
  Flow node(const std::string& operator_name, std::vector<int> inputs, int rank, network::Attributes attributes = {},
            const std::string& domain = {}) const;
  /// A node before it.
  int step(const std::string& suffix, const std::string& operator_name, std::vector<int> inputs,
           network::Attributes attributes = {}) const;
  /// The node of a module that takes a tensor and leaves the shape as it is.
  Flow each_value(const std::string& operator_name, network::Attributes attributes = {}) const;
  /// An operator of domain "torch", for what ONNX has no counterpart of.
  Flow opaque() const;

  Place place() const;
  std::string element() const;
};

/// The window of fields kW, dW, padW (axis 'W') or kH, dH, padH (axis 'H').
Slide slide_of(const ModuleContext& context, char axis);
/// Attributes of rows and columns.
network::Attributes window_attributes(const Slide& rows, const Slide& columns);
/// A dimension of a frame as Lua counts it, from 1, as an axis of a batch: where the module doesn't say how many
/// dimensions a frame has (`frame_rank` nil), 1 means maps, as in networks for single frames, and others count the
/// batch.
std::int64_t batch_axis(std::int64_t dimension, bool counts_frame);

/// The translation of a class without its library, or null.
using ModuleTranslation = Flow (*)(const ModuleContext&);
ModuleTranslation translation_of(std::string_view type);

/// Dimensions of the network's input if this module is the first that tells; nothing if it doesn't tell.
std::optional<Integers> input_of_module(const ModuleContext& context);

// weighted_modules.cpp
Flow convolution(const ModuleContext& context);
Flow depthwise_convolution(const ModuleContext& context);
Flow full_convolution(const ModuleContext& context);
Flow linear(const ModuleContext& context);
Flow batch_normalization(const ModuleContext& context);
Flow prelu(const ModuleContext& context);
Flow multiplied(const ModuleContext& context);
Flow added(const ModuleContext& context);

// window_modules.cpp
Flow max_pooling(const ModuleContext& context);
Flow average_pooling(const ModuleContext& context);
Flow adaptive_max_pooling(const ModuleContext& context);
Flow adaptive_average_pooling(const ModuleContext& context);
Flow map_normalization(const ModuleContext& context);

// value_modules.cpp
Flow threshold(const ModuleContext& context);
Flow clamp(const ModuleContext& context);
Flow leaky_relu(const ModuleContext& context);
Flow elu(const ModuleContext& context);
Flow dropout(const ModuleContext& context);
Flow spatial_dropout(const ModuleContext& context);
Flow softmax(const ModuleContext& context);
Flow log_softmax(const ModuleContext& context);
Flow soft_plus(const ModuleContext& context);
Flow power(const ModuleContext& context);
Flow square(const ModuleContext& context);
Flow constant_factor(const ModuleContext& context);
Flow constant_term(const ModuleContext& context);

// shaping_modules.cpp
Flow unchanged(const ModuleContext& context);
Flow view(const ModuleContext& context);
Flow zero_padding(const ModuleContext& context);
Flow reflection_padding(const ModuleContext& context);
Flow replication_padding(const ModuleContext& context);
Flow padding(const ModuleContext& context);
Flow nearest_upsampling(const ModuleContext& context);
Flow pixel_shuffle(const ModuleContext& context);

// joining_modules.cpp
Flow sum_of_table(const ModuleContext& context);
Flow product_of_table(const ModuleContext& context);
Flow difference_of_table(const ModuleContext& context);
Flow quotient_of_table(const ModuleContext& context);
Flow maximum_of_table(const ModuleContext& context);
Flow minimum_of_table(const ModuleContext& context);
Flow join_table(const ModuleContext& context);
Flow select_table(const ModuleContext& context);
Flow flatten_table(const ModuleContext& context);
/// Concat of the outputs of a container's modules.
Flow joined(const ModuleContext& context, std::span<const Flow> parts, std::int64_t axis);

}  // namespace convscope::readers::torch7
