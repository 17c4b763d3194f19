#include "app/cli/commands/quantize_report.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/analysis/table.h"

namespace convscope::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Infinite where nothing was lost, which JSON has no number for.
Json sqnr_json(const quantization::Error& error) {
  const double sqnr = error.sqnr();
  return error.count > 0 && std::isfinite(sqnr) ? Json(sqnr) : Json();
}

/// With its unit, or in words where the quotient has no number.
std::string sqnr_text(const quantization::Error& error) {
  if (error.count == 0) return {};
  if (error.noise == 0) return "nothing lost";
  return error.signal == 0 ? "all lost" : fmt::format("{:.1f} dB", error.sqnr());
}

Json own_scale_json(const quantization::OwnScale& own, const quantization::OwnPoint& point) {
  return {{"type", network::element_type_name(own.type)},
          {"scales", own.scales},
          {"zero_points", own.zero_points},
          {"exact", own.is_point()},
          {"sqnr_by_scale", sqnr_json(point.by_scale)},
          {"sqnr_by_point", sqnr_json(point.by_point)}};
}

Json tensor_json(const QuantizeResult& result, int tensor) {
  const auto& range = result.widths.formats.ranges[static_cast<std::size_t>(tensor)];
  const quantization::Format& format = *result.format_of(tensor);
  Json json{{"name", result.graph.tensors[static_cast<std::size_t>(tensor)].name},
            {"format", format.name()},
            {"bits", format.bits},
            {"fraction", format.fraction},
            {"least", range.least},
            {"most", range.most},
            {"constant", result.graph.tensors[static_cast<std::size_t>(tensor)].constant != nullptr},
            {"sqnr", sqnr_json(result.error_of(tensor))}};
  if (result.own) json["origin"] = result.scale_of(tensor) == nullptr ? "calibration" : "file";
  if (const quantization::OwnScale* own = result.scale_of(tensor))
    json["own_scale"] = own_scale_json(*own, *result.own->points.points[static_cast<std::size_t>(tensor)]);
  const auto& filters = result.widths.formats.filters;
  if (!filters.empty() && !filters[static_cast<std::size_t>(tensor)].fractions.empty())
    json["filter_fractions"] = filters[static_cast<std::size_t>(tensor)].fractions;
  return json;
}

Json unit_json(const QuantizeResult& result, const quantization::WidthUnit& unit) {
  Json json{{"narrow", unit.narrow},
            {"sqnr", std::isfinite(unit.sqnr) ? Json(unit.sqnr) : Json()},
            {"bits_saved", unit.bits_saved},
            {"tensors", Json::array()}};
  for (const int tensor : unit.tensors)
    json["tensors"].push_back(result.graph.tensors[static_cast<std::size_t>(tensor)].name);
  return json;
}

Json narrow_json(const QuantizeOptions& options, const QuantizeResult& result) {
  Json json{{"bits", *options.narrow},
            {"least_sqnr", options.least_sqnr},
            {"met", result.widths.bound_met},
            {"units", Json::array()}};
  for (const quantization::WidthUnit& unit : result.widths.units) json["units"].push_back(unit_json(result, unit));
  return json;
}

/// What was narrowed, and what that saves of the bits of all that could have been.
std::string narrow_text(const QuantizeOptions& options, const quantization::MixedWidths& widths) {
  std::size_t narrowed = 0;
  double saved = 0, whole = 0;
  for (const quantization::WidthUnit& unit : widths.units) {
    narrowed += unit.narrow ? 1 : 0;
    saved += unit.narrow ? static_cast<double>(unit.bits_saved) : 0;
    whole += static_cast<double>(unit.bits_saved);
  }
  const int wide = options.calibration.bits;
  const double share = whole > 0 ? saved / whole * (wide - *options.narrow) / wide : 0;
  return fmt::format(
      "{} of {} groups of tensors have {} bits, {:.1f} % of all bits are saved; each output keeps {:g} dB\n", narrowed,
      widths.units.size(), *options.narrow, 100 * share, options.least_sqnr);
}

/// How many tensors keep the scales of the file, how many of them as they are, and what the others cost.
std::string own_text(const network::Network& network, const QuantizeResult& result) {
  int stated = 0, exact = 0;
  for (const auto& scale : result.own->scales) {
    stated += scale ? 1 : 0;
    exact += scale && scale->is_point() ? 1 : 0;
  }
  std::string text = fmt::format(
      "{} tensors have a scale in the file, {} of them a power of two around 0, which is kept; {} have the format of "
      "their width next to it\n",
      stated, exact, stated - exact);
  for (std::size_t i = 0; i < result.graph.outputs.size(); ++i)
    text += fmt::format("with the file's own scales, {}: {} at output {}\n", network.name,
                        sqnr_text(result.own->points.outputs[i]),
                        result.graph.tensors[static_cast<std::size_t>(result.graph.outputs[i])].name);
  return text;
}

/// Where an output's point comes from, and what the scale and the point next to it cost it alone.
void add_origin(std::vector<std::string>& row, const QuantizeResult& result, int tensor) {
  row.resize(7);
  if (result.format_of(tensor) == nullptr) return;
  const quantization::OwnScale* own = result.scale_of(tensor);
  row.emplace_back(own == nullptr ? "calibration" : own->is_point() ? "file" : "file, next point");
  if (own == nullptr) return;
  const quantization::OwnPoint& point = *result.own->points.points[static_cast<std::size_t>(tensor)];
  row.insert(row.end(), {sqnr_text(point.by_scale), sqnr_text(point.by_point)});
}

}  // namespace

std::string quantize_json(const QuantizeOptions& options, const network::Network& network,
                          const QuantizeResult& result) {
  Json json{{"schema", "convscope-quantization"}, {"version", 1}, {"network", network.name}};
  if (options.stored.empty())
    json.update({{"bits", options.calibration.bits},
                 {"percentile", options.calibration.percentile},
                 {"per_filter", options.calibration.per_filter}});
  else
    json["stored_weights"] = options.stored;
  json.update({{"folded_normalizations", result.folded},
               {"inputs", result.error.inputs},
               {"same_answer", options.ranges.empty() ? Json(result.error.same_answer) : Json()},
               {"outputs", Json::array()},
               {"tensors", Json::array()}});
  for (std::size_t i = 0; result.own && i < result.graph.outputs.size(); ++i)
    json["own_scales_sqnr"].push_back(sqnr_json(result.own->points.outputs[i]));
  for (const int output : result.graph.outputs)
    json["outputs"].push_back(
        {{"name", result.graph.tensors[static_cast<std::size_t>(output)].name},
         {"sqnr", sqnr_json(result.error_of(output))},
         {"largest_error", result.error_of(output).count > 0 ? Json(result.error_of(output).largest) : Json()}});
  for (int tensor = 0; tensor < static_cast<int>(result.graph.tensors.size()); ++tensor)
    if (result.format_of(tensor) != nullptr) json["tensors"].push_back(tensor_json(result, tensor));
  if (options.narrow) json["narrow"] = narrow_json(options, result);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string quantize_text(const QuantizeOptions& options, const network::Network& network,
                          const QuantizeResult& result) {
  analysis::TextTable table{{"layer", "operator", "weights", "output", "least", "most", "SQNR"}, {}};
  if (result.own) table.columns.insert(table.columns.end(), {"point from", "by the scale", "by the point"});
  for (const network::Node& node : result.graph.nodes) {
    if (node.outputs.empty()) continue;
    const quantization::Format* output = result.format_of(node.outputs[0]);
    std::string weights;
    if (node.inputs.size() > 1 && node.inputs[1] >= 0 && result.format_of(node.inputs[1]) != nullptr &&
        result.graph.tensors[static_cast<std::size_t>(node.inputs[1])].constant)
      weights = result.format_of(node.inputs[1])->name();
    if (output == nullptr && weights.empty()) continue;
    const auto& range = result.widths.formats.ranges[static_cast<std::size_t>(node.outputs[0])];
    std::vector<std::string> row{node.name, node.operator_name, weights};
    if (output != nullptr) {
      row.insert(row.end(), {output->name(), fmt::format("{:.4g}", range.least), fmt::format("{:.4g}", range.most),
                             sqnr_text(result.error_of(node.outputs[0]))});
    }
    if (result.own) add_origin(row, result, node.outputs[0]);
    table.rows.push_back(std::move(row));
  }
  std::string text = table.rows.empty() ? std::string() : analysis::aligned_text(table) + '\n';
  if (!options.ranges.empty())
    return text + fmt::format("formats from the ranges in {}; nothing was executed\n", options.ranges);
  for (const int output : result.graph.outputs)
    text +=
        fmt::format("signal to quantization noise of {}: {} at output {}\n", network.name,
                    sqnr_text(result.error_of(output)), result.graph.tensors[static_cast<std::size_t>(output)].name);
  if (result.own) text += own_text(network, result);
  if (options.narrow && result.widths.bound_met) text += narrow_text(options, result.widths);
  return text + fmt::format("largest value in the same place: {} of {} inputs\n", result.error.same_answer,
                            result.error.inputs);
}

}  // namespace convscope::cli
