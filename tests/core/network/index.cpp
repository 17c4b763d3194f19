#include "tests/core/network/index.h"

#include <fstream>
#include <sstream>

#include "core/base/mapped_file.h"
#include "core/readers/onnx/onnx.h"

namespace convscope::network {
namespace {

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, '\t');) result.push_back(cell);
  return result;
}

}  // namespace

std::vector<IndexRow> read_index() {
  std::ifstream file(std::string(CONVSCOPE_MODELS) + "/INDEX.tsv");
  std::vector<IndexRow> rows;
  std::string line;
  if (!std::getline(file, line)) return rows;
  const std::vector<std::string> names = cells(line);
  while (std::getline(file, line)) {
    const std::vector<std::string> values = cells(line);
    IndexRow row;
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = i < values.size() ? values[i] : "";
    rows.push_back(std::move(row));
  }
  return rows;
}

std::optional<Network> load_onnx(const std::string& path, const InputSizes& sizes, Diagnostics& diagnostics) {
  const auto file = MappedFile::open(path, diagnostics);
  if (!file) return std::nullopt;
  auto network = readers::read_onnx(*file, path, diagnostics);
  if (!network || !network->graph) return std::nullopt;
  auto graph = std::make_shared<Graph>(*network->graph);
  infer_shapes(*graph, sizes, path, diagnostics);
  network->layers = layers_of(*graph);
  network->graph = std::move(graph);
  return network;
}

}  // namespace convscope::network
