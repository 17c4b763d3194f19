#include "core/analysis/compare_runs.h"

#include <utility>

#include <fmt/format.h>

namespace convscope::analysis {
namespace {

std::vector<LayerIdentity> identities(const Run& run) {
  std::vector<LayerIdentity> result;
  for (const RunLayer& layer : run.layers) result.push_back(layer.identity);
  return result;
}

std::string clock_of(const Run& run) {
  const auto found = run.parameters.find("clock");
  return found == run.parameters.end() ? std::string() : found->second;
}

ComparedLayer compared(const RunLayer& layer, const RunLayer& reference, const LayerMatch& match,
                       const Comparability& comparability, const Figures& figures) {
  ComparedLayer row{layer.identity.name,
                    reference.identity.name,
                    layer.identity.operator_name,
                    match.by,
                    match.same_shape,
                    layer.reason,
                    reference.reason,
                    {}};
  if (layer.mapped() && reference.mapped())
    row.figures = compare_metrics(layer.metrics, reference.metrics, comparability, figures);
  else
    row.figures = {
        difference(artifact::common_figure("macs"), figure(layer.metrics, "macs"), figure(reference.metrics, "macs"))};
  return row;
}

ComparedLayer only_here(const RunLayer& layer) {
  ComparedLayer row;
  row.name = layer.identity.name;
  row.operator_name = layer.identity.operator_name;
  row.reason = layer.reason;
  return row;
}

ComparedLayer only_in_reference(const RunLayer& layer) {
  ComparedLayer row;
  row.reference_name = layer.identity.name;
  row.operator_name = layer.identity.operator_name;
  row.reference_reason = layer.reason;
  return row;
}

/// Layers that only the reference has, up to an index of its own, that were not taken yet.
void take_unmatched(const Run& reference, const LayerMatching& matching, int end, int& taken,
                    std::vector<ComparedLayer>& rows) {
  for (; taken < end; ++taken) {
    const auto index = static_cast<std::size_t>(taken);
    if (matching.others[index] < 0) rows.push_back(only_in_reference(reference.layers[index]));
  }
}

std::vector<ComparedLayer> compared_layers(const Run& run, const Run& reference, const LayerMatching& matching,
                                           const Comparability& comparability) {
  std::vector<ComparedLayer> rows;
  int taken = 0;
  for (std::size_t i = 0; i < run.layers.size(); ++i) {
    const LayerMatch& match = matching.layers[i];
    if (match.other < 0) {
      rows.push_back(only_here(run.layers[i]));
      continue;
    }
    take_unmatched(reference, matching, match.other, taken, rows);
    rows.push_back(compared(run.layers[i], reference.layers[static_cast<std::size_t>(match.other)], match,
                            comparability, run.figures));
  }
  take_unmatched(reference, matching, static_cast<int>(reference.layers.size()), taken, rows);
  return rows;
}

/// Totals of different sets of layers say nothing: sums over those that both have do.
void sum_common_layers(const Run& run, const Run& reference, const LayerMatching& matching, RunComparison& comparison) {
  MetricSums sums, reference_sums;
  comparison.whole = run.layers.size() == reference.layers.size();
  for (std::size_t i = 0; i < run.layers.size(); ++i) {
    const int other = matching.layers[i].other;
    const RunLayer* match = other < 0 ? nullptr : &reference.layers[static_cast<std::size_t>(other)];
    if (match == nullptr || match->mapped() != run.layers[i].mapped()) comparison.whole = false;
    if (match == nullptr || !match->mapped() || !run.layers[i].mapped()) continue;
    sums.add(run.layers[i].metrics);
    reference_sums.add(match->metrics);
    ++comparison.common_layers;
  }
  comparison.common = compare_sums(sums, reference_sums, comparison.comparability);
}

std::vector<ComparedParameter> changed_parameters(const Run& run, const Run& reference) {
  std::vector<ComparedParameter> changed;
  if (run.target != reference.target) return changed;
  auto names = run.parameters;
  names.insert(reference.parameters.begin(), reference.parameters.end());
  const auto value = [](const Run& of, const std::string& name) {
    const auto found = of.parameters.find(name);
    return found == of.parameters.end() ? std::string() : found->second;
  };
  for (const auto& [name, any] : names)
    if (value(run, name) != value(reference, name)) changed.push_back({name, value(run, name), value(reference, name)});
  return changed;
}

void note_machines(const Run& run, const Run& reference, RunComparison& comparison) {
  if (!comparison.comparability.target_figures)
    comparison.notes.push_back(fmt::format(
        "{} and {} are different machines: only seconds, bytes and MACs are compared", reference.target, run.target));
  else if (!comparison.comparability.cycles)
    comparison.notes.emplace_back("the clocks differ, so cycles are not compared; seconds are");
}

void note_layers(const Run& run, const Run& reference, RunComparison& comparison) {
  const auto matched = static_cast<std::size_t>(comparison.matched);
  if (matched == 0)
    comparison.notes.emplace_back("no layer of one has the name or the shape of a layer of the other");
  else if (matched < run.layers.size() || matched < reference.layers.size())
    comparison.notes.push_back(fmt::format("{} layers match, of {} in the baseline and {} here", matched,
                                           reference.layers.size(), run.layers.size()));
  if (!comparison.whole)
    comparison.notes.push_back(fmt::format(
        "totals are not of the same layers; 'both' sums the {} that both have and map", comparison.common_layers));
  std::size_t reshaped = 0;
  for (const ComparedLayer& layer : comparison.layers)
    if (layer.matched_by != LayerMatch::By::none && !layer.same_shape) ++reshaped;
  if (reshaped > 0)
    comparison.notes.push_back(fmt::format("{} layers have the same name but another shape: another work", reshaped));
}

void note_coverage(const Run& run, const char* name, RunComparison& comparison) {
  if (run.unknown_layers > 0)
    comparison.notes.push_back(
        fmt::format("coverage of the {} is unknown: of {} the MACs are not known", name,
                    run.unknown_layers == 1 ? std::string("one layer") : fmt::format("{} layers", run.unknown_layers)));
  if (artifact::is_partial(run.coverage))
    comparison.notes.push_back(fmt::format("totals of the {} cover {:.1f} % of its MACs", name, 100 * *run.coverage));
  if (!run.complete) comparison.notes.push_back(fmt::format("the {} was cancelled before it was complete", name));
}

}  // namespace

Run run_of(const Report& report) {
  Run run{report.network,  report.target,   report.preset,  report.level,         {}, {}, report.total,
          report.coverage, report.complete, report.figures, report.unknown_layers};
  const auto& parameters = report.machine.description().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) run.parameters[parameters[i].name] = report.machine.text(i);
  for (const ReportLayer& layer : report.layers) {
    run.layers.push_back({identity_of(layer.layer), layer.reason, layer.metrics});
    run.layers.back().metrics.macs = layer.layer.macs();
  }
  return run;
}

RunComparison compare_runs(const Run& run, const Run& reference) {
  RunComparison comparison;
  comparison.comparability = comparability(run.target, clock_of(run), reference.target, clock_of(reference));
  comparison.parameters = changed_parameters(run, reference);
  const LayerMatching matching = match_layers(identities(run), identities(reference));
  comparison.matched = matching.matched;
  comparison.layers = compared_layers(run, reference, matching, comparison.comparability);
  sum_common_layers(run, reference, matching, comparison);
  comparison.total = compare_metrics(run.total, reference.total, comparison.comparability, run.figures);
  note_machines(run, reference, comparison);
  note_layers(run, reference, comparison);
  note_coverage(reference, "baseline", comparison);
  note_coverage(run, "compared run", comparison);
  return comparison;
}

}  // namespace convscope::analysis
