#pragma once
// From elements to nodes.

#include <string>
#include <vector>

#include "core/readers/common/graph_builder.h"
#include "core/readers/common/maps.h"
#include "core/readers/layer_list/element.h"

namespace convscope::readers::layer_list {

/// What a layer computes.
struct Output {
  int tensor = -1;
  Maps maps;
  bool flat = false;  ///< (batch, maps)

  network::TensorShape shape() const;
};

struct LayerContext {
  Element& element;
  std::vector<Output> inputs;  ///< at least one
  GraphBuilder& graph;

  const Output& in() const { return inputs.front(); }
  int node(const std::string& operator_name, std::vector<int> operands, const Output& output,
           network::Attributes attributes = {}, const std::string& suffix = {}) const;
  int weight(const std::string& suffix, std::vector<std::int64_t> dimensions) const;
};

/// The translation of an element, or null if there is no such element.
using Translation = Output (*)(const LayerContext&);
Translation translation_of(const std::string& type);
/// Names of all elements, for messages.
std::string element_names();

/// The activation that attribute `activation` of a layer asks for.
Output activate(const LayerContext& context, Output input);

Output convolution(const LayerContext& context);
Output depthwise_convolution(const LayerContext& context);
Output transposed_convolution(const LayerContext& context);
Output fully_connected(const LayerContext& context);
Output batch_normalization(const LayerContext& context);
Output max_pool(const LayerContext& context);
Output average_pool(const LayerContext& context);
Output global_max_pool(const LayerContext& context);
Output global_average_pool(const LayerContext& context);
Output addition(const LayerContext& context);
Output multiplication(const LayerContext& context);
Output concatenation(const LayerContext& context);
Output flattening(const LayerContext& context);
Output upsampling(const LayerContext& context);
Output slice(const LayerContext& context);
Output local_response_normalization(const LayerContext& context);

}  // namespace convscope::readers::layer_list
