#include "core/readers/caffe/layers.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace convscope::readers::caffe {
namespace {

using network::Attributes;
using network::unknown_dimension;

std::string layer_element(const LayerContext& context) {
  return fmt::format("layer '{}'", context.name);
}

network::TensorShape open_shape() {
  return {};
}

/// The dimensions without ones at the front: what old models add to have four.
std::vector<std::int64_t> trimmed(const std::vector<std::int64_t>& dimensions) {
  auto first = std::find_if(dimensions.begin(), dimensions.end(), [](std::int64_t d) { return d != 1; });
  return {first, dimensions.end()};
}

/// Takes over what the model knows about unknown dimensions.
void complete(std::vector<std::int64_t>& dimensions, const ModelBlob& blob) {
  if (blob.dimensions.size() != dimensions.size()) return;
  for (std::size_t i = 0; i < dimensions.size(); ++i)
    if (dimensions[i] < 0) dimensions[i] = blob.dimensions[i];
}

}  // namespace

std::int64_t Blob::dimension(std::size_t axis) const {
  return shape && axis < shape->size() ? (*shape)[axis] : unknown_dimension;
}

void LayerContext::error(std::string what, std::string expected) const {
  report.error(line, layer_element(*this), std::move(what), std::move(expected));
}

void LayerContext::warning(std::string what) const {
  report.warning(line, layer_element(*this), std::move(what));
}

Blob LayerContext::node(const std::string& operator_name, std::vector<int> inputs, BlobShape shape,
                        Attributes attributes) const {
  const std::string top = tops.empty() ? name : tops.front();
  return {graph.node({operator_name, name, std::move(inputs), std::move(attributes), {}, line}, open_shape(), top),
          std::move(shape)};
}

Blob LayerContext::step(const std::string& suffix, const std::string& operator_name, std::vector<int> inputs,
                        BlobShape shape, Attributes attributes) const {
  return {graph.node({operator_name, name + "/" + suffix, std::move(inputs), std::move(attributes), {}, line}),
          std::move(shape)};
}

std::vector<Blob> LayerContext::opaque() const {
  std::vector<Blob> blobs;
  std::vector<int> inputs, outputs;
  for (const Blob& bottom : bottoms) inputs.push_back(bottom.tensor);
  for (const std::string& top : tops) {
    outputs.push_back(graph.tensor(top));
    blobs.push_back({outputs.back(), std::nullopt});
  }
  graph.node_to({type, name, std::move(inputs), {}, "caffe", line}, std::move(outputs));
  return blobs;
}

int LayerContext::weight(std::size_t index, const std::string& suffix, std::vector<std::int64_t> dimensions) const {
  const ModelBlob* blob = model != nullptr && index < model->size() ? &(*model)[index] : nullptr;
  if (blob != nullptr) complete(dimensions, *blob);
  const int tensor =
      graph.constant(name + "/" + suffix, dimensions, line, blob ? blob->type : network::ElementType::float32);
  network::Constant* constant = graph.constant_of(tensor);
  if (model == nullptr || constant == nullptr) return tensor;
  if (blob == nullptr || blob->bytes.empty() || trimmed(blob->dimensions) != trimmed(dimensions)) {
    warning(fmt::format("its {} are {}{} in the model, {} in the network; they are left out", suffix,
                        blob == nullptr ? "missing" : fmt::format("{}", fmt::join(blob->dimensions, " x ")),
                        blob != nullptr && blob->bytes.empty() ? " with another number of values" : "",
                        fmt::join(dimensions, " x ")));
    return tensor;
  }
  constant->bytes = blob->bytes;
  constant->owner = blob->owner;
  return tensor;
}

int LayerContext::list(const std::string& suffix, const std::vector<std::int64_t>& values) const {
  return graph.integers(name + "/" + suffix, values);
}

int LayerContext::scalar(const std::string& suffix, double value) const {
  return graph.floats(name + "/" + suffix, {}, {static_cast<float>(value)});
}

std::size_t LayerContext::axis(std::int64_t axis) const {
  const auto rank = static_cast<std::int64_t>(bottom().shape ? bottom().shape->size() : 4);
  const std::int64_t absolute = axis < 0 ? axis + rank : axis;
  if (absolute >= 0 && absolute < rank) return static_cast<std::size_t>(absolute);
  error(fmt::format("axis {} of {} does not exist", axis, rank));
  return 0;
}

namespace {

std::vector<Blob> plain(const LayerContext& context, const std::string& operator_name) {
  return {context.node(operator_name, {context.bottom().tensor}, context.bottom().shape)};
}

std::vector<Blob> sigmoid(const LayerContext& context) {
  return plain(context, "Sigmoid");
}
std::vector<Blob> hyperbolic_tangent(const LayerContext& context) {
  return plain(context, "Tanh");
}
std::vector<Blob> absolute_value(const LayerContext& context) {
  return plain(context, "Abs");
}
std::vector<Blob> softplus(const LayerContext& context) {
  return plain(context, "Softplus");
}
std::vector<Blob> unknown(const LayerContext& context) {
  return context.opaque();
}

const std::map<std::string, Translation>& translations() {
  static const std::map<std::string, Translation> table{{"Convolution", convolution},
                                                        {"ConvolutionDepthwise", depthwise_convolution},
                                                        {"DepthwiseConvolution", depthwise_convolution},
                                                        {"Deconvolution", deconvolution},
                                                        {"Pooling", pooling},
                                                        {"InnerProduct", inner_product},
                                                        {"BatchNorm", batch_norm},
                                                        {"Scale", scale},
                                                        {"Bias", bias},
                                                        {"PReLU", prelu},
                                                        {"ReLU", relu},
                                                        {"ReLU6", relu6},
                                                        {"ELU", elu},
                                                        {"Power", power},
                                                        {"Sigmoid", sigmoid},
                                                        {"TanH", hyperbolic_tangent},
                                                        {"AbsVal", absolute_value},
                                                        {"BNLL", softplus},
                                                        {"Eltwise", eltwise},
                                                        {"LRN", lrn},
                                                        {"Dropout", dropout},
                                                        {"Softmax", softmax},
                                                        {"Concat", concat},
                                                        {"Slice", slice},
                                                        {"Split", split},
                                                        {"Reshape", reshape},
                                                        {"Flatten", flatten},
                                                        {"Permute", permute},
                                                        {"Interp", interpolation},
                                                        {"Upsample", upsample},
                                                        {"Crop", crop},
                                                        {"ShuffleChannel", shuffle_channels}};
  return table;
}

}  // namespace

std::vector<Blob> translate(const LayerContext& context) {
  const auto known = translations().find(context.type);
  std::vector<Blob> blobs = known == translations().end() ? unknown(context) : known->second(context);
  if (blobs.size() != context.tops.size() && !context.report.any_error())
    context.error(fmt::format("it has {} tops", context.tops.size()), fmt::format("{}", blobs.size()));
  blobs.resize(context.tops.size());
  for (Blob& blob : blobs) {
    if (!blob.shape) continue;
    if (is_bounded(*blob.shape)) continue;
    context.error(fmt::format("its output is {}", fmt::join(*blob.shape, " x ")),
                  fmt::format("at most {} elements", network::element_cap));
    blob.shape.reset();
  }
  return blobs;
}

}  // namespace convscope::readers::caffe
