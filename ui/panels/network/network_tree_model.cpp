#include "ui/panels/network/network_tree_model.h"

#include <QBrush>
#include <QElapsedTimer>
#include <QFont>
#include <cmath>

#include "core/analysis/compare_figures.h"
#include "ui/model/baseline_difference.h"
#include "ui/model/network_words.h"
#include "ui/model/shown_run.h"
#include "ui/panels/common/layer_filter.h"
#include "ui/words/difference_text.h"
#include "ui/words/figures.h"
#include "ui/words/layer_facts.h"

namespace convscope::ui {
namespace {

constexpr int step_milliseconds = 8;  // of a frame's time

// Internal ids: what kind of row it is and, for a program, its layer.
constexpr quintptr network_id = 0;
constexpr quintptr layer_id = 1;
constexpr quintptr first_program_id = 2;

int layer_of_program(quintptr id) {
  return static_cast<int>(id - first_program_id);
}

QStringList program_names(const Snapshot& snapshot, int layer) {
  QStringList names;
  const auto result = layer_result(snapshot, layer).layer;
  for (int program = 0; result && program < result->program_count(); ++program) {
    names << QString::fromStdString(result->program_name(program));
  }
  return names;
}

NetworkTreeModel::Facts facts_of(const network::Network& network, int layer) {
  return {network.layers[static_cast<std::size_t>(layer)].macs(), parameter_count(network, layer),
          output_bytes(network, layer)};
}

/// Bytes are those of the layers that state them; nothing if none does.
NetworkTreeModel::Facts sum(const std::vector<NetworkTreeModel::Facts>& layers) {
  NetworkTreeModel::Facts total;
  for (const auto& layer : layers) {
    total.macs += layer.macs;
    total.parameters += layer.parameters;
    if (layer.output_bytes) total.output_bytes = total.output_bytes.value_or(0) + *layer.output_bytes;
  }
  return total;
}

QVariant text_or_value(int role, const QString& text, const QVariant& value) {
  return role == Qt::DisplayRole ? QVariant(text) : value;
}

QVariant origin(const artifact::Metrics& metrics, int column) {
  const auto name = [](Origin of) { return QVariant(QString::fromUtf8(origin_name(of).data())); };
  switch (column) {
    case NetworkTreeModel::cycles:
      return name(metrics.cycles.origin);
    case NetworkTreeModel::utilization:
      return name(metrics.utilization.origin);
    case NetworkTreeModel::bytes:
      return name(analysis::bytes_origin(metrics));
    default:
      return {};
  }
}

QVariant figure(const artifact::Metrics& metrics, int column, int role) {
  if (role == origin_role) return origin(metrics, column);
  const std::int64_t moved = metrics.bytes_in + metrics.bytes_out + metrics.bytes_weights;
  switch (column) {
    case NetworkTreeModel::cycles:
      return text_or_value(role, count_text(std::llround(metrics.cycles.value)), metrics.cycles.value);
    case NetworkTreeModel::utilization:
      return text_or_value(role, metrics.macs > 0 ? percent_text(metrics.utilization.value) : QString(),
                           metrics.utilization.value);
    case NetworkTreeModel::bytes:
      return text_or_value(role, count_text(moved), static_cast<double>(moved));
    default:
      return {};
  }
}

QString layer_tip(const network::Layer& layer, const LayerResult& result) {
  QString tip = QStringLiteral("%1: %2, %3 x %4 x %5")
                    .arg(QString::fromStdString(layer.name), QString::fromStdString(layer.operator_name))
                    .arg(layer.out.maps)
                    .arg(layer.out.size.height)
                    .arg(layer.out.size.width);
  if (!result.layer) return tip;
  if (!result.layer->mapped()) return tip + "\nnot mapped: " + QString::fromStdString(result.layer->reason());
  const auto& metrics = result.layer->metrics();
  tip += "\nbound by " + QString::fromStdString(metrics.bound.kind) + "; cycles " + origin_text(metrics.cycles.origin);
  return tip + (metrics.verified ? "\nevery program verified" : "\nnot verified");
}

}  // namespace

NetworkTreeModel::NetworkTreeModel(ViewHost& host, QObject* parent) : QAbstractItemModel(parent), host_(host) {
  on_change(host, this, shown_in_tables | Change::theme, [this] { refresh(); });
  more_.setSingleShot(true);
  connect(&more_, &QTimer::timeout, this, &NetworkTreeModel::take_programs);
  refresh();
}

void NetworkTreeModel::refresh() {
  const auto network = host_.snapshot().network;
  if (network != network_) reset(network);
  if (!network_) return;
  take_programs();
  const QModelIndex top = NetworkTreeModel::index(0, 0);
  emit dataChanged(top, NetworkTreeModel::index(0, column_count - 1));
  if (!programs_.empty()) {
    emit dataChanged(NetworkTreeModel::index(0, 0, top),
                     NetworkTreeModel::index(NetworkTreeModel::rowCount(top) - 1, column_count - 1, top));
  }
}

void NetworkTreeModel::take_programs() {
  QElapsedTimer time;
  time.start();
  for (std::size_t layer = 0; layer < programs_.size(); ++layer) {
    auto result = layer_result(host_.snapshot(), static_cast<int>(layer)).layer;
    if (result == results_[layer]) continue;
    if (time.elapsed() >= step_milliseconds) return more_.start();
    const QStringList programs = program_names(host_.snapshot(), static_cast<int>(layer));
    if (programs != programs_[layer]) replace_programs(static_cast<int>(layer), programs);
    results_[layer] = std::move(result);
  }
}

void NetworkTreeModel::reset(std::shared_ptr<const network::Network> network) {
  beginResetModel();
  network_ = std::move(network);
  programs_.assign(network_ ? network_->layers.size() : 0, {});
  results_.assign(programs_.size(), nullptr);
  facts_.clear();
  for (int layer = 0; layer < static_cast<int>(programs_.size()); ++layer) facts_.push_back(facts_of(*network_, layer));
  total_ = sum(facts_);
  endResetModel();
}

void NetworkTreeModel::replace_programs(int layer, const QStringList& programs) {
  QStringList& shown = programs_[static_cast<std::size_t>(layer)];
  const QModelIndex parent = layer_index(layer);
  if (!shown.isEmpty()) {
    beginRemoveRows(parent, 0, static_cast<int>(shown.size()) - 1);
    shown.clear();
    endRemoveRows();
  }
  if (!programs.isEmpty()) {
    beginInsertRows(parent, 0, static_cast<int>(programs.size()) - 1);
    shown = programs;
    endInsertRows();
  }
}

QModelIndex NetworkTreeModel::layer_index(int layer, int column) const {
  return createIndex(layer, column, layer_id);
}

QModelIndex NetworkTreeModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  if (!parent.isValid()) return createIndex(row, column, network_id);
  if (parent.internalId() == network_id) return layer_index(row, column);
  return createIndex(row, column, first_program_id + static_cast<quintptr>(parent.row()));
}

QModelIndex NetworkTreeModel::parent(const QModelIndex& child) const {
  if (!child.isValid() || child.internalId() == network_id) return {};
  if (child.internalId() == layer_id) return createIndex(0, 0, network_id);
  return layer_index(layer_of_program(child.internalId()));
}

int NetworkTreeModel::rowCount(const QModelIndex& parent) const {
  if (!network_ || parent.column() > 0) return 0;
  if (!parent.isValid()) return 1;
  if (parent.internalId() == network_id) return static_cast<int>(programs_.size());
  if (parent.internalId() == layer_id)
    return static_cast<int>(programs_[static_cast<std::size_t>(parent.row())].size());
  return 0;
}

int NetworkTreeModel::columnCount(const QModelIndex&) const {
  return column_count;
}

QVariant NetworkTreeModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue((index.column() <= operators ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
  if (index.internalId() == network_id) return network_data(index.column(), role);
  if (index.internalId() == layer_id) return layer_data(index.row(), index.column(), role);
  if (role != Qt::DisplayRole || index.column() != name) return {};
  return programs_[static_cast<std::size_t>(layer_of_program(index.internalId()))][index.row()];
}

std::optional<analysis::FigureDifference> NetworkTreeModel::difference(int layer) const {
  const Snapshot& snapshot = host_.snapshot();
  const Baseline* baseline = snapshot.baseline();
  if (baseline == nullptr) return std::nullopt;
  return baseline_difference(snapshot, *baseline, layer, headline_key(snapshot, *baseline));
}

QString NetworkTreeModel::difference_line(int layer) const {
  const auto found = difference(layer);
  return found ? '\n' + difference_tip(*found, host_.snapshot().baseline()->name) : QString();
}

QVariant NetworkTreeModel::marked(const QVariant& cycles_data, int layer, int role) const {
  const auto found = role == Qt::DisplayRole ? difference(layer) : std::nullopt;
  // In front, so that digits stay below digits.
  return found ? QVariant(difference_mark(*found) + ' ' + cycles_data.toString()) : cycles_data;
}

QVariant NetworkTreeModel::network_data(int column, int role) const {
  const auto run = network_result(host_.snapshot());
  if (role == Qt::ToolTipRole && difference(-1))
    return QString(QString::fromStdString(network_->name) + difference_line(-1));
  if (role == Qt::ForegroundRole) return verdict_brush(column, -1);
  const bool partial = run && artifact::is_partial(run->coverage);
  if (role == Qt::ToolTipRole && partial) return tr("%1 of the MACs are mapped").arg(percent_text(*run->coverage));
  if (role == origin_role) return run ? figure(run->total, column, role) : QVariant();
  if (role != Qt::DisplayRole && role != value_role) return {};
  if (column == name) return QString::fromStdString(network_->name);
  if (column == operators) {
    if (partial) return tr("%1 mapped").arg(percent_text(*run->coverage));
    if (run && network_->unknown_layers() > 0) return coverage_text(*run);
    return role == Qt::DisplayRole ? tr("%1 layers").arg(facts_.size()) : QVariant();
  }
  if (QVariant known = facts_data(total_, column, role); known.isValid()) return known;
  if (!run) return {};
  const QVariant shown = figure(run->total, column, role);
  return column == cycles ? marked(shown, -1, role) : shown;
}

QVariant NetworkTreeModel::verdict_brush(int column, int layer) const {
  const auto found = column == cycles ? difference(layer) : std::nullopt;
  const bool judged =
      found && (found->verdict == analysis::Verdict::better || found->verdict == analysis::Verdict::worse);
  return judged ? QVariant(QBrush(verdict_colour(host_.theme(), found->verdict))) : QVariant();
}

QVariant NetworkTreeModel::facts_data(const Facts& facts, int column, int role) const {
  const auto shown = [role](std::int64_t count) {
    return text_or_value(role, count_text(count), static_cast<double>(count));
  };
  if (column == macs) return shown(facts.macs);
  if (column == parameters) return shown(facts.parameters);
  if (column == outputs && facts.output_bytes) return shown(*facts.output_bytes);
  return {};
}

QVariant NetworkTreeModel::layer_data(int layer, int column, int role) const {
  const network::Layer& described = network_->layers[static_cast<std::size_t>(layer)];
  const LayerResult result = layer_result(host_.snapshot(), layer);
  if (role == Qt::ToolTipRole) return QString(layer_tip(described, result) + difference_line(layer));
  const bool unmapped = result.layer && !result.layer->mapped();
  if (role == search_role) return QString::fromStdString(described.name + ' ' + described.operator_name);
  if (role == Qt::ForegroundRole && (unmapped || (column != name && result.stale)))
    return QBrush(host_.theme().muted_text);
  if (role == Qt::ForegroundRole) return verdict_brush(column, layer);
  if (role == Qt::FontRole && unmapped) {
    QFont font = host_.theme().label_font();
    font.setItalic(true);
    return font;
  }
  if (role == origin_role) {
    return result.layer && !unmapped ? figure(result.layer->metrics(), column, role) : QVariant();
  }
  if (role != Qt::DisplayRole && role != value_role) return {};
  if (column == name) return QString::fromStdString(described.name);
  if (column == operators) return QString::fromStdString(described.operator_name);
  if (QVariant known = facts_data(facts_[static_cast<std::size_t>(layer)], column, role); known.isValid()) return known;
  if (!result.layer) return {};
  if (unmapped) return column == cycles ? QVariant(tr("not mapped")) : QVariant();
  const QVariant shown = figure(result.layer->metrics(), column, role);
  return column == cycles ? marked(shown, layer, role) : shown;
}

QVariant NetworkTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue((section <= operators ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case name:
      return tr("Layer");
    case cycles:
      return tr("Cycles");
    case utilization:
      return tr("Utilization");
    case macs:
      return tr("MACs");
    case operators:
      return tr("Operator");
    case parameters:
      return tr("Parameters");
    case outputs:
      return tr("Output, bytes");
    case bytes:
      return tr("Traffic, bytes");
    default:
      return {};
  }
}

artifact::Ref NetworkTreeModel::ref(const QModelIndex& index) const {
  artifact::Ref result;
  if (!index.isValid() || index.internalId() == network_id) return result;
  if (index.internalId() == layer_id) {
    result.layer = index.row();
  } else {
    result.layer = layer_of_program(index.internalId());
    result.program = index.row();
  }
  return result;
}

QModelIndex NetworkTreeModel::find(const artifact::Ref& ref) const {
  if (ref.layer < 0 || static_cast<std::size_t>(ref.layer) >= programs_.size()) return {};
  const QModelIndex layer = layer_index(ref.layer);
  return ref.program >= 0 && ref.program < rowCount(layer) ? index(ref.program, 0, layer) : layer;
}

}  // namespace convscope::ui
