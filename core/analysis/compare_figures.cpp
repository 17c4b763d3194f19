#include "core/analysis/compare_figures.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/comparison.h"

namespace convscope::analysis {
namespace {

using artifact::Better;
using artifact::FigureDescription;

constexpr double rounding = 1e-12;

bool comparable(std::string_view key, const Comparability& comparability) {
  if (key == "cycles") return comparability.cycles;
  return key != "utilization" || comparability.target_figures;
}

const artifact::NamedQuantity* target_figure(const artifact::Metrics& metrics, std::string_view key) {
  const auto found = std::find_if(metrics.target_figures.begin(), metrics.target_figures.end(),
                                  [&](const auto& each) { return each.key == key; });
  return found == metrics.target_figures.end() ? nullptr : &*found;
}

Verdict verdict_of(const FigureDifference& compared) {
  if (std::abs(compared.relative.value_or(1)) < rounding) return Verdict::same;
  if (compared.better == Better::neutral) return Verdict::changed;
  return (*compared.absolute < 0) == (compared.better == Better::less) ? Verdict::better : Verdict::worse;
}

FigureDifference target_difference(const artifact::NamedQuantity* figure, const artifact::NamedQuantity* reference,
                                   const Figures& descriptions) {
  const artifact::NamedQuantity& named = figure != nullptr ? *figure : *reference;
  FigureDifference compared = difference(description_of(descriptions, named.key),
                                         figure != nullptr ? std::optional(figure->quantity) : std::nullopt,
                                         reference != nullptr ? std::optional(reference->quantity) : std::nullopt);
  if (figure != nullptr) compared.text = figure->text;
  if (reference != nullptr) compared.reference_text = reference->text;
  if (named.text.empty() || figure == nullptr || reference == nullptr) return compared;
  // Words have no size: what stands behind them is a code.
  compared.absolute = compared.relative = std::nullopt;
  compared.verdict = compared.text == compared.reference_text ? Verdict::same : Verdict::changed;
  return compared;
}

std::string clock_text(const arch::ParameterValues& machine) {
  const auto index = machine.description().find("clock");
  return index ? machine.text(*index) : std::string();
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::same:
      return "same";
    case Verdict::better:
      return "better";
    case Verdict::worse:
      return "worse";
    case Verdict::changed:
      return "changed";
    case Verdict::missing:
      return "missing";
  }
  return "";
}

std::optional<Origin> FigureDifference::origin() const {
  if (value && reference) return weaker(value->origin, reference->origin);
  return std::nullopt;
}

FigureDifference difference(const FigureDescription& figure, const std::optional<Quantity>& value,
                            const std::optional<Quantity>& reference) {
  FigureDifference compared;
  compared.key = figure.key;
  compared.label = figure.label.empty() ? figure.key : figure.label;
  compared.value = value;
  compared.reference = reference;
  compared.better = figure.better;
  if (!value || !reference) return compared;
  compared.absolute = value->value - reference->value;
  compared.relative = relative_difference(value->value, reference->value);
  compared.verdict = verdict_of(compared);
  return compared;
}

Comparability comparability(std::string_view target, std::string_view clock, std::string_view reference_target,
                            std::string_view reference_clock) {
  const bool same_target = target == reference_target;
  return {same_target && clock == reference_clock, same_target};
}

Comparability comparability(const arch::ParameterValues& machine, const arch::ParameterValues& reference) {
  return comparability(machine.description().target, clock_text(machine), reference.description().target,
                       clock_text(reference));
}

std::int64_t all_bytes(const artifact::Metrics& metrics) {
  return metrics.bytes_in + metrics.bytes_out + metrics.bytes_weights;
}

Origin bytes_origin(const artifact::Metrics& metrics) {
  return weaker(Origin::derived, metrics.cycles.origin);
}

std::optional<Quantity> figure(const artifact::Metrics& metrics, std::string_view key) {
  const auto bytes = [&](std::int64_t count) {
    return Quantity{static_cast<double>(count), "byte", bytes_origin(metrics)};
  };
  if (key == "macs") return Quantity{static_cast<double>(metrics.macs), "MAC", Origin::derived};
  if (key == "bytes_in") return bytes(metrics.bytes_in);
  if (key == "bytes_out") return bytes(metrics.bytes_out);
  if (key == "bytes_weights") return bytes(metrics.bytes_weights);
  if (key == "bytes") return bytes(all_bytes(metrics));
  const Quantity* found = metrics.find(key);
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

FigureDescription description_of(const Figures& target_figures, std::string_view key) {
  for (const Figures* figures : {&artifact::common_figures(), &target_figures})
    if (const FigureDescription* found = artifact::find_figure(*figures, key)) return *found;
  return {.key = std::string(key)};
}

std::vector<FigureDifference> compare_metrics(const artifact::Metrics& metrics, const artifact::Metrics& reference,
                                              const Comparability& comparability, const Figures& target_figures) {
  std::vector<FigureDifference> compared;
  for (const FigureDescription& common : artifact::common_figures()) {
    if (!comparable(common.key, comparability)) continue;
    compared.push_back(difference(common, figure(metrics, common.key), figure(reference, common.key)));
  }
  if (!comparability.target_figures) return compared;
  for (const auto& each : metrics.target_figures)
    compared.push_back(target_difference(&each, target_figure(reference, each.key), target_figures));
  for (const auto& each : reference.target_figures)
    if (target_figure(metrics, each.key) == nullptr)
      compared.push_back(target_difference(nullptr, &each, target_figures));
  return compared;
}

MetricSums::MetricSums() {
  // Nothing was added yet that could be worse.
  sum_.cycles.origin = sum_.seconds.origin = Origin::measured;
}

void MetricSums::add(const artifact::Metrics& layer) {
  const auto add = [](Quantity& sum, const Quantity& part) {
    sum.value += part.value;
    sum.origin = weaker(sum.origin, part.origin);
  };
  add(sum_.cycles, layer.cycles);
  add(sum_.seconds, layer.seconds);
  sum_.macs += layer.macs;
  sum_.bytes_in += layer.bytes_in;
  sum_.bytes_out += layer.bytes_out;
  sum_.bytes_weights += layer.bytes_weights;
}

std::optional<Quantity> MetricSums::figure(std::string_view key) const {
  const FigureDescription* common = artifact::find_figure(artifact::common_figures(), key);
  return common != nullptr && !common->ratio ? analysis::figure(sum_, key) : std::nullopt;
}

std::vector<FigureDifference> compare_sums(const MetricSums& sums, const MetricSums& reference,
                                           const Comparability& comparability) {
  std::vector<FigureDifference> compared;
  for (const FigureDescription& common : artifact::common_figures()) {
    const auto value = sums.figure(common.key);
    if (value && comparable(common.key, comparability))
      compared.push_back(difference(common, value, reference.figure(common.key)));
  }
  return compared;
}

}  // namespace convscope::analysis
