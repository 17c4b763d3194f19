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

/// What a machine could map, or the true sizes of what none maps.
Json sizes_json(std::initializer_list<int> mapped, const std::vector<int>& other) {
  return other.empty() ? Json(mapped) : Json(other);
}

Json shape_json(const network::Layer& layer) {
  const network::Padding& pad = layer.padding;
  return {{"in", layer.in_dimensions()},
          {"out", layer.out_dimensions()},
          {"kernel", sizes_json({layer.kernel.height, layer.kernel.width}, layer.space.kernel)},
          {"stride", sizes_json({layer.stride.height, layer.stride.width}, layer.space.stride)},
          {"padding", sizes_json({pad.top, pad.left, pad.bottom, pad.right}, layer.space.padding)},
          {"dilation", sizes_json({layer.dilation.height, layer.dilation.width}, layer.space.dilation)},
          {"groups", layer.groups}};
}

Json macs_json(const network::Layer& layer) {
  return layer.macs_known() ? Json(layer.macs()) : Json();
}

Json batch_json(const artifact::BatchFigures& batch) {
  return {{"images", batch.images},
          {"macs", batch.macs},
          {"cycles", integer(batch.cycles.value)},
          {"seconds", batch.seconds.value},
          {"bytes_in", batch.bytes_in},
          {"bytes_out", batch.bytes_out},
          {"bytes_weights", batch.bytes_weights},
          {"weights", artifact::weights_name(batch.weights)},
          {"seconds_saved", batch.seconds_saved},
          {"bytes_saved", batch.bytes_saved},
          {"origin", std::string(origin_name(batch.seconds.origin))},
          {"note", batch.note}};
}

/// Of a layer that no machine runs the work alone.
Json batch_json(const ReportLayer& row) {
  if (row.batch) return batch_json(*row.batch);
  const network::Layer& layer = row.layer;
  if (layer.images <= 1 || (layer.macs() == 0 && layer.macs_known())) return Json();
  Json json{{"images", layer.images}, {"macs", Json()}};
  if (layer.macs_known()) json["macs"] = batch_macs(layer);
  return json;
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
  for (const artifact::NamedQuantity& figure : result.counted)
    json[figure.key] = figure.text.empty() ? Json(number(figure.quantity, false)) : Json(figure.text);
  json["matches"] = result.matches;
  return json;
}

Json layer_json(const ReportLayer& row, const Report& report) {
  const artifact::Metrics& metrics = row.metrics;
  Json json{{"name", row.layer.name}, {"operator", row.layer.operator_name}, {"shape", shape_json(row.layer)}};
  json["mapped"] = row.mapped();
  if (!row.mapped()) json["reason"] = row.reason;
  json["macs"] = macs_json(row.layer);
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
  if (Json batch = batch_json(row); !batch.is_null()) json["batch"] = std::move(batch);
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
  if (report.batch) json["batch"] = batch_json(*report.batch);
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
  if (report.whole) json["whole"] = simulation_json(*report.whole);
  if (report.unknown_layers > 0) json["unknown_layers"] = report.unknown_layers;
  json["complete"] = report.complete;
  if (report.compile_seconds) json["compile_seconds"] = *report.compile_seconds;
  // Names come from files: what is not UTF-8 is replaced instead of thrown at.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace convscope::analysis
