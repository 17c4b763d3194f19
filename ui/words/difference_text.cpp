#include "ui/words/difference_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

#include "ui/parts/drawing.h"
#include "ui/parts/message_painter.h"

namespace convscope::ui {
namespace {

using analysis::FigureDifference;
using analysis::Verdict;

QString translated(const char* text) {
  return QCoreApplication::translate("compare", text);
}

QString arrow(const FigureDifference& difference) {
  if (difference.verdict == Verdict::same) return QStringLiteral("=");
  if (!difference.absolute) return {};
  return *difference.absolute < 0 ? QStringLiteral("▼") : QStringLiteral("▲");
}

QString mark(Verdict verdict) {
  if (verdict == Verdict::better) return QStringLiteral("✓");
  return verdict == Verdict::worse ? QStringLiteral("!") : QString();
}

/// With a true minus: a hyphen gets lost beside digits.
QString signed_number(double value, int decimals) {
  const QString digits = QString::number(std::abs(value), 'f', decimals);
  return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + digits;
}

QString size_text(const FigureDifference& difference) {
  if (!difference.absolute) return QStringLiteral("–");
  if (difference.key == "utilization") return signed_number(100 * *difference.absolute, 1) + " pp";
  if (!difference.relative) return translated("from 0");
  const double percent = 100 * *difference.relative;
  return signed_number(percent, std::abs(percent) < 1 ? 2 : 1) + " %";
}

QString meaning(Verdict verdict) {
  switch (verdict) {
    case Verdict::same:
      return translated("the same");
    case Verdict::better:
      return translated("better");
    case Verdict::worse:
      return translated("worse");
    case Verdict::changed:
      return translated("changed");
    case Verdict::missing:
      return translated("only one of the runs has it");
  }
  return {};
}

const engine::CompiledNetwork* run_of_layer(const Snapshot& snapshot, int layer) {
  if (layer < 0) return shown_network(snapshot).get();
  const auto index = static_cast<std::size_t>(layer);
  for (const auto* run : {snapshot.compiled.get(), snapshot.previous.get()}) {
    if (run != nullptr && index < run->layers.size() && run->layers[index]) return run;
  }
  return nullptr;
}

const artifact::Metrics* metrics_of(const engine::CompiledNetwork& run, int layer) {
  if (layer < 0) return &run.total;
  const auto& compiled = run.layers[static_cast<std::size_t>(layer)];
  return compiled->mapped() ? &compiled->metrics() : nullptr;
}

/// Whether both runs have and map the same layers: else totals are of different things.
bool whole(const engine::CompiledNetwork& run, const Baseline& baseline) {
  const auto& matching = *baseline.matching;
  const auto matched = static_cast<std::size_t>(matching.matched);
  return matched == matching.layers.size() && matched == matching.others.size() &&
         run.coverage == baseline.run->coverage;
}

/// Over the layers that both have and map.
FigureDifference difference_of_sums(const engine::CompiledNetwork& run, const Baseline& baseline,
                                    const std::string& key) {
  analysis::MetricSums sums, reference_sums;
  for (std::size_t layer = 0; layer < run.layers.size(); ++layer) {
    const artifact::Metrics* reference = baseline.metrics(static_cast<int>(layer));
    if (reference == nullptr || !run.layers[layer] || !run.layers[layer]->mapped()) continue;
    sums.add(run.layers[layer]->metrics());
    reference_sums.add(*reference);
  }
  return analysis::difference(key, sums.figure(key), reference_sums.figure(key));
}

}  // namespace

analysis::Comparability comparability(const Snapshot& snapshot, const Baseline& baseline) {
  const auto& shown = snapshot.compiled ? snapshot.compiled : snapshot.previous;
  return shown ? analysis::comparability(shown->machine, baseline.run->machine) : analysis::Comparability{};
}

std::string headline_key(const Snapshot& snapshot, const Baseline& baseline) {
  return comparability(snapshot, baseline).cycles ? "cycles" : "seconds";
}

std::optional<FigureDifference> baseline_difference(const Snapshot& snapshot, const Baseline& baseline, int layer,
                                                    const std::string& key) {
  const engine::CompiledNetwork* run = run_of_layer(snapshot, layer);
  const artifact::Metrics* reference = baseline.metrics(layer);
  if (run == nullptr || reference == nullptr) return std::nullopt;
  const artifact::Metrics* metrics = metrics_of(*run, layer);
  const auto common = analysis::comparability(run->machine, baseline.run->machine);
  const bool machine_bound = key != "seconds" && key != "macs" && key.substr(0, 5) != "bytes";
  if (metrics == nullptr || (key == "cycles" && !common.cycles) || (machine_bound && !common.target_figures))
    return std::nullopt;
  if (layer < 0 && !whole(*run, baseline)) {
    auto sums = difference_of_sums(*run, baseline, key);
    return sums.value ? std::optional(std::move(sums)) : std::nullopt;
  }
  return analysis::difference(key, analysis::figure(*metrics, key), analysis::figure(*reference, key));
}

QString difference_text(const FigureDifference& difference) {
  if (difference.verdict == Verdict::same) return QStringLiteral("=");
  const QString text = arrow(difference) + ' ' + size_text(difference) + ' ' + mark(difference.verdict);
  return text.trimmed();
}

QString difference_mark(const FigureDifference& difference) {
  return arrow(difference) + mark(difference.verdict);
}

double difference_size(const FigureDifference& difference) {
  if (difference.key == "utilization") return difference.absolute.value_or(0);
  // From nothing to something is more than any percentage.
  if (!difference.relative && difference.absolute) return std::copysign(HUGE_VAL, *difference.absolute);
  return difference.relative.value_or(0);
}

QString value_with_origin(const std::string& key, const Quantity& quantity) {
  const bool whole = std::floor(quantity.value) == quantity.value && std::abs(quantity.value) < 1e15;
  QString text;
  if (key == "utilization")
    text = QString::number(100 * quantity.value, 'f', 1) + " %";
  else if (whole && quantity.unit != "s")
    text = QLocale(QLocale::English).toString(static_cast<qlonglong>(quantity.value)) + ' ' + to_text(quantity.unit);
  else
    text = to_text(format_quantity(quantity));
  return QStringLiteral("%1 (%2)").arg(text.trimmed(), to_text(origin_name(quantity.origin)));
}

QString difference_tip(const FigureDifference& difference, const QString& baseline) {
  const auto value = [&](const std::optional<Quantity>& quantity) {
    return quantity ? value_with_origin(difference.key, *quantity) : translated("none");
  };
  return translated("now: %1").arg(value(difference.value)) + '\n' +
         QStringLiteral("%1: %2").arg(baseline, value(difference.reference)) + '\n' + difference_text(difference) +
         QStringLiteral(" – ") + meaning(difference.verdict);
}

QString missing_difference(const Snapshot& snapshot, const Baseline& baseline, int layer) {
  if (layer >= 0 && baseline.matching_layer(layer) < 0)
    return translated("no layer of %1 has this name or this shape").arg(baseline.name);
  const engine::CompiledNetwork* run = run_of_layer(snapshot, layer);
  if (run == nullptr) return translated("not compiled yet");
  const bool mapped = metrics_of(*run, layer) != nullptr;
  if (baseline.metrics(layer) == nullptr)
    return mapped ? translated("not mapped in %1").arg(baseline.name) : translated("mapped in neither");
  if (!mapped) return translated("not mapped here");
  return translated("not comparable between these machines");
}

bool mapped_in_neither(const Snapshot& snapshot, const Baseline& baseline, int layer) {
  const engine::CompiledNetwork* run = run_of_layer(snapshot, layer);
  return run != nullptr && metrics_of(*run, layer) == nullptr && baseline.matching_layer(layer) >= 0 &&
         baseline.metrics(layer) == nullptr;
}

QColor verdict_colour(const Theme& theme, Verdict verdict) {
  if (verdict == Verdict::better) return theme.better;
  return verdict == Verdict::worse ? theme.worse : theme.muted_text;
}

}  // namespace convscope::ui
