#include "core/readers/caffe/structure.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace convscope::readers::caffe {
namespace {

using Integers = std::vector<std::int64_t>;

constexpr std::size_t layer_cap = 100'000;

/// Enumeration V1LayerParameter.LayerType of caffe.proto as types of version 2.
std::string modern_type(const std::string& type) {
  static const std::map<std::string, std::string> types{{"ABSVAL", "AbsVal"},
                                                        {"ACCURACY", "Accuracy"},
                                                        {"ARGMAX", "ArgMax"},
                                                        {"BNLL", "BNLL"},
                                                        {"CONCAT", "Concat"},
                                                        {"CONTRASTIVE_LOSS", "ContrastiveLoss"},
                                                        {"CONVOLUTION", "Convolution"},
                                                        {"DATA", "Data"},
                                                        {"DECONVOLUTION", "Deconvolution"},
                                                        {"DROPOUT", "Dropout"},
                                                        {"DUMMY_DATA", "DummyData"},
                                                        {"ELTWISE", "Eltwise"},
                                                        {"EUCLIDEAN_LOSS", "EuclideanLoss"},
                                                        {"EXP", "Exp"},
                                                        {"FLATTEN", "Flatten"},
                                                        {"HDF5_DATA", "HDF5Data"},
                                                        {"HDF5_OUTPUT", "HDF5Output"},
                                                        {"HINGE_LOSS", "HingeLoss"},
                                                        {"IM2COL", "Im2col"},
                                                        {"IMAGE_DATA", "ImageData"},
                                                        {"INFOGAIN_LOSS", "InfogainLoss"},
                                                        {"INNER_PRODUCT", "InnerProduct"},
                                                        {"LRN", "LRN"},
                                                        {"MEMORY_DATA", "MemoryData"},
                                                        {"MULTINOMIAL_LOGISTIC_LOSS", "MultinomialLogisticLoss"},
                                                        {"MVN", "MVN"},
                                                        {"POOLING", "Pooling"},
                                                        {"POWER", "Power"},
                                                        {"RELU", "ReLU"},
                                                        {"SIGMOID", "Sigmoid"},
                                                        {"SIGMOID_CROSS_ENTROPY_LOSS", "SigmoidCrossEntropyLoss"},
                                                        {"SILENCE", "Silence"},
                                                        {"SLICE", "Slice"},
                                                        {"SOFTMAX", "Softmax"},
                                                        {"SOFTMAX_LOSS", "SoftmaxWithLoss"},
                                                        {"SPLIT", "Split"},
                                                        {"TANH", "TanH"},
                                                        {"THRESHOLD", "Threshold"},
                                                        {"WINDOW_DATA", "WindowData"}};
  const auto found = types.find(type);
  return found == types.end() ? type : found->second;
}

/// True if a NetStateRule holds for phase TEST, level 0, no stages (NetStateMeetsRule in net.cpp).
bool rule_holds(const Message& rule, const std::string& layer, Report& report) {
  const Fields fields(rule, layer, report);
  const std::string phase = fields.text("phase", "TEST");
  return (phase == "TEST" || phase == "1") && fields.integer("min_level", 0, -1 << 30, 1 << 30) <= 0 &&
         fields.integer("max_level", 0, -1 << 30, 1 << 30) >= 0 && !fields.has("stage");
}

bool included(const Message& layer, const std::string& element, Report& report) {
  const auto holds = [&](const Field* field) { return field->message && rule_holds(*field->message, element, report); };
  const auto includes = layer.all("include");
  const auto excludes = layer.all("exclude");
  if (!includes.empty()) return std::any_of(includes.begin(), includes.end(), holds);
  return std::none_of(excludes.begin(), excludes.end(), holds);
}

/// Marks layers whose first bottom nobody else reads. In-place layers give a name a new meaning, hence the versions.
void mark_only_consumers(std::vector<LayerEntry>& layers) {
  std::map<std::string, int> current;
  std::vector<int> uses;
  std::vector<int> first_bottom(layers.size(), -1);
  const auto version_of = [&](const std::string& name) {
    const auto [entry, added] = current.try_emplace(name, static_cast<int>(uses.size()));
    if (added) uses.push_back(0);
    return entry->second;
  };
  for (std::size_t i = 0; i < layers.size(); ++i) {
    for (const std::string& bottom : layers[i].bottoms) ++uses[static_cast<std::size_t>(version_of(bottom))];
    if (!layers[i].bottoms.empty()) first_bottom[i] = version_of(layers[i].bottoms.front());
    for (const std::string& top : layers[i].tops) {
      current[top] = static_cast<int>(uses.size());
      uses.push_back(0);
    }
  }
  for (std::size_t i = 0; i < layers.size(); ++i)
    layers[i].only_consumer = first_bottom[i] >= 0 && uses[static_cast<std::size_t>(first_bottom[i])] == 1;
}

}  // namespace

std::vector<LayerEntry> layers_for_test(const Message& root, Report& report) {
  std::vector<LayerEntry> layers;
  for (const Field& field : root.fields) {
    if ((field.name != "layer" && field.name != "layers") || !field.message) continue;
    const Fields fields(*field.message, "layer", report);
    LayerEntry entry{field.message.get(), fields.text("name"),    modern_type(fields.text("type")),
                     field.line,          fields.texts("bottom"), fields.texts("top")};
    if (field.message->find("layer") != nullptr) {
      report.error(field.line, {}, "the layer is of version 0", "version 1 or 2",
                   "upgrade_net_proto_text of Caffe brings it to version 2");
      return {};
    }
    const std::string element = fmt::format("layer '{}'", entry.name);
    if (entry.type.empty()) report.error(field.line, element, "the layer has no type");
    if (entry.name.empty()) entry.name = entry.tops.empty() ? entry.type : entry.tops.front();
    if (included(*field.message, element, report)) layers.push_back(std::move(entry));
    if (layers.size() > layer_cap) {
      report.error(field.line, {}, "the network has too many layers", fmt::format("at most {}", layer_cap));
      return {};
    }
  }
  mark_only_consumers(layers);
  return layers;
}

bool is_data_layer(const LayerEntry& layer) {
  static const std::vector<std::string> types{"Input",    "Data",       "ImageData",     "MemoryData",    "DummyData",
                                              "HDF5Data", "WindowData", "AnnotatedData", "DenseImageData"};
  return layer.bottoms.empty() && std::find(types.begin(), types.end(), layer.type) != types.end();
}

BlobShape data_shape(const LayerEntry& layer, std::size_t top, Report& report) {
  const Fields fields(*layer.message, fmt::format("layer '{}'", layer.name), report);
  for (const char* parameter : {"input_param", "dummy_data_param"}) {
    const auto shapes = layer.message->sub(parameter).all("shape");
    const std::size_t index = shapes.size() == 1 ? 0 : top;
    if (index < shapes.size() && shapes[index]->message)
      return Fields(*shapes[index]->message, fmt::format("layer '{}'", layer.name), report)
          .integers("dim", 1, largest_dimension);
  }
  const Fields memory = fields.sub("memory_data_param");
  const auto dimension = [](const Fields& from, const char* name) {
    return from.integer(name, -1, 1, largest_dimension);
  };
  if (memory.has("batch_size")) {
    if (top > 0) return Integers{dimension(memory, "batch_size")};
    return Integers{dimension(memory, "batch_size"), dimension(memory, "channels"), dimension(memory, "height"),
                    dimension(memory, "width")};
  }
  const Fields transform = fields.sub("transform_param");
  if (top > 0 || !transform.has("crop_size")) return std::nullopt;
  const std::int64_t size = dimension(transform, "crop_size");
  // One mean a map tells their number.
  const auto means = static_cast<std::int64_t>(transform.reals("mean_value").size());
  return Integers{network::unknown_dimension, means > 1 ? means : network::unknown_dimension, size, size};
}

}  // namespace convscope::readers::caffe
