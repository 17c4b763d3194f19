#pragma once
// From Caffe's layers to nodes.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/readers/caffe/model.h"
#include "core/readers/common/graph_builder.h"
#include "core/readers/common/maps.h"
#include "core/readers/common/protobuf_text.h"

namespace convscope::readers::caffe {

using namespace protobuf_text;

/// Dimensions, each unknown_dimension where unknown; nothing if not even their number is known.
using BlobShape = std::optional<std::vector<std::int64_t>>;

struct Blob {
  int tensor = -1;
  BlobShape shape;

  std::int64_t dimension(std::size_t axis) const;  ///< unknown_dimension beyond what is known
};

/// All that the translation of one layer may look at.
struct LayerContext {
  std::string name;
  std::string type;
  int line = 0;
  Fields fields;
  std::vector<Blob> bottoms;
  std::vector<std::string> tops;
  bool only_consumer = false;  ///< no other layer reads the first bottom
  GraphBuilder& graph;
  Report& report;
  const std::vector<ModelBlob>* model = nullptr;  ///< null without weights
  std::map<int, std::size_t>& normalizations;     ///< BatchNormalization nodes that may take a Scale, by their output

  const Blob& bottom() const { return bottoms.front(); }
  void error(std::string what, std::string expected = {}) const;
  void warning(std::string what) const;
  /// A node whose output is the first top.
  Blob node(const std::string& operator_name, std::vector<int> inputs, BlobShape shape,
            network::Attributes attributes = {}) const;
  /// A node before the layer's last one.
  Blob step(const std::string& suffix, const std::string& operator_name, std::vector<int> inputs, BlobShape shape,
            network::Attributes attributes = {}) const;
  /// The layer as an operator that ONNX doesn't have; shapes unknown.
  std::vector<Blob> opaque() const;
  /// Blob `index` of the model as a constant of the given dimensions, which it may complete where they are unknown.
  int weight(std::size_t index, const std::string& suffix, std::vector<std::int64_t> dimensions) const;
  int list(const std::string& suffix, const std::vector<std::int64_t>& values) const;
  int scalar(const std::string& suffix, double value) const;
  /// A non-negative axis; an error and 0 if the first bottom doesn't have it.
  std::size_t axis(std::int64_t axis) const;
};

using Translation = std::vector<Blob> (*)(const LayerContext&);

std::vector<Blob> convolution(const LayerContext& context);
std::vector<Blob> depthwise_convolution(const LayerContext& context);
std::vector<Blob> deconvolution(const LayerContext& context);
std::vector<Blob> pooling(const LayerContext& context);
std::vector<Blob> inner_product(const LayerContext& context);
std::vector<Blob> batch_norm(const LayerContext& context);
std::vector<Blob> scale(const LayerContext& context);
std::vector<Blob> bias(const LayerContext& context);
std::vector<Blob> prelu(const LayerContext& context);
std::vector<Blob> relu(const LayerContext& context);
std::vector<Blob> relu6(const LayerContext& context);
std::vector<Blob> elu(const LayerContext& context);
std::vector<Blob> power(const LayerContext& context);
std::vector<Blob> eltwise(const LayerContext& context);
std::vector<Blob> lrn(const LayerContext& context);
std::vector<Blob> dropout(const LayerContext& context);
std::vector<Blob> softmax(const LayerContext& context);
std::vector<Blob> concat(const LayerContext& context);
std::vector<Blob> slice(const LayerContext& context);
std::vector<Blob> split(const LayerContext& context);
std::vector<Blob> reshape(const LayerContext& context);
std::vector<Blob> flatten(const LayerContext& context);
std::vector<Blob> permute(const LayerContext& context);
std::vector<Blob> interpolation(const LayerContext& context);
std::vector<Blob> upsample(const LayerContext& context);
std::vector<Blob> crop(const LayerContext& context);
std::vector<Blob> shuffle_channels(const LayerContext& context);

/// One blob for each top of a layer. A layer without bottoms must not come here.
std::vector<Blob> translate(const LayerContext& context);

}  // namespace convscope::readers::caffe
