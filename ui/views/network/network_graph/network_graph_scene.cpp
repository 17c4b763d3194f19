#include "ui/views/network/network_graph/network_graph_scene.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/base/integers.h"
#include "core/base/quantity.h"
#include "ui/model/baseline_difference.h"
#include "ui/parts/drawing.h"
#include "ui/words/difference_text.h"
#include "ui/words/figures.h"
#include "ui/words/layer_facts.h"

namespace convscope::ui {
namespace {

constexpr std::size_t most_readings = 8;  ///< layers of a box in a reading; more would not fit a screen

QString utilization_text(double ratio) {
  return QString::number(100 * ratio, 'f', 1) + QStringLiteral(" %");
}

/// "7 x 7 kernel, stride 2 x 2, 3 groups".
QString geometry_text(const network::Layer& layer) {
  if (!layer.space.kernel.empty())
    return QStringLiteral("%1 kernel, stride %2").arg(sizes_text(layer.space.kernel), sizes_text(layer.space.stride));
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

QString bytes_text(double bytes) {
  return to_text(format_quantity({bytes, "B", Origin::derived}));
}

QString seconds_text(double seconds) {
  return to_text(format_quantity({seconds, "s", Origin::derived}));
}

}  // namespace

QString box_colour_name(BoxColour colour) {
  switch (colour) {
    case BoxColour::kind:
      return QStringLiteral("Kind");
    case BoxColour::macs:
      return QStringLiteral("MACs");
    case BoxColour::cycles:
      return QStringLiteral("Cycles");
    case BoxColour::seconds:
      return QStringLiteral("Seconds");
    case BoxColour::utilization:
      return QStringLiteral("Utilization");
    case BoxColour::bytes:
      return QStringLiteral("Bytes moved");
  }
  return {};
}

double CostRange::share(double cost) const {
  const double from = logarithmic ? std::log(least) : least, to = logarithmic ? std::log(largest) : largest;
  if (to <= from) return 0.5;
  return std::clamp(((logarithmic ? std::log(cost) : cost) - from) / (to - from), 0.0, 1.0);
}

NetworkGraphScene::NetworkGraphScene(std::shared_ptr<const NetworkDrawing> drawing, const Snapshot& snapshot,
                                     BoxColour colour)
    : drawing_(std::move(drawing)), colour_(colour) {
  const network::Network& network = drawing_->network();
  results_.resize(network.layers.size());
  stale_.assign(network.layers.size(), false);
  for (const auto& run : {snapshot.previous, snapshot.compiled}) {
    if (!run || run->network.get() != &network) continue;
    for (std::size_t i = 0; i < std::min(results_.size(), run->layers.size()); ++i) {
      if (!run->layers[i]) continue;
      results_[i] = run->layers[i];
      stale_[i] = run != snapshot.compiled;
    }
  }
  for (int box = 0; box < static_cast<int>(drawing_->content().boxes.size()); ++box) {
    states_.push_back(find_state(box));
    costs_.push_back(find_costs(box));
  }
  find_range();
  find_differences(snapshot);
}

void NetworkGraphScene::find_differences(const Snapshot& snapshot) {
  differences_.resize(costs_.size());
  const Baseline* baseline = snapshot.baseline();
  if (baseline == nullptr || baseline->matching->layers.size() != results_.size()) return;
  baseline_ = baseline->name;
  difference_key_ = headline_key(snapshot, *baseline);
  layer_differences_.resize(results_.size());
  for (std::size_t box = 0; box < differences_.size(); ++box) {
    analysis::MetricSums sums, reference_sums;
    for (const int layer : drawing_->content().boxes[box].layers) {
      const target::CompiledLayer* compiled = result(layer);
      const artifact::Metrics* reference = baseline->metrics(layer);
      if (!compiled || !compiled->mapped() || reference == nullptr) continue;
      layer_differences_[at(layer)] = baseline_difference(snapshot, *baseline, layer, difference_key_);
      sums.add(compiled->metrics());
      reference_sums.add(*reference);
    }
    const auto value = sums.figure(difference_key_), before = reference_sums.figure(difference_key_);
    if (value && before && (value->value > 0 || before->value > 0))
      differences_[box] = analysis::difference(artifact::common_figure(difference_key_), value, before);
  }
}

const target::CompiledLayer* NetworkGraphScene::result(int layer) const {
  return layer < 0 || at(layer) >= results_.size() ? nullptr : results_[at(layer)].get();
}

BoxState NetworkGraphScene::find_state(int box) const {
  const NetworkBox& content = drawing_->content().boxes[at(box)];
  if (content.layers.empty()) return BoxState::mapped;
  bool any_unmapped = false, any_unknown = false, main_unmapped = false;
  for (const int layer : content.layers) {
    const target::CompiledLayer* compiled = result(layer);
    any_unknown = any_unknown || !compiled;
    const bool unmapped = compiled && !compiled->mapped();
    any_unmapped = any_unmapped || unmapped;
    const bool multiplies = content.folded == 0 && drawing_->network().layers[at(layer)].macs() > 0;
    if (unmapped && (layer == content.main || multiplies)) main_unmapped = true;
  }
  if (main_unmapped) return BoxState::unmapped;
  if (any_unknown) return BoxState::unknown;
  return any_unmapped ? BoxState::partly : BoxState::mapped;
}

BoxCosts NetworkGraphScene::find_costs(int box) const {
  BoxCosts costs;
  double busy = 0;
  for (const int layer : drawing_->content().boxes[at(box)].layers) {
    costs.macs += drawing_->network().layers[at(layer)].macs();
    const target::CompiledLayer* compiled = result(layer);
    costs.stale = costs.stale || stale_[at(layer)];
    if (!compiled || !compiled->mapped()) continue;
    const artifact::Metrics& metrics = compiled->metrics();
    costs.cycles += metrics.cycles.value;
    costs.seconds += metrics.seconds.value;
    costs.bytes += metrics.bytes_in + metrics.bytes_out + metrics.bytes_weights;
    busy += metrics.utilization.value * metrics.cycles.value;
  }
  if (costs.cycles > 0) costs.utilization = busy / costs.cycles;
  return costs;
}

std::optional<double> NetworkGraphScene::cost(int box) const {
  const BoxCosts& costs = costs_[at(box)];
  const auto positive = [](double cost) { return cost > 0 ? std::optional(cost) : std::nullopt; };
  switch (colour_) {
    case BoxColour::kind:
      return std::nullopt;
    case BoxColour::macs:
      return positive(static_cast<double>(costs.macs));
    case BoxColour::cycles:
      return positive(costs.cycles);
    case BoxColour::seconds:
      return positive(costs.seconds);
    case BoxColour::utilization:
      return costs.utilization;
    case BoxColour::bytes:
      return positive(static_cast<double>(costs.bytes));
  }
  return std::nullopt;
}

bool NetworkGraphScene::any_stale() const {
  return std::any_of(costs_.begin(), costs_.end(), [](const BoxCosts& costs) { return costs.stale; });
}

void NetworkGraphScene::find_range() {
  for (int box = 0; box < static_cast<int>(costs_.size()); ++box) {
    const auto own = cost(box);
    if (!own) continue;
    if (!range_) range_ = CostRange{*own, *own, true};
    range_->least = std::min(range_->least, *own);
    range_->largest = std::max(range_->largest, *own);
  }
  if (range_ && colour_ == BoxColour::utilization) range_ = CostRange{0, 1, false};
}

QString NetworkGraphScene::cost_text(double cost) const {
  switch (colour_) {
    case BoxColour::seconds:
      return seconds_text(cost);
    case BoxColour::utilization:
      return utilization_text(cost);
    case BoxColour::bytes:
      return bytes_text(cost);
    default:
      return compact(static_cast<std::int64_t>(cost));
  }
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
  if (content.folded > 0) {
    return QStringLiteral("branch of %1 boxes, %2 operators").arg(content.folded).arg(content.layers.size());
  }
  QStringList names;
  for (const int layer : content.layers) names << to_text(drawing_->network().layers[at(layer)].operator_name);
  return names.join(QStringLiteral(" + "));
}

QString NetworkGraphScene::shape(int box) const {
  const NetworkBox& content = drawing_->content().boxes[at(box)];
  if (content.layers.empty()) return shape_text(drawing_->network().whole_graph()->tensors[at(content.tensor)].shape);
  return output_shape_text(drawing_->network(), content.layers.back());
}

QString NetworkGraphScene::figures(int box) const {
  const BoxCosts& sums = costs_[at(box)];
  QStringList parts;
  if (sums.macs > 0) parts << compact(sums.macs) + QStringLiteral(" MACs");
  if (colour_ == BoxColour::seconds && sums.seconds > 0) {
    parts << seconds_text(sums.seconds);
  } else if (colour_ == BoxColour::bytes && sums.bytes > 0) {
    parts << bytes_text(static_cast<double>(sums.bytes));
  } else if (sums.cycles > 0) {
    parts << compact(static_cast<std::int64_t>(sums.cycles)) + QStringLiteral(" cycles");
  }
  if (sums.utilization && sums.macs > 0) parts << utilization_text(*sums.utilization);
  if (state(box) == BoxState::unmapped) parts << QStringLiteral("not mapped");
  return parts.join(QStringLiteral(" · "));
}

std::vector<int> NetworkGraphScene::search(const QString& text) const {
  std::vector<int> found;
  if (text.isEmpty()) return found;
  const auto& layers = drawing_->network().layers;
  const auto& boxes = drawing_->content().boxes;
  for (int box = 0; box < static_cast<int>(boxes.size()); ++box) {
    const bool named = std::any_of(boxes[at(box)].layers.begin(), boxes[at(box)].layers.end(), [&](int layer) {
      return to_text(layers[at(layer)].name).contains(text, Qt::CaseInsensitive) ||
             to_text(layers[at(layer)].operator_name).contains(text, Qt::CaseInsensitive);
    });
    if (named || (boxes[at(box)].layers.empty() && title(box).contains(text, Qt::CaseInsensitive)))
      found.push_back(box);
  }
  return found;
}

QString NetworkGraphScene::layer_reading(int layer) const {
  const network::Network& network = drawing_->network();
  const network::Layer& described = network.layers[at(layer)];
  QStringList lines{to_text(described.name) + QStringLiteral(" · ") + to_text(described.operator_name)};
  lines << input_shape_text(network, layer) + QStringLiteral(" → ") + output_shape_text(network, layer);
  if (const QString geometry = geometry_text(described); !geometry.isEmpty()) lines << geometry;
  QStringList figures;
  if (!described.macs_known()) figures << QStringLiteral("MACs unknown");
  if (described.macs() > 0) figures << count_text(described.macs()) + QStringLiteral(" MACs");
  if (const auto count = parameter_count(network, layer); count > 0)
    figures << count_text(count) + QStringLiteral(" parameters");
  if (const auto bytes = output_bytes(network, layer)) figures << count_text(*bytes) + QStringLiteral(" bytes out");
  if (!figures.isEmpty()) lines << figures.join(QStringLiteral(", "));
  const target::CompiledLayer* compiled = result(layer);
  if (compiled && !compiled->mapped()) lines << QStringLiteral("not mapped: ") + to_text(compiled->reason());
  if (compiled && compiled->mapped()) {
    const auto& metrics = compiled->metrics();
    lines << QStringLiteral("%1 cycles (%5), %2, utilization %3, bound by %4")
                 .arg(count_text(std::llround(metrics.cycles.value)), seconds_text(metrics.seconds.value),
                      utilization_text(metrics.utilization.value), to_text(metrics.bound.kind),
                      to_text(origin_name(metrics.cycles.origin)));
    lines << QStringLiteral("bytes moved: %1 in, %2 weights, %3 out")
                 .arg(count_text(metrics.bytes_in), count_text(metrics.bytes_weights), count_text(metrics.bytes_out));
    if (!layer_differences_.empty() && layer_differences_[at(layer)])
      lines << QStringLiteral("%1: %2 vs %3")
                   .arg(to_text(difference_key_), difference_text(*layer_differences_[at(layer)]), baseline_);
    if (stale_[at(layer)]) lines << QStringLiteral("from the run before");
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
  if (content.folded > 0) parts << operators(box) + QStringLiteral("\n") + figures(box);
  if (content.folded > 0 && difference(box))
    parts.back() +=
        QStringLiteral("\n%1: %2 vs %3").arg(to_text(difference_key_), difference_text(*difference(box)), baseline_);
  for (std::size_t i = 0; i < std::min(most_readings, content.layers.size()); ++i)
    parts << layer_reading(content.layers[i]);
  if (content.layers.size() > most_readings)
    parts << QStringLiteral("and %1 more").arg(content.layers.size() - most_readings);
  if (!content.constants.empty())
    parts << QStringLiteral("%1 operators that only make constants for these").arg(content.constants.size());
  return parts.join(QStringLiteral("\n\n"));
}

std::string NetworkGraphScene::difference_fields(int layer) const {
  const auto& difference = layer_differences_[at(layer)];
  std::ostringstream out;
  out.precision(17);
  out << ',';
  if (difference && difference->reference) out << difference->reference->value;
  out << ',';
  if (difference && difference->relative) out << *difference->relative;
  return out.str();
}

std::string NetworkGraphScene::csv() const {
  const network::Network& network = drawing_->network();
  std::ostringstream out;
  out.precision(17);
  out << "layer,operator,box,row,input,output,macs,parameters,output_bytes,mapped,cycles,utilization,reason";
  if (!baseline_.isEmpty()) out << ",baseline_" << difference_key_ << ",relative_difference";
  out << '\n';
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
      out << std::llround(compiled->metrics().cycles.value) << ',' << compiled->metrics().utilization.value << ',';
    } else {
      out << ",," << (compiled ? csv_field(compiled->reason()) : std::string());
    }
    if (!baseline_.isEmpty()) out << difference_fields(layer);
    out << '\n';
  }
  return out.str();
}

}  // namespace convscope::ui
