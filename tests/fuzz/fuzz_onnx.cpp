// Any bytes as an ONNX model, binary or text, and as a tensor file: a graph that holds together, or an error.

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "core/readers/onnx/onnx.h"
#include "tests/fuzz/require.h"

using convscope::Diagnostics;
using convscope::MappedFile;
using convscope::fuzz::require;
using convscope::network::Constant;
using convscope::network::Graph;

namespace {

// Readers take mapped files; this one is in memory.
std::optional<MappedFile> mapped(const std::uint8_t* data, std::size_t size) {
  const int file = ::memfd_create("fuzz", MFD_CLOEXEC);
  require(file >= 0 && ::write(file, data, size) == static_cast<ssize_t>(size), "a file in memory");
  Diagnostics diagnostics;
  auto result = MappedFile::open("/proc/self/fd/" + std::to_string(file), diagnostics);
  ::close(file);
  return result;
}

// Reads every byte, so that the address sanitizer sees values that outlive what owns them.
void check_constant(const Constant& constant) {
  volatile unsigned sum = 0;
  for (const std::byte byte : constant.bytes) sum = sum + std::to_integer<unsigned>(byte);
  const convscope::network::TensorShape shape{true, constant.dimensions, {}};
  const auto elements = shape.elements();
  require(elements.has_value(), "a shape that can be counted");
  const int bits = convscope::network::element_bits(constant.type);
  const auto size = (static_cast<std::uint64_t>(*elements) * static_cast<unsigned>(bits) + 7) / 8;
  require(constant.bytes.empty() || bits == 0 || constant.bytes.size() == size, "values of the shape");
  require(bits == 0 || constant.bytes.empty() || constant.floats(1U << 16).has_value() || *elements > 1 << 16,
          "values that can be converted");
}

void check_indices(const Graph& graph, const std::vector<int>& tensors, int least) {
  for (const int tensor : tensors)
    require(tensor >= least && tensor < static_cast<int>(graph.tensors.size()), "tensors that exist");
}

void check_order(const Graph& graph) {
  const std::vector<int> producers = graph.producers();
  for (std::size_t node = 0; node < graph.nodes.size(); ++node)
    for (const int input : graph.nodes[node].inputs)
      require(input < 0 || producers[static_cast<std::size_t>(input)] < static_cast<int>(node),
              "producers before users");
}

void check_graph(const Graph& graph) {
  std::set<std::string> names, tensors;
  for (const auto& node : graph.nodes) {
    require(!node.operator_name.empty() && names.insert(node.name).second, "an operator and a name of its own");
    check_indices(graph, node.inputs, -1);
    check_indices(graph, node.outputs, 0);
  }
  for (const auto& tensor : graph.tensors) {
    require(tensors.insert(tensor.name).second, "tensors with names of their own");
    if (tensor.constant) check_constant(*tensor.constant);
  }
  check_indices(graph, graph.inputs, 0);
  check_indices(graph, graph.outputs, 0);
  check_order(graph);
}

void check_model(const MappedFile& bytes) {
  Diagnostics diagnostics;
  std::optional<convscope::network::Network> network;
  {
    const MappedFile file = bytes;
    network = convscope::readers::read_onnx(file, "fuzz.onnx", diagnostics);
  }
  require(network.has_value() != diagnostics.has_errors(), "a network or an error");
  require(diagnostics.items().size() <= 200, "a bounded number of diagnostics");
  if (network) check_graph(*network->graph);
}

void check_tensor(const MappedFile& file) {
  Diagnostics diagnostics;
  std::string name;
  const auto tensor = convscope::readers::read_onnx_tensor(file, "fuzz.pb", diagnostics, &name);
  require(tensor.has_value() != diagnostics.has_errors(), "a tensor or an error");
  if (tensor) check_constant(*tensor);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = mapped(data, size);
  if (!file) return 0;
  convscope::readers::is_onnx(file->bytes());
  check_model(*file);
  check_tensor(*file);
  return 0;
}
