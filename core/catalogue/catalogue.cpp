#include "core/catalogue/catalogue.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/network/graph.h"
#include "core/network/shape_inference.h"
#include "core/quantization/fold_operators.h"
#include "core/readers/common/report.h"

namespace convscope::catalogue {
namespace {

std::string format_titles(const std::vector<Reader>& readers) {
  std::string titles;
  for (const Reader& reader : readers) titles += (titles.empty() ? "" : ", ") + reader.format.title;
  return titles;
}

/// What to do about a file of no known format. Weights have no magic number: their usual endings give them away.
std::string advice(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".caffemodel") return "these are weights; open the .prototxt beside it, which finds them";
  if (ending == ".weights") return "these are weights; open the .cfg beside it, which finds them";
  return "`convscope-cli formats` lists what can be read";
}

/// The reader of a network that is spelled out instead of a file's name; null if it is one.
const Reader* reader_of_argument(const std::vector<Reader>& readers, const std::string& argument) {
  std::error_code ignored;
  if (std::filesystem::exists(argument, ignored)) return nullptr;
  const auto reader = std::find_if(readers.begin(), readers.end(), [&](const Reader& r) {
    return r.read_argument != nullptr && r.recognizes(argument);
  });
  return reader == readers.end() ? nullptr : &*reader;
}

/// What the file says; a format with operators has no shapes and layers yet.
std::optional<network::Network> read_operators(const std::vector<Reader>& readers, const std::string& path,
                                               Diagnostics& diagnostics) {
  if (const Reader* spelled = reader_of_argument(readers, path)) return spelled->read_argument(path, path, diagnostics);
  const std::optional<MappedFile> file = MappedFile::open(path, diagnostics);
  if (!file) return std::nullopt;
  const auto reader =
      std::find_if(readers.begin(), readers.end(), [&](const Reader& r) { return r.recognizes(file->bytes()); });
  if (reader == readers.end()) {
    diagnostics.error({path, 0, {}}, "the file's format is not known", format_titles(readers), advice(path));
    return std::nullopt;
  }
  auto network = reader->read(*file, path, diagnostics);
  // Published figures without a network belong to none, so to none without a name either.
  if (network && network->name.empty()) network->name = readers::stem_of(path);
  return network;
}

/// Shapes, and in place of operators that quantize what they stand for.
void shape(network::Network& network, const network::InputSizes& sizes, Diagnostics& diagnostics) {
  const std::shared_ptr<const network::Graph> stated = network.graph;
  Diagnostics found;
  network::set_shapes(network, sizes, found);
  auto folded = quantization::fold_operators(*network.graph, network.source_file, diagnostics);
  if (!folded) return diagnostics.append(found);
  // As stated, as a batch may be.
  for (std::size_t i = 0; i < stated->tensors.size(); ++i) folded->tensors[i].shape = stated->tensors[i].shape;
  network.quantized_graph = std::exchange(network.graph, std::make_shared<const network::Graph>(*std::move(folded)));
  network::set_shapes(network, sizes, diagnostics);
}

}  // namespace

std::shared_ptr<const target::Target> Catalogue::find_target(std::string_view id) const {
  for (const auto& target : targets)
    if (target->id() == id) return target;
  return nullptr;
}

std::optional<network::Network> Catalogue::read_network(const std::string& path, Diagnostics& diagnostics,
                                                        const std::optional<network::InputSizes>& sizes) const {
  std::optional<network::Network> network = read_operators(readers, path, diagnostics);
  if (!network) return std::nullopt;
  if (network->graph) {
    shape(*network, sizes.value_or(network::InputSizes{network::stated_batch, {}, {}}), diagnostics);
  } else if (sizes) {
    diagnostics.error({path, 0, {}}, "this format states all its sizes", "no batch and no input size",
                      "leave --batch and --input-size out, or edit the file");
    return std::nullopt;
  }
  return network;
}

std::optional<network::Network> Catalogue::read_network_choosing(const std::string& path, Diagnostics& diagnostics,
                                                                 const ChooseSizes& choose) const {
  std::optional<network::Network> network = read_operators(readers, path, diagnostics);
  if (network && network->graph) shape(*network, choose(*network), diagnostics);
  return network;
}

}  // namespace convscope::catalogue
