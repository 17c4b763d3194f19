#include "ui/views/machines/sensitivity/sensitivity_rows.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "ui/model/exploration.h"
#include "ui/parts/drawing.h"

namespace convscope::ui {
namespace {

using explore::MachineStanding;
using explore::Move;
using explore::Standing;

constexpr double no_difference = 0.0005;  ///< part of the time: less is not shown as a bar

bool is_step(Move move) {
  return move == Move::step_down || move == Move::step_up;
}

QString move_text(const explore::Change& change) {
  QString values = QStringLiteral("%1 → %2").arg(to_text(change.from), to_text(change.to));
  if (change.move == Move::choice) return values;
  return values + (is_step(change.move) ? QStringLiteral(", step") : QStringLiteral(", limit"));
}

bool differs(const MachineStanding& standing, const std::string& bound) {
  return standing.total.bound != bound ||
         std::any_of(standing.layers.begin(), standing.layers.end(),
                     [&](const Standing& layer) { return layer.mapped && layer.bound != bound; });
}

/// A bound that is the same whatever changes, as where a target knows a single one, doesn't say what binds.
bool bounds_tell(const explore::Sensitivity& sensitivity) {
  const std::string& bound = sensitivity.before.total.bound;
  return differs(sensitivity.before, bound) ||
         std::any_of(sensitivity.changes.begin(), sensitivity.changes.end(), [&](const explore::Change& change) {
           return change.impossible.empty() && differs(change.after, bound);
         });
}

bool loses_layers(const explore::Change& change, const MachineStanding& before) {
  return change.after.coverage < before.coverage;
}

bool matters(const SensitivityRow& row) {
  return std::abs(row.total.gain) >= no_difference || (row.layer && std::abs(row.layer->gain) >= no_difference);
}

QString effect_reading(const QString& whose, const ChangeEffect& effect, Origin origin, const QString& what) {
  const auto seconds = [&](double value) { return to_text(format_quantity({value, "s", origin})); };
  QString text = QStringLiteral("%1: %2, %3 → %4 (%5)")
                     .arg(whose, gain_text(effect.gain), seconds(effect.seconds_before), seconds(effect.seconds_after),
                          to_text(origin_name(origin)));
  if (!effect.bound_before.isEmpty() || !effect.bound_after.isEmpty())
    text += QStringLiteral("\n%1: %2 → %3").arg(what, effect.bound_before, effect.bound_after);
  return text;
}

}  // namespace

QString gain_text(double gain) {
  const QString size = QString::number(100 * std::abs(gain), 'f', 1);
  if (size == QStringLiteral("0.0")) return QStringLiteral("no difference");
  return gain > 0 ? QStringLiteral("%1 % less time").arg(size) : QStringLiteral("%1 % more time").arg(size);
}

SensitivityRows::SensitivityRows(std::shared_ptr<const SensitivityRun> run, int layer, EffectOrder order)
    : run_(std::move(run)), order_(order), by_bound_(bounds_tell(run_->result)) {
  const auto& layers = run_->result.before.layers;
  const auto index = static_cast<std::size_t>(layer);
  if (layer >= 0 && index < layers.size() && layers[index].mapped) {
    layer_ = layer;
    if (run_->network && index < run_->network->layers.size()) layer_name_ = to_text(run_->network->layers[index].name);
    if (layer_name_.isEmpty()) layer_name_ = QStringLiteral("layer %1").arg(layer + 1);
  }
  if (layer_ < 0) order_ = EffectOrder::total;
  if (layers.empty()) return;  // the machine itself is still being compiled
  for (const std::size_t parameter : order_of_parameters()) add_parameter(parameter);
  // What makes a difference first, then what makes none, then what is impossible; each in the order of parameters.
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const SensitivityRow& a, const SensitivityRow& b) { return a.kind < b.kind; });
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const bool first = i == 0 || rows_[i - 1].kind != rows_[i].kind || rows_[i - 1].parameter != rows_[i].parameter;
    if (first) rows_[i].name = rows_[i].label;
    if (rows_[i].kind != SensitivityRow::Kind::effect) continue;
    for (const double gain : {rows_[i].total.gain, rows_[i].layer ? rows_[i].layer->gain : 0}) {
      most_gain_ = std::max(most_gain_, gain);
      most_loss_ = std::max(most_loss_, -gain);
    }
  }
}

std::vector<std::size_t> SensitivityRows::order_of_parameters() const {
  std::vector<std::size_t> order;
  const auto add = [&](std::size_t parameter) {
    if (std::find(order.begin(), order.end(), parameter) == order.end()) order.push_back(parameter);
  };
  for (const explore::Change* change : explore::ranked(run_->result, order_ == EffectOrder::layer ? layer_ : -1))
    add(change->parameter);
  for (const explore::Change& change : run_->result.changes) add(change.parameter);
  return order;
}

QString SensitivityRows::binding(const Standing& standing) const {
  return to_text(by_bound_ && !standing.bound.empty() ? standing.bound : standing.spent_on);
}

ChangeEffect SensitivityRows::effect_of(double gain, const Standing& before, const Standing& after) const {
  return {gain, binding(before), binding(after), before.seconds, after.seconds};
}

SensitivityRow SensitivityRows::row_of(std::size_t index) const {
  const explore::Change& change = run_->result.changes[index];
  const MachineStanding& before = run_->result.before;
  SensitivityRow row;
  row.parameter = change.parameter;
  row.label = to_text(run_->machine.description().parameters[change.parameter].label);
  row.what = move_text(change);
  row.reason = to_text(change.impossible);
  if (row.reason.isEmpty() && loses_layers(change, before)) {
    row.reason = QStringLiteral("maps only %1 % of the MACs, in place of %2 %")
                     .arg(QString::number(100 * change.after.coverage.value_or(0), 'f', 1),
                          QString::number(100 * before.coverage.value_or(0), 'f', 1));
  }
  if (!row.reason.isEmpty()) {
    row.kind = SensitivityRow::Kind::impossible;
    return row;
  }
  row.value = explore::changed_machine(run_->machine, change).at(change.parameter);
  row.total = effect_of(change.gain(before), before.total, change.after.total);
  const auto layer = static_cast<std::size_t>(layer_);
  if (layer_ >= 0 && layer < change.after.layers.size() && change.after.layers[layer].mapped)
    row.layer = effect_of(change.layer_gain(before, layer), before.layers[layer], change.after.layers[layer]);
  return row;
}

void SensitivityRows::add_parameter(std::size_t parameter) {
  std::vector<SensitivityRow> found;
  QStringList same;
  const auto& changes = run_->result.changes;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (changes[i].parameter != parameter) continue;
    SensitivityRow row = row_of(i);
    // A limit that is one step away is that step.
    const auto twin = std::find_if(found.begin(), found.end(), [&](const SensitivityRow& other) {
      return row.kind == SensitivityRow::Kind::effect && other.kind == row.kind && other.value == row.value;
    });
    if (twin != found.end()) {
      if (is_step(changes[i].move)) twin->what = row.what;
      continue;
    }
    if (row.kind == SensitivityRow::Kind::effect && !matters(row)) {
      if (!same.contains(to_text(changes[i].to))) same << to_text(changes[i].to);
      continue;
    }
    found.push_back(std::move(row));
  }
  const bool by_layer = order_ == EffectOrder::layer;
  const auto gain = [&](const SensitivityRow& row) { return by_layer && row.layer ? row.layer->gain : row.total.gain; };
  std::stable_sort(found.begin(), found.end(),
                   [&](const SensitivityRow& a, const SensitivityRow& b) { return gain(a) > gain(b); });
  if (!same.isEmpty()) {
    SensitivityRow row;
    row.kind = SensitivityRow::Kind::none;
    row.parameter = parameter;
    row.label = to_text(run_->machine.description().parameters[parameter].label);
    row.what = QStringLiteral("%1 → %2: no difference")
                   .arg(to_text(run_->machine.text(parameter)), same.join(QStringLiteral(", ")));
    found.push_back(std::move(row));
  }
  rows_.insert(rows_.end(), found.begin(), found.end());
}

QString SensitivityRows::reading(std::size_t index) const {
  const SensitivityRow& row = rows_[index];
  QString text = QStringLiteral("%1: %2").arg(row.label, row.what);
  if (row.kind == SensitivityRow::Kind::impossible) return text + QChar('\n') + row.reason;
  if (row.kind == SensitivityRow::Kind::none) return text;
  const Origin origin = run_->result.before.origin;
  const QString what = by_bound_ ? QStringLiteral("binds") : QStringLiteral("takes longest");
  text += QChar('\n') + effect_reading(QStringLiteral("whole network"), row.total, origin, what);
  if (row.layer) text += QChar('\n') + effect_reading(layer_name_, *row.layer, origin, what);
  return text + QStringLiteral("\nA click changes the machine; it can be undone.");
}

std::string SensitivityRows::csv() const {
  std::ostringstream out;
  out.precision(12);
  out << "parameter,move,from,to,gain,seconds_before,seconds_after,bound_before,bound_after,layer,layer_gain,"
         "layer_bound_before,layer_bound_after,impossible,origin\n";
  const MachineStanding& before = run_->result.before;
  for (const explore::Change& change : run_->result.changes) {
    out << csv_field(run_->machine.description().parameters[change.parameter].name) << ','
        << explore::move_name(change.move) << ',' << csv_field(change.from) << ',' << csv_field(change.to) << ',';
    const bool possible = change.impossible.empty();
    const auto bound = [this](const Standing& standing) { return csv_field(binding(standing).toStdString()); };
    if (possible)
      out << change.gain(before) << ',' << before.total.seconds << ',' << change.after.total.seconds << ','
          << bound(before.total) << ',' << bound(change.after.total) << ',';
    else
      out << ",,,,,";
    const auto layer = static_cast<std::size_t>(layer_);
    if (possible && layer_ >= 0 && layer < change.after.layers.size())
      out << csv_field(layer_name_.toStdString()) << ',' << change.layer_gain(before, layer) << ','
          << bound(before.layers[layer]) << ',' << bound(change.after.layers[layer]) << ',';
    else
      out << ",,,,";
    out << csv_field(change.impossible) << ',' << origin_name(before.origin) << '\n';
  }
  return out.str();
}

}  // namespace convscope::ui
