#include "core/readers/caffe/caffe.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/readers/caffe/layers.h"
#include "core/readers/caffe/structure.h"

namespace convscope::readers {
namespace {

using namespace caffe;
using Integers = std::vector<std::int64_t>;

constexpr const char* format_id = "caffe";

class NetworkBuilder {
 public:
  NetworkBuilder(const Message& root, const ModelBlobs* model, Report& report)
      : root_(root), model_(model), report_(report), graph_(report) {}

  std::shared_ptr<const network::Graph> build() {
    read_inputs();
    const std::vector<LayerEntry> layers = layers_for_test(root_, report_);
    if (layers.empty() && !report_.any_error()) report_.error(1, {}, "the network has no layers for phase TEST");
    for (const LayerEntry& layer : layers) read_layer(layer);
    if (graph_.graph().inputs.empty() && !report_.any_error())
      report_.error(1, {}, "the network has no input for phase TEST", "an Input layer, `input`, or a data layer");
    return report_.any_error() ? nullptr : graph_.finish();
  }

 private:
  /// `input` with `input_shape`, or with four `input_dim`.
  void read_inputs() {
    const Fields fields(root_, "input", report_);
    const std::vector<std::string> names = fields.texts("input");
    const Integers dimensions = fields.integers("input_dim", 1, largest_dimension);
    const std::vector<const Field*> shapes = root_.all("input_shape");
    for (std::size_t i = 0; i < names.size(); ++i) {
      BlobShape shape;
      if (i < shapes.size() && shapes[i]->message) {
        shape = dimensions_of(*shapes[i]->message, names[i]);
      } else if (dimensions.size() >= 4 * (i + 1)) {
        const auto first = dimensions.begin() + static_cast<std::ptrdiff_t>(4 * i);
        shape = Integers(first, first + 4);
      }
      add_input(names[i], shape, 1);
    }
  }

  Integers dimensions_of(const Message& shape, const std::string& input) {
    return Fields(shape, fmt::format("input '{}'", input), report_).integers("dim", 1, largest_dimension);
  }

  void add_input(const std::string& name, BlobShape shape, int line) {
    const std::string element = fmt::format("input '{}'", name);
    if (!shape) report_.warning(line, element, "its shape is not stated", "input_shape");
    const bool open = shape && std::count(shape->begin(), shape->end(), network::unknown_dimension) > 0;
    if (shape && !open && !element_count(*shape))
      report_.error(line, element, fmt::format("its size is {}", fmt::join(*shape, " x ")),
                    fmt::format("at most {} elements", network::element_cap));
    network::TensorShape declared;
    if (shape) declared = {true, *shape, {}};
    blobs_[name] = {graph_.input(name, declared), std::move(shape)};
  }

  void read_layer(const LayerEntry& layer) {
    const std::string element = fmt::format("layer '{}'", layer.name);
    const Fields fields(*layer.message, element, report_);
    if (is_data_layer(layer)) return read_data(layer);
    std::vector<Blob> bottoms;
    for (const std::string& name : layer.bottoms) {
      const auto found = blobs_.find(name);
      if (found == blobs_.end()) {
        report_.error(layer.line, element, fmt::format("no earlier layer has the top '{}'", name));
        for (const std::string& top : layer.tops) blobs_[top] = {};
        return;
      }
      bottoms.push_back(found->second);
    }
    if (bottoms.empty()) {
      report_.error(layer.line, element, fmt::format("a layer of type '{}' has no bottoms", layer.type));
      return;
    }
    const LayerContext context{layer.name,     layer.type,          layer.line, fields,  std::move(bottoms),
                               layer.tops,     layer.only_consumer, graph_,     report_, model_of(layer.name),
                               normalizations_};
    const std::vector<Blob> made = layer.type == "Silence" ? std::vector<Blob>{} : translate(context);
    for (std::size_t i = 0; i < made.size(); ++i) blobs_[layer.tops[i]] = made[i];
  }

  const std::vector<ModelBlob>* model_of(const std::string& layer) const {
    static const std::vector<ModelBlob> none;
    if (model_ == nullptr) return nullptr;
    const auto found = model_->find(layer);
    return found == model_->end() ? &none : &found->second;
  }

  void read_data(const LayerEntry& layer) {
    for (std::size_t i = 0; i < layer.tops.size(); ++i)
      add_input(layer.tops[i], data_shape(layer, i, report_), layer.line);
  }

  const Message& root_;
  const ModelBlobs* model_;
  Report& report_;
  GraphBuilder graph_;
  std::map<std::string, Blob> blobs_;
  std::map<int, std::size_t> normalizations_;
};

}  // namespace

bool is_caffe(std::string_view head) {
  constexpr std::size_t looked_at = std::size_t{1} << 20;
  return has_message(head, {"layer", "layers"}, looked_at);
}

std::optional<network::Network> read_caffe_text(std::string_view text, const std::string& path, std::string_view model,
                                                std::shared_ptr<const void> owner, Diagnostics& diagnostics) {
  Report report(path, diagnostics);
  const auto root = parse_text(text, report);
  if (!root) return std::nullopt;
  ModelBlobs blobs;
  if (!model.empty()) blobs = read_model(model, std::move(owner), report);
  network::Network network;
  network.graph = NetworkBuilder(*root, model.empty() ? nullptr : &blobs, report).build();
  if (!network.graph) return std::nullopt;
  if (model.empty())
    report.note(0, "weights", "there is no .caffemodel of the same name: weights have shapes, but no values");
  network.name = Fields(*root, "name", report).text("name", stem_of(path));
  network.source_file = path;
  network.format = format_id;
  return network;
}

std::optional<network::Network> read_caffe(const MappedFile& file, const std::string& path, Diagnostics& diagnostics) {
  const std::string beside = companion(path, ".caffemodel");
  std::optional<MappedFile> model;
  if (!beside.empty()) model = MappedFile::open(beside, diagnostics);
  return read_caffe_text(file.bytes(), path, model ? model->bytes() : std::string_view(),
                         model ? model->owner() : nullptr, diagnostics);
}

}  // namespace convscope::readers
