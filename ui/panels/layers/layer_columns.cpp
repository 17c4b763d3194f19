#include "ui/panels/layers/layer_columns.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/engine/batch.h"
#include "ui/model/baseline_difference.h"
#include "ui/model/shown_run.h"
#include "ui/words/difference_text.h"
#include "ui/words/figures.h"
#include "ui/words/layer_facts.h"
#include "ui/words/translated.h"

namespace convscope::ui {
namespace {

using Metrics = artifact::Metrics;

// Layers without a kernel have no window to speak of.
LayerCell window_cell(const network::Layer& layer, const network::Size& size, const std::vector<int>& other,
                      const QString& order) {
  if (!other.empty()) {
    double area = 1;
    for (const int each : other) area *= each;
    return LayerCell{sizes_text(other), area, translated("of a layer that no target maps; the outermost first")};
  }
  if (layer.kernel.height == 0) return LayerCell{};
  return LayerCell{sizes_text({size.height, size.width}), size.height * size.width, order};
}

LayerCell shape_cell(const std::vector<int>& dimensions) {
  return {sizes_text(dimensions), dimensions.front(),
          dimensions.size() > 3 ? translated("maps x depth x height x width") : translated("maps x height x width")};
}

const network::Layer& layer_at(const network::Network& network, int layer) {
  return network.layers[static_cast<std::size_t>(layer)];
}

/// A column from the network alone.
LayerColumn from_network(std::string key, const char* title, bool figure,
                         std::function<LayerCell(const network::Layer&)> cell) {
  return {std::move(key),
          translated(title),
          {},
          figure,
          false,
          [cell = std::move(cell)](const Snapshot&, const network::Network& network, int layer) {
            return cell(layer_at(network, layer));
          }};
}

/// A column from a mapped layer's metrics; empty where there are none.
LayerColumn from_metrics(std::string key, const QString& title, const char* tip,
                         std::function<LayerCell(const Metrics&)> cell) {
  return {std::move(key),
          title,
          translated(tip),
          true,
          true,
          [cell = std::move(cell)](const Snapshot& snapshot, const network::Network&, int layer) {
            const auto result = layer_result(snapshot, layer).layer;
            if (!result) return LayerCell{};
            if (!result->mapped()) {
              return LayerCell{QStringLiteral("–"), {}, QString::fromStdString("not mapped: " + result->reason())};
            }
            return cell(result->metrics());
          }};
}

LayerCell bytes(const Metrics& metrics, std::int64_t value) {
  const Origin origin = analysis::bytes_origin(metrics);
  return {count_text(value), static_cast<double>(value), origin_text(origin), {}, origin};
}

LayerColumn parameters_column() {
  return {"parameters",
          translated("Parameters"),
          translated("Weights and biases"),
          true,
          false,
          [](const Snapshot&, const network::Network& network, int layer) {
            const std::int64_t count = parameter_count(network, layer);
            return LayerCell{count_text(count), static_cast<double>(count), {}};
          }};
}

LayerColumn output_bytes_column() {
  return {"output_bytes",
          translated("Output, bytes"),
          translated("All outputs, at the network's own precision"),
          true,
          false,
          [](const Snapshot&, const network::Network& network, int layer) {
            const auto count = output_bytes(network, layer);
            if (!count) return LayerCell{QStringLiteral("–"), {}, translated("the network doesn't say")};
            return LayerCell{count_text(*count), static_cast<double>(*count), {}};
          }};
}

void append(std::vector<LayerColumn>& columns, std::vector<LayerColumn> more) {
  columns.insert(columns.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// Which layer it is, and its work.
std::vector<LayerColumn> identity_columns() {
  std::vector<LayerColumn> columns;
  columns.push_back(from_network("name", "Layer", false, [](const network::Layer& layer) {
    const auto name = QString::fromStdString(layer.name);
    return LayerCell{name, name, name};
  }));
  columns.push_back(from_network("operator", "Operator", false, [](const network::Layer& layer) {
    const auto name = QString::fromStdString(layer.operator_name);
    return LayerCell{name, name, {}};
  }));
  columns.push_back(from_network("macs", "MACs", true, [](const network::Layer& layer) {
    if (!layer.macs_known()) return LayerCell{QStringLiteral("?"), {}, translated("its sizes aren't known")};
    return LayerCell{count_text(layer.macs()), static_cast<double>(layer.macs()),
                     translated("per frame, biases not counted")};
  }));
  return columns;
}

/// What the network says besides.
std::vector<LayerColumn> shape_columns() {
  std::vector<LayerColumn> columns;
  columns.push_back(
      from_network("in", "In", true, [](const network::Layer& layer) { return shape_cell(layer.in_dimensions()); }));
  columns.push_back(
      from_network("out", "Out", true, [](const network::Layer& layer) { return shape_cell(layer.out_dimensions()); }));
  columns.push_back(from_network("kernel", "Kernel", true, [](const network::Layer& layer) {
    return window_cell(layer, layer.kernel, layer.space.kernel, translated("height x width"));
  }));
  columns.push_back(from_network("stride", "Stride", true, [](const network::Layer& layer) {
    return window_cell(layer, layer.stride, layer.space.stride, translated("down x across"));
  }));
  columns.push_back(parameters_column());
  columns.push_back(output_bytes_column());
  return columns;
}

LayerCell quantity_cell(const Quantity& quantity) {
  return {quantity_text(quantity), quantity.value, origin_text(quantity.origin), {}, quantity.origin};
}

LayerColumn cycles_column() {
  return from_metrics("cycles", translated("Cycles"), "Cycles of one frame", [](const Metrics& metrics) {
    // Models give fractions of a cycle; counts are read whole, as everywhere.
    LayerCell cell = quantity_cell(metrics.cycles);
    cell.text = count_text(std::llround(metrics.cycles.value));
    return cell;
  });
}

LayerColumn seconds_column() {
  return from_metrics("seconds", translated("Time"), "Time of one frame, with data transfer",
                      [](const Metrics& metrics) { return quantity_cell(metrics.seconds); });
}

LayerColumn target_column(const std::string& key, const QString& title) {
  return from_metrics(key, title, "", [key](const Metrics& metrics) {
    const Quantity* found = metrics.find(key);
    const std::string_view words = metrics.text(key);
    if (found != nullptr && !words.empty())
      return LayerCell{QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size())),
                       {},
                       origin_text(found->origin),
                       {},
                       found->origin};
    return found == nullptr ? LayerCell{} : quantity_cell(*found);
  });
}

bool same_keys(const std::vector<artifact::NamedQuantity>& a, const std::vector<artifact::NamedQuantity>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& one, const auto& other) { return one.key == other.key; });
}

std::vector<LayerColumn> target_columns(const Snapshot& snapshot, const network::Network& network) {
  std::vector<LayerColumn> columns;
  std::set<std::string> seen;
  const auto run = shown_network(snapshot);
  if (!run) return columns;
  const std::vector<artifact::FigureDescription>& described = run->target->figures();
  const std::vector<artifact::NamedQuantity>* before = nullptr;
  for (int layer = 0; layer < static_cast<int>(network.layers.size()); ++layer) {
    const auto result = layer_result(snapshot, layer).layer;
    if (!result || !result->mapped()) continue;
    const auto& figures = result->metrics().target_figures;
    if (before != nullptr && same_keys(figures, *before)) continue;  // most layers have what the one before has
    before = &figures;
    for (const artifact::NamedQuantity& figure : figures) {
      const artifact::FigureDescription* description = artifact::find_figure(described, figure.key);
      if (description == nullptr || description->detail || !seen.insert(figure.key).second) continue;
      const auto unit = QString::fromStdString(description->unit);
      const auto label = QString::fromStdString(description->label);
      const bool repeats = unit.isEmpty() || label.contains(unit, Qt::CaseInsensitive);
      columns.push_back(target_column(figure.key, repeats ? label : label + ", " + unit));
    }
  }
  return columns;
}

/// Why a layer isn't mapped, to be read without pointing at it.
LayerColumn mapping_column() {
  return {"mapping",
          translated("Mapping"),
          translated("Whether the target maps the layer, and if not why"),
          false,
          true,
          [](const Snapshot& snapshot, const network::Network&, int layer) {
            const auto result = layer_result(snapshot, layer).layer;
            if (!result) return LayerCell{};
            const QString text = result->mapped()
                                     ? translated("mapped")
                                     : translated("not mapped: ") + QString::fromStdString(result->reason());
            return LayerCell{text, text, text};
          }};
}

LayerColumn utilization_column() {
  return from_metrics("utilization", translated("Utilization"), "Share of the machine's peak",
                      [](const Metrics& metrics) {
                        // without MACs there is none, which isn't 0 %
                        return LayerCell{metrics.macs > 0 ? percent_text(metrics.utilization.value) : QString(),
                                         metrics.utilization.value,
                                         origin_text(metrics.utilization.origin),
                                         {},
                                         metrics.utilization.origin};
                      });
}

std::vector<LayerColumn> bytes_columns() {
  std::vector<LayerColumn> columns;
  columns.push_back(from_metrics("bytes_in", translated("In, bytes"), "Moved into the machine, weights not counted",
                                 [](const Metrics& metrics) { return bytes(metrics, metrics.bytes_in); }));
  columns.push_back(from_metrics("bytes_out", translated("Out, bytes"), "Moved out of the machine",
                                 [](const Metrics& metrics) { return bytes(metrics, metrics.bytes_out); }));
  columns.push_back(from_metrics("bytes_weights", translated("Weights, bytes"), "Coefficients moved into the machine",
                                 [](const Metrics& metrics) { return bytes(metrics, metrics.bytes_weights); }));
  return columns;
}

LayerColumn bound_column() {
  LayerColumn column = from_metrics(
      "bound", translated("Bound"), "What limits the layer, and the least cycles it allows",
      [](const Metrics& metrics) {
        const auto kind = QString::fromStdString(metrics.bound.kind);
        const auto proven = metrics.bound.proven ? translated("proven") : translated("not proven");
        return LayerCell{kind, kind,
                         translated("at least %1 cycles, %2").arg(count_text(metrics.bound.cycles), proven)};
      });
  column.figure = false;
  column.centred = true;
  return column;
}

LayerColumn verified_column() {
  LayerColumn column = from_metrics(
      "verified", translated("Verified"), "Every program was checked by the verifier", [](const Metrics& metrics) {
        return LayerCell{metrics.verified ? QStringLiteral("✓ verified") : translated("no"), metrics.verified, {}};
      });
  column.figure = false;
  column.centred = true;
  return column;
}

/// What all images at once take, of layers that run more than once.
LayerColumn batch_column(std::string key, const char* title, const char* tip,
                         std::function<LayerCell(const artifact::BatchFigures&)> cell) {
  LayerColumn column = from_metrics(std::move(key), translated(title), tip, {});
  column.cell = [cell = std::move(cell)](const Snapshot& snapshot, const network::Network& network, int layer) {
    const auto result = layer_result(snapshot, layer).layer;
    if (!result || !result->mapped()) return LayerCell{};
    const artifact::BatchFigures batch = result->batch(layer_at(network, layer).images);
    LayerCell shown = cell(batch);
    shown.tip += QStringLiteral("\n%1 x: weights %2 (%3)")
                     .arg(batch.images)
                     .arg(QString::fromUtf8(artifact::weights_name(batch.weights)), QString::fromStdString(batch.note));
    return shown;
  };
  return column;
}

std::vector<LayerColumn> batch_columns(const network::Network& network) {
  if (!engine::has_batch(network)) return {};
  std::vector<LayerColumn> columns;
  columns.push_back(batch_column("batch_seconds", "Batch time", "Time of all images that the network takes at once",
                                 [](const auto& batch) { return quantity_cell(batch.seconds); }));
  columns.push_back(batch_column("batch_bytes_weights", "Batch weights, bytes",
                                 "Coefficients moved into the machine for all images", [](const auto& batch) {
                                   return LayerCell{count_text(batch.bytes_weights),
                                                    static_cast<double>(batch.bytes_weights),
                                                    origin_text(batch.seconds.origin),
                                                    {},
                                                    batch.seconds.origin};
                                 }));
  return columns;
}

/// Results first, the figures that everybody compares before all others: they are seen without scrolling, their
/// differences to a baseline too. What the network alone says comes last; the network's panel shows it as well.
std::vector<LayerColumn> own_columns(const Snapshot& snapshot, const network::Network& network) {
  std::vector<LayerColumn> columns = identity_columns();
  columns.push_back(cycles_column());
  columns.push_back(seconds_column());
  columns.push_back(utilization_column());
  append(columns, bytes_columns());
  append(columns, batch_columns(network));
  columns.push_back(bound_column());
  append(columns, target_columns(snapshot, network));
  columns.push_back(verified_column());
  columns.push_back(mapping_column());
  append(columns, shape_columns());
  return columns;
}

QString source_title(const analysis::PublishedTables& tables, const std::string& source) {
  for (const auto& each : tables.sources()) {
    if (each.id == source) return QString::fromStdString(each.title + "\n" + each.citation);
  }
  return {};
}

LayerColumn published_column(const Snapshot& snapshot, const analysis::PublishedFigure& figure) {
  const std::string source = figure.source, metric = figure.metric, unit = figure.unit;
  LayerColumn column;
  column.key = "published:" + source + ":" + metric;
  column.title = QString::fromStdString(source);
  column.tip = source_title(*snapshot.published, source);
  column.cell = [source, metric, unit](const Snapshot& now, const network::Network& network, int layer) {
    if (!now.published) return LayerCell{};
    const auto value = now.published->find(source, network.name, layer_at(network, layer).name, metric);
    if (!value) return LayerCell{};
    return LayerCell{quantity_text({*value, unit, Origin::published}),
                     *value,
                     origin_text(Origin::published),
                     {},
                     Origin::published};
  };
  return column;
}

/// Published values of a metric for the layers of this network, one column per source.
std::vector<LayerColumn> published_columns(const Snapshot& snapshot, const network::Network& network,
                                           const std::string& metric) {
  std::vector<LayerColumn> columns;
  const auto shown = shown_network(snapshot);
  if (!snapshot.published || !shown) return columns;
  std::set<std::string> seen;
  for (const analysis::PublishedFigure& figure : snapshot.published->figures()) {
    if (figure.network != network.name || figure.layer.empty() || figure.metric != metric) continue;
    if (!snapshot.published->source(figure.source)->is_about(shown->target->id())) continue;
    if (seen.insert(figure.source).second) columns.push_back(published_column(snapshot, figure));
  }
  return columns;
}

LayerCell difference_cell(const Snapshot& now, int layer, const std::string& key) {
  const Baseline* baseline = now.baseline();
  if (baseline == nullptr) return LayerCell{};
  const auto difference = baseline_difference(now, *baseline, layer, key);
  if (!difference) return LayerCell{QStringLiteral("–"), {}, missing_difference(now, *baseline, layer)};
  QString tip = difference_tip(*difference, baseline->name);
  const auto index = static_cast<std::size_t>(layer);
  if (!baseline->matching->layers[index].same_shape)
    tip += '\n' + translated("the layer has another shape there: this is another work");
  return {difference_text(*difference), difference_size(*difference), tip, difference->verdict, difference->origin()};
}

LayerColumn difference_column(const Baseline& baseline, const std::string& key, const QString& title) {
  LayerColumn column{
      "difference:" + key,
      title,
      translated("%1, compared with the baseline %2:\nhow far it went up ▲ or down ▼; ✓ better, ! worse")
          .arg(title, baseline.name),
      true,
      true,
      [key](const Snapshot& now, const network::Network&, int layer) { return difference_cell(now, layer, key); }};
  column.full_title = translated("%1 vs %2").arg(title, baseline.name);
  return column;
}

/// The column of a difference that stands behind a figure's own column; none if that is not compared.
std::vector<LayerColumn> difference_columns(const Snapshot& snapshot, const std::string& key) {
  const Baseline* baseline = snapshot.baseline();
  if (baseline == nullptr) return {};
  const auto common = comparability(snapshot, *baseline);
  if (key == "cycles" && common.cycles) return {difference_column(*baseline, key, translated("± Cycles"))};
  if (key == "seconds" && !common.cycles) return {difference_column(*baseline, key, translated("± Time"))};
  if (key == "utilization" && common.target_figures)
    return {difference_column(*baseline, key, translated("± Utilization"))};
  if (key == "bytes_weights") return {difference_column(*baseline, "bytes", translated("± Bytes"))};
  return {};
}

}  // namespace

Qt::Alignment LayerColumn::alignment() const {
  return (centred ? Qt::AlignHCenter : figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
}

std::vector<LayerColumn> layer_columns(const Snapshot& snapshot, const network::Network& network) {
  std::vector<LayerColumn> all;
  for (LayerColumn& column : own_columns(snapshot, network)) {
    auto published = published_columns(snapshot, network, column.key);
    auto differences = difference_columns(snapshot, column.key);
    all.push_back(std::move(column));
    append(all, std::move(differences));
    append(all, std::move(published));
  }
  return all;
}

}  // namespace convscope::ui
