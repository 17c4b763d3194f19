#include "tests/made/networks.h"

#include <fstream>
#include <initializer_list>
#include <random>
#include <vector>

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

namespace convscope::made {
namespace {

using Dimensions = std::vector<std::int64_t>;

/// A graph under construction; every call adds a node and returns its output's name.
class Maker {
 public:
  explicit Maker(const std::string& name, const Dimensions& input, WeightForm form = WeightForm::raw) : form_(form) {
    model_.set_ir_version(8);
    model_.add_opset_import()->set_version(13);
    graph().set_name(name);
    auto* value = graph().add_input();
    value->set_name("data");
    auto* type = value->mutable_type()->mutable_tensor_type();
    type->set_elem_type(onnx::TensorProto::FLOAT);
    for (const auto dimension : input) type->mutable_shape()->add_dim()->set_dim_value(dimension);
  }

  std::string convolution(const std::string& in, int maps_in, int maps_out, int kernel, int stride) {
    auto& made = node("Conv", {in, weights("conv", {maps_out, maps_in, kernel, kernel})});
    integers(made, "kernel_shape", {kernel, kernel});
    integers(made, "strides", {stride, stride});
    const int pad = kernel / 2;
    integers(made, "pads", {pad, pad, pad, pad});
    return made.output(0);
  }
  std::string normalize_and_clamp(const std::string& in, int maps) {
    std::vector<std::string> inputs{in};
    for (const char* part : {"scale", "bias", "mean", "variance"}) inputs.push_back(weights(part, {maps}));
    return node("Relu", {node("BatchNormalization", inputs).output(0)}).output(0);
  }
  std::string pool(const std::string& kind, const std::string& in, int kernel, int pad) {
    auto& made = node(kind, {in});
    integers(made, "kernel_shape", {kernel, kernel});
    integers(made, "strides", {2, 2});
    integers(made, "pads", {pad, pad, pad, pad});
    return made.output(0);
  }
  std::string concatenation(const std::vector<std::string>& parts) {
    auto& made = node("Concat", parts);
    auto* axis = made.add_attribute();
    axis->set_name("axis");
    axis->set_type(onnx::AttributeProto::INT);
    axis->set_i(1);
    return made.output(0);
  }
  std::string classifier(const std::string& in, int maps, int classes) {
    const std::string flat = node("Flatten", {node("GlobalAveragePool", {in}).output(0)}).output(0);
    return node("Gemm", {flat, weights("fc", {maps, classes}), weights("fc_bias", {classes})}).output(0);
  }
  std::string sum(const std::string& a, const std::string& b) { return node("Add", {a, b}).output(0); }
  int operators() const { return model_.graph().node_size(); }
  std::string clamp(const std::string& in) { return node("Relu", {in}).output(0); }

  void write(const std::string& path, const std::string& output) {
    graph().add_output()->set_name(output);
    std::ofstream file(path, std::ios::binary);
    model_.SerializeToOstream(&file);
  }

 private:
  /// As trained weights look to whatever searches a file: every byte may come.
  std::string random_bytes(std::size_t count) {
    std::string bytes(count, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random_() >> 24);
    return bytes;
  }

  onnx::GraphProto& graph() { return *model_.mutable_graph(); }

  onnx::NodeProto& node(const std::string& kind, const std::vector<std::string>& inputs) {
    auto& made = *graph().add_node();
    made.set_name(fmt::format("{}_{}", kind, graph().node_size()));
    made.set_op_type(kind);
    for (const auto& input : inputs) made.add_input(input);
    made.add_output(made.name() + "_out");
    return made;
  }

  static void integers(onnx::NodeProto& made, const char* name, const Dimensions& values) {
    auto* attribute = made.add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto::INTS);
    for (const auto value : values) attribute->add_ints(value);
  }

  std::string weights(const std::string& kind, const Dimensions& dimensions) {
    auto& tensor = *graph().add_initializer();
    tensor.set_name(fmt::format("{}_{}", kind, graph().initializer_size()));
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    std::int64_t count = 1;
    for (const auto dimension : dimensions) {
      tensor.add_dims(dimension);
      count *= dimension;
    }
    if (form_ == WeightForm::raw) {
      tensor.set_raw_data(random_bytes(static_cast<std::size_t>(count) * sizeof(float)));
    } else {
      tensor.mutable_float_data()->Resize(static_cast<int>(count), 0.01F);
    }
    return tensor.name();
  }

  onnx::ModelProto model_;
  WeightForm form_;
  std::mt19937 random_{1};
};

}  // namespace

void write_densenet121(const std::string& path) {
  constexpr int growth = 32, bottleneck = 4 * growth;
  Maker maker("densenet121", {1, 3, 224, 224});
  int maps = 64;
  std::string last = maker.normalize_and_clamp(maker.convolution("data", 3, maps, 7, 2), maps);
  last = maker.pool("MaxPool", last, 3, 1);
  for (const int layers : {6, 12, 24, 16}) {
    std::vector<std::string> features{last};
    for (int layer = 0; layer < layers; ++layer, maps += growth) {
      const std::string in = features.size() == 1 ? last : maker.concatenation(features);
      const std::string narrow = maker.convolution(maker.normalize_and_clamp(in, maps), maps, bottleneck, 1, 1);
      features.push_back(maker.convolution(maker.normalize_and_clamp(narrow, bottleneck), bottleneck, growth, 3, 1));
    }
    last = maker.normalize_and_clamp(maker.concatenation(features), maps);
    if (layers == 16) break;
    last = maker.pool("AveragePool", maker.convolution(last, maps, maps / 2, 1, 1), 2, 0);
    maps /= 2;
  }
  maker.write(path, maker.classifier(last, maps, 1000));
}

void write_heavy_chain(const std::string& path, WeightForm form) {
  constexpr int maps = 512, layers = 11;
  Maker maker("heavy chain", {1, maps, 14, 14}, form);
  std::string last = "data";
  for (int layer = 0; layer < layers; ++layer) last = maker.clamp(maker.convolution(last, maps, maps, 3, 1));
  maker.write(path, last);
}

void write_residual_chain(const std::string& path, int operators) {
  constexpr int maps = 4, in_a_block = 5;
  Maker maker("residual chain", {1, maps, 28, 28});
  std::string last = "data";
  while (maker.operators() + in_a_block <= operators) {
    const std::string inner = maker.clamp(maker.convolution(last, maps, maps, 3, 1));
    last = maker.clamp(maker.sum(last, maker.convolution(inner, maps, maps, 1, 1)));
  }
  maker.write(path, last);
}

}  // namespace convscope::made
