#include "ui/views/network_graph/network_graph_scene.h"

#include <QStringList>
#include <algorithm>
#include <sstream>

#include "ui/views/drawing.h"
#include "ui/views/layer_facts.h"

namespace convscope::ui {
namespace {

using Results = std::vector<std::shared_ptr<const target::CompiledLayer>>;

constexpr std::size_t most_readings = 8;  ///< layers of a box in a reading; more would not fit a screen

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

Results results_of(const Snapshot& snapshot, const network::Network& network) {
  Results results(network.layers.size());
  for (const auto& run : {snapshot.previous, snapshot.compiled}) {
    if (!run || run->network.get() != &network) continue;
    for (std::size_t i = 0; i < std::min(results.size(), run->layers.size()); ++i)
      if (run->layers[i]) results[i] = run->layers[i];
  }
  return results;
}

QString utilization_text(double ratio) {
  return QString::number(100 * ratio, 'f', 1) + QStringLiteral(" %");
}

/// "7 x 7 kernel, stride 2 x 2, 3 groups".
QString geometry_text(const network::Layer& layer) {
  if (layer.kernel.height == 0) return {};
  QString text = QStringLiteral("%1 x %2 kernel, stride %3 x %4")
                     .arg(layer.kernel.height)
                     .arg(layer.kernel.width)
                     .arg(layer.stride.height)
                     .arg(layer.stride.width);
  if (layer.dilation != network::Size{1, 1})
    text += QStringLiteral(", dilation %1 x %2").arg(layer.dilation.height).arg(layer.dilation.width);
  if (layer.groups != 1) text += QStringLiteral(", %1 groups").arg(layer.groups);
  return text;
}

}  // namespace

NetworkGraphScene::NetworkGraphScene(std::shared_ptr<const NetworkDrawing> drawing, const Snapshot& snapshot)
    : drawing_(std::move(drawing)), results_(results_of(snapshot, drawing_->network())) {}

const target::CompiledLayer* NetworkGraphScene::result(int layer) const {
  return layer < 0 || at(layer) >= results_.size() ? nullptr : results_[at(layer)].get();
}

BoxState NetworkGraphScene::state(int box) const {
  const NetworkBox& content = drawing_->content().boxes[at(box)];
  if (content.layers.empty()) return BoxState::mapped;
  bool any_unmapped = false, any_unknown = false, main_unmapped = false;
  for (const int layer : content.layers) {
    const target::CompiledLayer* compiled = result(layer);
    any_unknown = any_unknown || !compiled;
    const bool unmapped = compiled && !compiled->mapped();
    any_unmapped = any_unmapped || unmapped;
    if (unmapped && (layer == content.main || drawing_->network().layers[at(layer)].macs() > 0)) main_unmapped = true;
  }
  if (main_unmapped) return BoxState::unmapped;
  if (any_unknown) return BoxState::unknown;
  return any_unmapped ? BoxState::partly : BoxState::mapped;
}

QString NetworkGraphScene::title(int box) const {
  const NetworkBox& content = drawing_->content().boxes[at(box)];
  if (content.main >= 0) return to_text(drawing_->network().layers[at(content.main)].name);
  return to_text(drawing_->network().graph->tensors[at(content.tensor)].name);
}

QString NetworkGraphScene::operators(int box) const {
  const NetworkBox& content = drawing_->content().boxes[at(box)];
  if (content.role == NetworkBox::Role::input) return QStringLiteral("input of the network");
  if (content.role == NetworkBox::Role::output) return QStringLiteral("output of the network");
  QStringList names;
  for (const int layer : content.layers) names << to_text(drawing_->network().layers[at(layer)].operator_name);
  return names.join(QStringLiteral(" + "));
}

QString NetworkGraphScene::shape(int box) const {
  const NetworkBox& content = drawing_->content().boxes[at(box)];
  if (content.layers.empty()) return shape_text(drawing_->network().graph->tensors[at(content.tensor)].shape);
  return output_shape_text(drawing_->network(), content.layers.back());
}

QString NetworkGraphScene::figures(int box) const {
  std::int64_t macs = 0;
  double cycles = 0;
  const target::CompiledLayer* main = nullptr;
  const NetworkBox& content = drawing_->content().boxes[at(box)];
  for (const int layer : content.layers) {
    macs += drawing_->network().layers[at(layer)].macs();
    const target::CompiledLayer* compiled = result(layer);
    if (!compiled || !compiled->mapped()) continue;
    cycles += compiled->metrics().cycles.value;
    if (layer == content.main) main = compiled;
  }
  QStringList parts;
  if (macs > 0) parts << compact(macs) + QStringLiteral(" MACs");
  if (cycles > 0) parts << compact(static_cast<std::int64_t>(cycles)) + QStringLiteral(" cycles");
  if (main && cycles > 0) parts << utilization_text(main->metrics().utilization.value);
  if (state(box) == BoxState::unmapped) parts << QStringLiteral("not mapped");
  return parts.join(QStringLiteral(" · "));
}

QString NetworkGraphScene::layer_reading(int layer) const {
  const network::Network& network = drawing_->network();
  const network::Layer& described = network.layers[at(layer)];
  QStringList lines{to_text(described.name) + QStringLiteral(" · ") + to_text(described.operator_name)};
  lines << input_shape_text(network, layer) + QStringLiteral(" → ") + output_shape_text(network, layer);
  if (const QString geometry = geometry_text(described); !geometry.isEmpty()) lines << geometry;
  QStringList figures;
  if (described.macs() > 0) figures << grouped(described.macs()) + QStringLiteral(" MACs");
  if (const auto count = parameter_count(network, layer); count > 0)
    figures << grouped(count) + QStringLiteral(" parameters");
  if (const auto bytes = output_bytes(network, layer)) figures << grouped(*bytes) + QStringLiteral(" bytes out");
  if (!figures.isEmpty()) lines << figures.join(QStringLiteral(", "));
  const target::CompiledLayer* compiled = result(layer);
  if (compiled && !compiled->mapped()) lines << QStringLiteral("not mapped: ") + to_text(compiled->reason());
  if (compiled && compiled->mapped()) {
    const auto& metrics = compiled->metrics();
    lines << QStringLiteral("%1 cycles, utilization %2, bound by %3")
                 .arg(grouped(static_cast<std::int64_t>(metrics.cycles.value)),
                      utilization_text(metrics.utilization.value), to_text(metrics.bound.kind));
  }
  return lines.join(QChar('\n'));
}

QString NetworkGraphScene::reading(int box) const {
  const NetworkBox& content = drawing_->content().boxes[at(box)];
  if (content.layers.empty()) {
    const network::Tensor& tensor = drawing_->network().graph->tensors[at(content.tensor)];
    return QStringLiteral("%1 · %2\n%3 · %4")
        .arg(title(box), operators(box), shape(box), to_text(network::element_type_name(tensor.type)));
  }
  QStringList parts;
  for (std::size_t i = 0; i < std::min(most_readings, content.layers.size()); ++i)
    parts << layer_reading(content.layers[i]);
  if (content.layers.size() > most_readings)
    parts << QStringLiteral("and %1 more").arg(content.layers.size() - most_readings);
  if (!content.constants.empty())
    parts << QStringLiteral("%1 operators that only make constants for these").arg(content.constants.size());
  return parts.join(QStringLiteral("\n\n"));
}

std::string NetworkGraphScene::csv() const {
  const network::Network& network = drawing_->network();
  std::ostringstream out;
  out << "layer,operator,box,row,input,output,macs,parameters,output_bytes,mapped,cycles,utilization,reason\n";
  for (int layer = 0; layer < static_cast<int>(network.layers.size()); ++layer) {
    const network::Layer& described = network.layers[at(layer)];
    const int box = drawing_->box_of(layer);
    out << csv_field(described.name) << ',' << csv_field(described.operator_name) << ','
        << (box < 0 ? std::string() : csv_field(title(box).toStdString())) << ',';
    if (box >= 0) out << drawing_->layout().layers[at(box)];
    out << ',' << csv_field(input_shape_text(network, layer).toStdString()) << ','
        << csv_field(output_shape_text(network, layer).toStdString()) << ',' << described.macs() << ','
        << parameter_count(network, layer) << ',';
    if (const auto bytes = output_bytes(network, layer)) out << *bytes;
    const target::CompiledLayer* compiled = result(layer);
    out << ',' << (!compiled ? "" : compiled->mapped() ? "yes" : "no") << ',';
    if (compiled && compiled->mapped()) {
      out << static_cast<std::int64_t>(compiled->metrics().cycles.value) << ',' << compiled->metrics().utilization.value
          << ',';
    } else {
      out << ",," << (compiled ? csv_field(compiled->reason()) : std::string());
    }
    out << '\n';
  }
  return out.str();
}

}  // namespace convscope::ui
