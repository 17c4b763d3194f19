#pragma once
// What tests of readers ask graphs and files.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/mapped_file.h"
#include "core/network/graph.h"
#include "core/network/network.h"

namespace convscope::readers {

inline std::string model_path(const std::string& relative) {
  return std::string(CONVSCOPE_MODELS) + "/" + relative;
}

inline std::string own_model_path(const std::string& relative) {
  return std::string(CONVSCOPE_SOURCE_DIR) + "/tests/models/" + relative;
}

inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Files below a folder with an extension, sorted.
inline std::vector<std::string> files_below(const std::string& folder, const std::string& extension) {
  std::vector<std::string> found;
  std::error_code failure;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, failure))
    if (entry.path().extension() == extension) found.push_back(entry.path().string());
  std::sort(found.begin(), found.end());
  return found;
}

inline int count_nodes(const network::Graph& graph, const std::string& operator_name) {
  return static_cast<int>(std::count_if(graph.nodes.begin(), graph.nodes.end(), [&](const network::Node& node) {
    return node.operator_name == operator_name;
  }));
}

inline const network::Node& node_named(const network::Graph& graph, const std::string& name) {
  for (const network::Node& node : graph.nodes)
    if (node.name == name) return node;
  ADD_FAILURE() << "there is no node '" << name << "'";
  static const network::Node none;
  return none;
}

inline const network::Tensor& input_of(const network::Graph& graph, const network::Node& node, std::size_t position) {
  return graph.tensors.at(static_cast<std::size_t>(node.inputs.at(position)));
}

inline const network::Tensor& output_of(const network::Graph& graph, const network::Node& node) {
  return graph.tensors.at(static_cast<std::size_t>(node.outputs.at(0)));
}

/// What every graph of a reader fulfils: indices that exist, one producer a tensor, producers before consumers, unique
/// names, constants whose bytes fit their dimensions, inputs and outputs.
inline void expect_sound(const network::Graph& graph) {
  const auto tensors = static_cast<int>(graph.tensors.size());
  std::vector<bool> ready(graph.tensors.size(), false);
  std::map<std::string, int> names;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    const network::Tensor& tensor = graph.tensors[i];
    EXPECT_EQ(++names["tensor " + tensor.name], 1) << tensor.name;
    if (tensor.constant && tensor.constant->present() && !tensor.constant->fill) {
      std::int64_t count = 1;
      for (const std::int64_t dimension : tensor.constant->dimensions) count *= dimension;
      EXPECT_EQ(static_cast<std::int64_t>(tensor.constant->bytes.size()) * 8,
                count * network::element_bits(tensor.constant->type))
          << tensor.name;
    }
    ready[i] = tensor.constant != nullptr;
  }
  for (const network::Node& node : graph.nodes) {
    EXPECT_EQ(++names["node " + node.name], 1) << node.name;
    for (const int output : node.outputs) {
      ASSERT_TRUE(output >= 0 && output < tensors) << node.name;
      EXPECT_FALSE(ready[static_cast<std::size_t>(output)]) << node.name;
    }
    for (const int output : node.outputs) ready[static_cast<std::size_t>(output)] = true;
  }
  std::vector<bool> produced(graph.tensors.size(), false);
  std::vector<int> producers = graph.producers();
  for (const network::Node& node : graph.nodes) {
    for (const int input : node.inputs) {
      ASSERT_LT(input, tensors) << node.name;
      if (input < 0 || producers[static_cast<std::size_t>(input)] < 0) continue;
      EXPECT_TRUE(produced[static_cast<std::size_t>(input)]) << node.name;
    }
    for (const int output : node.outputs) produced[static_cast<std::size_t>(output)] = true;
  }
  EXPECT_FALSE(graph.inputs.empty());
  EXPECT_FALSE(graph.outputs.empty());
}

}  // namespace convscope::readers

/// Skips a test of real files where the models folder is absent.
#define CONVSCOPE_NEEDS_MODELS(folder)                                                                     \
  if (!std::filesystem::is_directory(convscope::readers::model_path(folder))) {                            \
    GTEST_SKIP() << "the folder of real network files is absent: " << CONVSCOPE_MODELS << "/" << (folder); \
  }
