#include <cmath>

#include <nlohmann/json.hpp>

#include "core/analysis/report.h"

namespace convscope::analysis {
namespace {

using Json = nlohmann::ordered_json;

// Counts are integers in JSON; ratios stay floating point even where they happen to be whole.
Json number(const Quantity& quantity, bool ratio) {
  if (!ratio && quantity.unit != "s" && std::nearbyint(quantity.value) == quantity.value &&
      std::abs(quantity.value) < 9007199254740992.0)
    return static_cast<std::int64_t>(quantity.value);
  return quantity.value;
}

Json integer(double value) {
  return static_cast<std::int64_t>(std::llround(value));
}

Json parameters_json(const arch::ParameterValues& machine) {
  Json json = Json::object();
  const auto& parameters = machine.description().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    switch (parameters[i].kind) {
      case arch::ParameterKind::integer:
        json[parameters[i].name] = integer(machine.at(i));
        break;
      case arch::ParameterKind::real:
        json[parameters[i].name] = machine.at(i);
        break;
      case arch::ParameterKind::choice:
        json[parameters[i].name] = machine.text(i);
        break;
    }
  }
  return json;
}

Json shape_json(const network::Layer& layer) {
  return {{"in", {layer.in.maps, layer.in.size.height, layer.in.size.width}},
          {"out", {layer.out.maps, layer.out.size.height, layer.out.size.width}},
          {"kernel", {layer.kernel.height, layer.kernel.width}},
          {"stride", {layer.stride.height, layer.stride.width}},
          {"padding", {layer.padding.top, layer.padding.left, layer.padding.bottom, layer.padding.right}},
          {"dilation", {layer.dilation.height, layer.dilation.width}},
          {"groups", layer.groups}};
}

Json published_json(const std::map<std::string, MetricValues>& published) {
  Json json = Json::object();
  for (const auto& [source, metrics] : published) {
    json[source] = Json::object();
    for (const auto& [metric, value] : metrics) json[source][metric] = value;
  }
  return json;
}

Json target_json(const artifact::Metrics& metrics, const std::vector<artifact::FigureDescription>& figures) {
  Json json = Json::object();
  for (const artifact::NamedQuantity& figure : metrics.target_figures) {
    const std::size_t dot = figure.key.find('.');
    Json& place =
        dot == std::string::npos ? json[figure.key] : json[figure.key.substr(0, dot)][figure.key.substr(dot + 1)];
    const artifact::FigureDescription* description = artifact::find_figure(figures, figure.key);
    place =
        figure.text.empty() ? number(figure.quantity, description != nullptr && description->ratio) : Json(figure.text);
  }
  return json;
}

Json breakdown_json(const artifact::Metrics& metrics) {
  Json json = Json::object();
  for (const artifact::BreakdownPart& part : metrics.breakdown) json[part.name] = part.cycles;
  return json;
}

/// Origins of figures where they are others than that of the cycles.
Json origins_json(const artifact::Metrics& metrics) {
  Json json = Json::object();
  const auto add = [&](const std::string& key, const Quantity& quantity) {
    if (quantity.origin != metrics.cycles.origin) json[key] = std::string(origin_name(quantity.origin));
  };
  add("seconds", metrics.seconds);
  add("utilization", metrics.utilization);
  for (const artifact::NamedQuantity& figure : metrics.target_figures) add(figure.key, figure.quantity);
  return json;
}

Json simulation_json(const target::SimulationResult& result) {
  Json json = Json::object();
  for (const artifact::NamedQuantity& figure : result.counted) json[figure.key] = number(figure.quantity, false);
  json["matches"] = result.matches;
  return json;
}

Json layer_json(const ReportLayer& row, const Report& report) {
  const artifact::Metrics& metrics = row.metrics;
  Json json{{"name", row.layer.name}, {"operator", row.layer.operator_name}, {"shape", shape_json(row.layer)}};
  json["mapped"] = row.mapped();
  if (!row.mapped()) json["reason"] = row.reason;
  json["macs"] = row.layer.macs();
  json["coefficients"] = row.layer.coefficients();
  json["cycles"] = integer(metrics.cycles.value);
  json["seconds"] = metrics.seconds.value;
  json["utilization"] = metrics.utilization.value;
  json["bytes_in"] = metrics.bytes_in;
  json["bytes_out"] = metrics.bytes_out;
  json["bytes_weights"] = metrics.bytes_weights;
  json["bytes_once"] = bytes_once(row.layer);
  json["bound"] = {{"kind", metrics.bound.kind}, {"cycles", metrics.bound.cycles}, {"proven", metrics.bound.proven}};
  json["origin"] = std::string(origin_name(metrics.cycles.origin));
  json["origins"] = origins_json(metrics);
  json["verified"] = metrics.verified;
  json["breakdown"] = breakdown_json(metrics);
  json["published"] = published_json(row.published);
  if (row.mapped()) json[report.target] = target_json(metrics, report.figures);
  if (row.simulation) json["simulation"] = simulation_json(*row.simulation);
  return json;
}

Json total_json(const Report& report) {
  const artifact::Metrics& total = report.total;
  Json json{{"macs", total.macs},
            {"cycles", integer(total.cycles.value)},
            {"seconds", total.seconds.value},
            {"utilization", total.utilization.value},
            {"bytes_in", total.bytes_in},
            {"bytes_out", total.bytes_out},
            {"bytes_weights", total.bytes_weights}};
  json["origin"] = std::string(origin_name(total.cycles.origin));
  json["origins"] = origins_json(total);
  json["published"] = published_json(report.total_published);
  json[report.target] = target_json(total, report.figures);
  return json;
}

}  // namespace

std::string report_json(const Report& report) {
  Json json{{"schema", "convscope-report"}, {"version", 1},
            {"network", report.network},    {"target", report.target},
            {"preset", report.preset},      {"level", report.level}};
  json["parameters"] = parameters_json(report.machine);
  json["layers"] = Json::array();
  for (const ReportLayer& row : report.layers) json["layers"].push_back(layer_json(row, report));
  json["total"] = total_json(report);
  json["coverage"] = report.coverage ? Json(*report.coverage) : Json();
  json["complete"] = report.complete;
  if (report.compile_seconds) json["compile_seconds"] = *report.compile_seconds;
  // Names come from files: what is not UTF-8 is replaced instead of thrown at.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace convscope::analysis
