#include "ui/words/layer_facts.h"

#include <QStringList>

#include "core/base/integers.h"
#include "core/base/quantity.h"
#include "ui/words/text.h"

namespace convscope::ui {
namespace {

const network::Node* node_of(const network::Network& network, int layer) {
  const int node = network.layers[at(layer)].node;
  if (!network.graph || node < 0 || at(node) >= network.graph->nodes.size()) return nullptr;
  return &network.graph->nodes[at(node)];
}

const network::Tensor& tensor_of(const network::Network& network, int tensor) {
  return network.whole_graph()->tensors[at(tensor)];
}

bool is_real(network::ElementType type) {
  using network::ElementType;
  return type == ElementType::float32 || type == ElementType::float16 || type == ElementType::bfloat16 ||
         type == ElementType::float64;
}

}  // namespace

QString shape_text(const network::TensorShape& shape) {
  if (!shape.known) return QStringLiteral("unknown");
  if (shape.dimensions.empty()) return QStringLiteral("scalar");
  QStringList parts;
  for (std::size_t i = 0; i < shape.dimensions.size(); ++i) {
    const bool named = i < shape.symbols.size() && !shape.symbols[i].empty();
    if (shape.dimensions[i] >= 0) {
      parts << QString::number(shape.dimensions[i]);
    } else {
      parts << (named ? to_text(shape.symbols[i]) : QStringLiteral("?"));
    }
  }
  return parts.join(QStringLiteral(" x "));
}

QString sizes_text(const std::vector<int>& sizes) {
  QStringList parts;
  for (const int size : sizes) parts << QString::number(size);
  return parts.join(QStringLiteral(" x "));
}

QString output_shape_text(const network::Network& network, int layer) {
  const network::Node* node = node_of(network, layer);
  if (!node) return sizes_text(network.layers[at(layer)].out_dimensions());
  if (node->outputs.empty() || node->outputs[0] < 0) return QStringLiteral("unknown");
  return shape_text(tensor_of(network, node->outputs[0]).shape);
}

QString input_shape_text(const network::Network& network, int layer) {
  const network::Node* node = node_of(network, layer);
  if (!node) return sizes_text(network.layers[at(layer)].in_dimensions());
  QStringList shapes;
  for (const int input : node->inputs) {
    if (input >= 0 && !tensor_of(network, input).constant) shapes << shape_text(tensor_of(network, input).shape);
  }
  return shapes.join(QStringLiteral(", "));
}

std::int64_t parameter_count(const network::Network& network, int layer) {
  const network::Layer& described = network.layers[at(layer)];
  if (described.connections() > 0) return described.coefficients();
  const network::Node* node = node_of(network, layer);
  if (!node) return 0;
  std::int64_t count = 0;
  for (const int input : node->inputs) {
    if (input < 0) continue;
    const network::Tensor& tensor = network.graph->tensors[at(input)];
    if (tensor.constant && is_real(tensor.type) && !tensor.shape.dimensions.empty())
      count += tensor.shape.elements().value_or(0);
  }
  return count;
}

std::optional<std::int64_t> output_bytes(const network::Network& network, int layer) {
  const network::Node* node = node_of(network, layer);
  if (!node) return std::nullopt;
  std::int64_t bytes = 0;
  for (const int output : node->outputs) {
    if (output < 0) continue;
    const network::Tensor& tensor = tensor_of(network, output);
    const auto elements = tensor.shape.elements();
    const int bits = network::element_bits(tensor.type);
    if (!elements || bits == 0) return std::nullopt;
    bytes += (*elements * bits + 7) / 8;
  }
  return bytes;
}

QString compact(std::int64_t value) {
  return QString::fromStdString(format_quantity({static_cast<double>(value), "", Origin::derived}));
}

}  // namespace convscope::ui
