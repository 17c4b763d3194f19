#pragma once
// From sections to nodes.

#include <string>
#include <vector>

#include "core/readers/common/graph_builder.h"
#include "core/readers/common/maps.h"
#include "core/readers/darknet/section.h"
#include "core/readers/darknet/weights.h"

namespace convscope::readers::darknet {

/// What a section computes.
struct Output {
  int tensor = -1;
  Maps maps;
  bool flat = false;  ///< (batch, maps): after a fully connected layer

  network::TensorShape shape() const;
};

/// All that the translation of one section may look at.
struct LayerContext {
  const Section& section;
  Options options;
  std::string name;  ///< "12 convolutional"
  Output in;
  const std::vector<Output>& earlier;  ///< outputs of all sections before, the input not counted
  GraphBuilder& graph;
  WeightOrder& weights;
  Report& report;
  bool transposed = false;  ///< of the weights file

  void error(std::string what, std::string expected = {}, std::string hint = {}) const;
  /// A node of this section with one output; `suffix` is added to its name.
  int node(const std::string& operator_name, std::vector<int> inputs, const Output& output,
           network::Attributes attributes = {}, const std::string& suffix = {}) const;
  /// A constant whose values stand next in the weights file.
  int weight(const std::string& suffix, std::vector<std::int64_t> dimensions) const;
  /// The section as an operator that ONNX doesn't have.
  Output opaque(std::vector<int> inputs, const Maps& maps) const;
  /// An earlier output, by index or, if negative, relative to this section; an error and an unknown one if there is
  /// none.
  Output output_of(std::int64_t index, const std::string& option) const;
  /// An output as (batch, maps, height, width).
  Output as_maps(Output output) const;
};

/// The node of an activation by Darknet's name; none for "linear".
Output activate(const LayerContext& context, Output input, const std::string& activation);

Output convolutional(const LayerContext& context);
Output deconvolutional(const LayerContext& context);
Output connected(const LayerContext& context);
Output batch_normalization(const LayerContext& context);
Output max_pool(const LayerContext& context);
Output local_average_pool(const LayerContext& context);
Output global_average_pool(const LayerContext& context);
Output route(const LayerContext& context);
Output shortcut(const LayerContext& context);
Output scale_channels(const LayerContext& context);
Output upsample(const LayerContext& context);
Output crop(const LayerContext& context);
Output reorganization(const LayerContext& context);
Output softmax(const LayerContext& context);
Output normalization(const LayerContext& context);
Output dropout(const LayerContext& context);
Output activation(const LayerContext& context);
Output same_shape(const LayerContext& context);  ///< yolo, region, detection, cost: opaque, sizes unchanged
Output other(const LayerContext& context);       ///< opaque, sizes unknown

/// The translation of a section by its name; `other` if Darknet has it but we don't, or nobody does.
Output translate(const LayerContext& context);

}  // namespace convscope::readers::darknet
