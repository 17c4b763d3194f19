#include <nlohmann/json.hpp>

#include "core/analysis/compare_runs.h"

namespace convscope::analysis {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

Json value_json(const std::optional<Quantity>& quantity, const std::string& text) {
  if (!quantity) return {};
  return text.empty() ? Json(quantity->value) : Json(text);
}

Json origin_json(const std::optional<Quantity>& quantity) {
  return quantity ? Json(std::string(origin_name(quantity->origin))) : Json();
}

Json figures_json(const std::vector<FigureDifference>& figures) {
  Json json = Json::object();
  for (const FigureDifference& each : figures)
    json[each.key] = {{"baseline", value_json(each.reference, each.reference_text)},
                      {"compared", value_json(each.value, each.text)},
                      {"difference", number_or_null(each.absolute)},
                      {"relative", number_or_null(each.relative)},
                      {"verdict", std::string(verdict_name(each.verdict))},
                      {"origin", {{"baseline", origin_json(each.reference)}, {"compared", origin_json(each.value)}}}};
  return json;
}

Json run_json(const Run& run) {
  return {{"network", run.network},  {"target", run.target},        {"preset", run.preset},
          {"level", run.level},      {"layers", run.layers.size()}, {"coverage", number_or_null(run.coverage)},
          {"complete", run.complete}};
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

const char* matched_by(LayerMatch::By by) {
  switch (by) {
    case LayerMatch::By::name:
      return "name";
    case LayerMatch::By::shape:
      return "shape";
    case LayerMatch::By::none:
      break;
  }
  return "none";
}

Json layer_json(const ComparedLayer& layer) {
  return {{"name", text_or_null(layer.name)},
          {"baseline_name", text_or_null(layer.reference_name)},
          {"operator", layer.operator_name},
          {"matched_by", matched_by(layer.matched_by)},
          {"same_shape", layer.same_shape},
          {"reason", text_or_null(layer.reason)},
          {"baseline_reason", text_or_null(layer.reference_reason)},
          {"figures", figures_json(layer.figures)}};
}

Json parameters_json(const std::vector<ComparedParameter>& parameters) {
  Json json = Json::object();
  for (const ComparedParameter& each : parameters)
    json[each.name] = {{"baseline", each.reference}, {"compared", each.value}};
  return json;
}

}  // namespace

std::string comparison_json(const Run& run, const Run& reference, const RunComparison& comparison) {
  Json json{{"schema", "convscope-comparison"}, {"version", 1}};
  json["baseline"] = run_json(reference);
  json["compared"] = run_json(run);
  json["parameters"] = parameters_json(comparison.parameters);
  json["comparable"] = {{"cycles", comparison.comparability.cycles},
                        {"target_figures", comparison.comparability.target_figures}};
  json["matched"] = comparison.matched;
  json["layers"] = Json::array();
  for (const ComparedLayer& layer : comparison.layers) json["layers"].push_back(layer_json(layer));
  json["total"] = figures_json(comparison.total);
  json["common"] = figures_json(comparison.common);
  json["common_layers"] = comparison.common_layers;
  json["notes"] = comparison.notes;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace convscope::analysis
