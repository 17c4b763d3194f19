#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/analysis/table.h"
#include "core/figures/tso/tso_calibration.h"

namespace convscope::figures {
namespace {

using Json = nlohmann::ordered_json;
using nmp::fitted_parameters;

std::string percent(double fraction) {
  return fmt::format("{:.2f} %", fraction * 100);
}

std::string unit_text(std::string_view unit) {
  return unit.empty() ? std::string() : fmt::format(", {}", unit);
}

/// The value, and what became of its freedom: fixed, or stopped by its range.
std::string value_text(double value, const nmp::FittedRange& range) {
  if (range.fixed()) return fmt::format("{:g} fixed", value);
  const double edge = 1e-3 * (range.high - range.low);
  const bool at_edge = value - range.low < edge || range.high - value < edge;
  return fmt::format("{:.5g}{}", value, at_edge ? " at its limit" : "");
}

analysis::TextTable variant_table(const CalibrationReport& report) {
  analysis::TextTable table{{"fit"}, {}};
  for (const auto& parameter : fitted_parameters)
    table.columns.push_back(std::string(parameter.name) + unit_text(parameter.unit));
  table.columns.insert(table.columns.end(), {"mean error", "largest", "left out, mean"});
  for (const CalibrationVariant& variant : report.variants) {
    std::vector<std::string> row{variant.name};
    for (std::size_t i = 0; i < fitted_parameters.size(); ++i)
      row.push_back(value_text(variant.fit.values[i], variant.ranges[i]));
    row.insert(row.end(), {percent(variant.fit.mean_error()), percent(variant.fit.largest_error()),
                           variant.left_out.empty() ? "-" : percent(variant.left_out_mean())});
    table.rows.push_back(std::move(row));
  }
  return table;
}

analysis::TextTable network_table(const CalibrationReport& report) {
  analysis::TextTable table{{"network", "us published"}, {}};
  for (const CalibrationVariant& variant : report.variants) {
    table.columns.push_back(variant.name);
    if (!variant.left_out.empty()) table.columns.push_back(variant.name + ", left out");
  }
  for (std::size_t n = 0; n < report.networks.size(); ++n) {
    std::vector<std::string> row{report.networks[n], fmt::format("{:.0f}", report.published[n] * 1e6)};
    for (const CalibrationVariant& variant : report.variants) {
      row.push_back(analysis::percent_text(variant.fit.errors[n]));
      if (!variant.left_out.empty()) row.push_back(analysis::percent_text(variant.left_out[n].error));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

analysis::TextTable profile_table(const CalibrationReport& report) {
  analysis::TextTable table{
      {"CAS held at, ns", "bandwidth, GB/s", "command_cost, ns", "root mean square", "mean error"}, {}};
  for (const CalibrationProfile& each : report.profile)
    table.rows.push_back({fmt::format("{:g}", each.cas), fmt::format("{:.2f}", each.fit.values[1]),
                          fmt::format("{:.0f}", each.fit.values[3]), percent(each.fit.root_mean_square),
                          percent(each.fit.mean_error())});
  return table;
}

const CalibrationVariant* find(const CalibrationReport& report, std::string_view name) {
  const auto found = std::find_if(report.variants.begin(), report.variants.end(),
                                  [&](const CalibrationVariant& each) { return each.name == name; });
  return found == report.variants.end() ? nullptr : &*found;
}

std::string limits_finding(const CalibrationVariant& variant) {
  std::string names;
  for (std::size_t i = 0; i < fitted_parameters.size(); ++i) {
    const nmp::FittedRange& range = variant.ranges[i];
    const double edge = 1e-3 * (range.high - range.low), value = variant.fit.values[i];
    if (range.fixed() || (value - range.low >= edge && range.high - value >= edge)) continue;
    names += fmt::format("{}{} = {:g}", names.empty() ? "" : ", ", fitted_parameters[i].name, value);
  }
  if (names.empty()) return {};
  return fmt::format("Fit '{}' stops at the limits of its ranges ({}): the ranges choose these, not the data.",
                     variant.name, names);
}

/// How far CAS can be moved for two points of error.
std::string profile_finding(const std::vector<CalibrationProfile>& profile) {
  const auto best = std::min_element(profile.begin(), profile.end(), [](const auto& a, const auto& b) {
    return a.fit.root_mean_square < b.fit.root_mean_square;
  });
  double low = best->cas, high = best->cas;
  for (const CalibrationProfile& each : profile)
    if (each.fit.root_mean_square <= best->fit.root_mean_square + 0.02)
      low = std::min(low, each.cas), high = std::max(high, each.cas);
  return fmt::format(
      "CAS held anywhere from {:g} to {:g} ns fits within two points of the best ({} at {:g} ns): bandwidth and cost "
      "of a "
      "command make up for it, so this column alone does not identify it.",
      low, high, percent(best->fit.root_mean_square), best->cas);
}

Json values_json(const nmp::FittedValues& values) {
  Json json = Json::object();
  for (std::size_t i = 0; i < values.size(); ++i) json[std::string(fitted_parameters[i].name)] = values[i];
  return json;
}

Json ranges_json(const nmp::FittedRanges& ranges) {
  Json json = Json::object();
  for (std::size_t i = 0; i < ranges.size(); ++i)
    json[std::string(fitted_parameters[i].name)] = {ranges[i].low, ranges[i].high};
  return json;
}

Json fit_json(const nmp::Fit& fit, const std::vector<std::string>& networks) {
  Json json{{"values", values_json(fit.values)},
            {"mean_error", fit.mean_error()},
            {"largest_error", fit.largest_error()},
            {"root_mean_square", fit.root_mean_square}};
  for (std::size_t n = 0; n < networks.size(); ++n) json["errors"][networks[n]] = fit.errors[n];
  return json;
}

Json variant_json(const CalibrationVariant& variant, const std::vector<std::string>& networks) {
  Json json{{"name", variant.name}, {"title", variant.title}, {"ranges", ranges_json(variant.ranges)}};
  json.update(fit_json(variant.fit, networks));
  if (variant.left_out.empty()) return json;
  json["left_out_mean_error"] = variant.left_out_mean();
  for (std::size_t n = 0; n < networks.size(); ++n)
    json["left_out"][networks[n]] = {{"values", values_json(variant.left_out[n].values)},
                                     {"error", variant.left_out[n].error}};
  return json;
}

}  // namespace

std::vector<std::string> calibration_findings(const CalibrationReport& report) {
  std::vector<std::string> findings;
  if (const CalibrationVariant* free = find(report, "cas-free"))
    findings.push_back(fmt::format("Left free, the CAS latency goes to {:.2g} ns; the paper states 14 ns.",
                                   free->fit.values[nmp::fitted_cas]));
  if (!report.profile.empty()) findings.push_back(profile_finding(report.profile));
  for (const CalibrationVariant& variant : report.variants)
    if (std::string limits = limits_finding(variant); !limits.empty()) findings.push_back(std::move(limits));
  return findings;
}

std::string calibration_text(const CalibrationReport& report) {
  std::string text = "Fitted to the TSO column of Table I: least squares of relative errors.\n\n";
  for (const CalibrationVariant& variant : report.variants)
    text += fmt::format("{}: {}\n", variant.name, variant.title);
  text += '\n' + analysis::aligned_text(variant_table(report));
  text += "\nErrors by network; 'left out': foretold by a fit to the other four\n\n";
  text += analysis::aligned_text(network_table(report));
  text += "\nWhat five times can't tell apart\n\n" + analysis::aligned_text(profile_table(report)) + '\n';
  for (const std::string& finding : calibration_findings(report)) text += finding + '\n';
  return text;
}

std::string calibration_json(const CalibrationReport& report) {
  Json json{
      {"schema", "convscope-calibration"}, {"version", 1}, {"preset", "nmp-board"}, {"source", "tso-table1-burst"}};
  for (const auto& parameter : fitted_parameters) json["units"][std::string(parameter.name)] = parameter.unit;
  for (std::size_t n = 0; n < report.networks.size(); ++n)
    json["published_seconds"][report.networks[n]] = report.published[n];
  for (const CalibrationVariant& variant : report.variants)
    json["fits"].push_back(variant_json(variant, report.networks));
  for (const CalibrationProfile& each : report.profile) {
    json["profile"].push_back({{"cas", each.cas}});
    json["profile"].back().update(fit_json(each.fit, report.networks));
  }
  json["findings"] = calibration_findings(report);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace convscope::figures
