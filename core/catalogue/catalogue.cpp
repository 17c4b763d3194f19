#include "core/catalogue/catalogue.h"

#include <algorithm>
#include <filesystem>

#include "core/base/mapped_file.h"
#include "core/nmp/nmp_target.h"
#include "core/nve/nve_target.h"
#include "core/readers/caffe/caffe.h"
#include "core/readers/convnet_xml/convnet_xml.h"
#include "core/readers/darknet/darknet.h"
#include "core/readers/layer_list/layer_list.h"
#include "core/readers/onnx/onnx.h"
#include "core/readers/tflite/tflite.h"

namespace convscope::catalogue {
namespace {

/// One reader: what it is called, what it takes, how it reads. Readers of formats with operators leave a graph.
struct Reader {
  Format format;
  bool (*recognizes)(std::string_view content);
  std::optional<network::Network> (*read)(const MappedFile& file, const std::string& path, Diagnostics& diagnostics);
};

std::optional<network::Network> read_descriptor(const MappedFile& file, const std::string& path,
                                                Diagnostics& diagnostics) {
  return readers::read_convnet_xml(file.bytes(), path, diagnostics);
}

std::vector<Reader> readers() {
  return {{{"convnet-xml", "ConvNet descriptor (XML)", "*.xml"}, readers::is_convnet_xml, read_descriptor},
          {{"layer-list", "Layer list (XML)", "*.xml"}, readers::is_layer_list, readers::read_layer_list},
          {{"onnx", "ONNX model, binary or text", "*.onnx *.onnxtxt"}, readers::is_onnx, readers::read_onnx},
          {{"tflite", "TensorFlow Lite model", "*.tflite"}, readers::is_tflite, readers::read_tflite},
          {{"caffe", "Caffe definition", "*.prototxt"}, readers::is_caffe, readers::read_caffe},
          {{"darknet", "Darknet configuration", "*.cfg"}, readers::is_darknet, readers::read_darknet}};
}

void add_layers(network::Network& network, const network::InputSizes& sizes, Diagnostics& diagnostics) {
  auto graph = std::make_shared<network::Graph>(*network.graph);
  network::infer_shapes(*graph, sizes, network.source_file, diagnostics);
  network.layers = network::layers_of(*graph);
  network.graph = std::move(graph);
}

std::string format_titles() {
  std::string titles;
  for (const Format& format : formats()) titles += (titles.empty() ? "" : ", ") + format.title;
  return titles;
}

/// What to do about a file of no known format. Weights have no magic number: their usual endings give them away.
std::string advice(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".caffemodel") return "these are weights; open the .prototxt beside it, which finds them";
  if (ending == ".weights") return "these are weights; open the .cfg beside it, which finds them";
  return "`convscope-cli formats` lists what can be read";
}

/// What the file says; a format with operators has no shapes and layers yet.
std::optional<network::Network> read_operators(const std::string& path, Diagnostics& diagnostics) {
  const std::optional<MappedFile> file = MappedFile::open(path, diagnostics);
  if (!file) return std::nullopt;
  const std::vector<Reader> known = readers();
  const auto reader =
      std::find_if(known.begin(), known.end(), [&](const Reader& r) { return r.recognizes(file->bytes()); });
  if (reader == known.end()) {
    diagnostics.error({path, 0, {}}, "the file's format is not known", format_titles(), advice(path));
    return std::nullopt;
  }
  return reader->read(*file, path, diagnostics);
}

}  // namespace

std::vector<std::shared_ptr<const target::Target>> targets() {
  return {nve::make_nve_target(), nmp::make_nmp_target()};
}

std::shared_ptr<const target::Target> find_target(std::string_view id) {
  for (auto& target : targets())
    if (target->id() == id) return target;
  return nullptr;
}

std::vector<Format> formats() {
  std::vector<Format> found;
  for (const Reader& reader : readers()) found.push_back(reader.format);
  return found;
}

std::optional<network::Network> read_network(const std::string& path, Diagnostics& diagnostics,
                                             const std::optional<network::InputSizes>& sizes) {
  std::optional<network::Network> network = read_operators(path, diagnostics);
  if (!network) return std::nullopt;
  if (network->graph) {
    add_layers(*network, sizes.value_or(network::InputSizes{}), diagnostics);
  } else if (sizes) {
    diagnostics.error({path, 0, {}}, "this format states all its sizes", "no batch and no input size",
                      "leave --batch and --input-size out, or edit the file");
    return std::nullopt;
  }
  return network;
}

std::optional<network::Network> read_network_choosing(const std::string& path, Diagnostics& diagnostics,
                                                      const ChooseSizes& choose) {
  std::optional<network::Network> network = read_operators(path, diagnostics);
  if (network && network->graph) add_layers(*network, choose(*network), diagnostics);
  return network;
}

}  // namespace convscope::catalogue
