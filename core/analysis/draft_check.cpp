#include "core/analysis/draft_check.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace convscope::analysis {
namespace {

using DraftCheckJson = nlohmann::ordered_json;

const char* rule_name(schedule::DraftViolation::Rule rule) {
  switch (rule) {
    case schedule::DraftViolation::Rule::too_early:
      return "too early";
    case schedule::DraftViolation::Rule::too_late:
      return "too late";
    case schedule::DraftViolation::Rule::taken:
      return "taken";
  }
  return "";
}

std::string figure_line(double value, const artifact::FigureDescription& description) {
  return fmt::format("{:.{}f} {}", value, description.ratio ? 2 : 0, description.label);
}

std::string figures_line(const std::vector<artifact::NamedQuantity>& figures,
                         const std::vector<artifact::FigureDescription>& described) {
  std::string line;
  for (const artifact::NamedQuantity& each : figures)
    if (const auto* description = artifact::find_figure(described, each.key))
      line += (line.empty() ? "" : ", ") + figure_line(each.quantity.value, *description);
  return line;
}

DraftCheckJson json_number(double value) {
  if (std::nearbyint(value) == value && std::fabs(value) < 1e15) return std::llround(value);
  return value;
}

DraftCheckJson json_figures(const std::vector<artifact::NamedQuantity>& figures) {
  DraftCheckJson json = DraftCheckJson::object();
  for (const artifact::NamedQuantity& each : figures) json[each.key] = json_number(each.quantity.value);
  return json;
}

std::string published_line(const PublishedOfLayer& each) {
  return fmt::format("published, {}: {:.10g} {}\n", each.source, each.value, each.label);
}

std::string program_line(const DraftCheck& check) {
  if (!check.finished) return {};
  if (!check.finished->verified) return "no program: it was refused\n";
  return fmt::format("program: {}; {}\n",
                     check.finished->simulation.matches ? "verified, every output equals the reference"
                                                        : "verified, but outputs differ from the reference",
                     figures_line(check.finished->figures, check.described));
}

}  // namespace

std::vector<PublishedOfLayer> published_of_layer(const PublishedTables& tables, const std::string& network,
                                                 const std::string& layer, const std::string& target,
                                                 const std::vector<artifact::FigureDescription>& described) {
  std::vector<PublishedOfLayer> found;
  for (const PublishedSchedule& each : tables.schedules())
    if (each.network == network && each.layer == layer)
      found.push_back({each.source, "interval", fmt::format("cycles (level {})", each.level),
                       static_cast<double>(each.cycles.size())});
  for (const auto& [source, figures] : tables.of_layer(network, layer, target))
    for (const auto& [key, value] : figures)
      if (const auto* description = artifact::find_figure(described, key))
        found.push_back({source, key, description->label, value});
  return found;
}

DraftCheck check_draft(const target::DraftTools& tools, const schedule::Draft& draft, schedule::DraftOrigin origin,
                       const target::OptionValues& options, const std::stop_token& stop, Diagnostics& diagnostics) {
  DraftCheck check{
      std::move(origin), schedule::figures(draft), tools.problem()->bound_text(), tools.automatic().interval(), {}};
  const auto& operations = tools.problem()->problem().operations;
  for (const schedule::DraftViolation& each : schedule::violations(draft))
    check.broken.push_back({each.operation, operations[static_cast<std::size_t>(each.operation)].name,
                            rule_name(each.rule), schedule::violation_text(draft, each)});
  check.steady = tools.steady_figures(draft);
  check.described = tools.figures();
  if (check.complete() && check.broken.empty()) check.finished = tools.finish(draft, options, stop, diagnostics);
  return check;
}

std::string draft_check_text(const DraftCheck& check) {
  const schedule::DraftFigures& figures = check.figures;
  std::string text =
      fmt::format("{}, layer {}, program {}: {} of {} operations placed, {}\n", check.origin.network,
                  check.origin.layer, check.origin.program, figures.placed, figures.operations,
                  check.broken.empty() ? "no rule broken" : fmt::format("{} broken rules", check.broken.size()));
  text += fmt::format("interval {}, {} overlapping iterations of {} cycles", figures.interval, figures.stages,
                      figures.length);
  if (const std::string line = figures_line(check.steady, check.described); !line.empty()) text += "; " + line;
  text += '\n' + program_line(check);
  text += fmt::format("compiler, level {}: interval {}; proven: none below {}{}\n", check.origin.level,
                      check.automatic_interval, figures.bound,
                      check.bound_text.empty() ? "" : " (" + check.bound_text + ")");
  for (const PublishedOfLayer& each : check.published) text += published_line(each);
  return text;
}

std::string draft_check_json(const DraftCheck& check) {
  const schedule::DraftFigures& figures = check.figures;
  DraftCheckJson json{{"schema", "convscope-draft-check"}, {"version", 1}};
  json["made_for"] = {{"network", check.origin.network},
                      {"target", check.origin.target},
                      {"level", check.origin.level},
                      {"layer", check.origin.layer},
                      {"program", check.origin.program}};
  json["operations"] = figures.operations, json["placed"] = figures.placed, json["complete"] = check.complete();
  json["interval"] = figures.interval, json["length"] = figures.length, json["stages"] = figures.stages;
  json["bound"] = figures.bound, json["bound_text"] = check.bound_text;
  json["automatic"] = {{"interval", check.automatic_interval}};
  json["steady"] = json_figures(check.steady);
  json["broken"] = DraftCheckJson::array();
  for (const BrokenRule& each : check.broken)
    json["broken"].push_back(
        {{"operation", each.operation}, {"name", each.name}, {"rule", each.rule}, {"text", each.text}});
  if (check.finished)
    json["program"] = {{"verified", check.finished->verified},
                       {"matches", check.finished->simulation.matches},
                       {"figures", json_figures(check.finished->figures)},
                       {"counted", json_figures(check.finished->simulation.counted)}};
  json["published"] = DraftCheckJson::array();
  for (const PublishedOfLayer& each : check.published)
    json["published"].push_back({{"source", each.source}, {"figure", each.figure}, {"value", json_number(each.value)}});
  return json.dump(2, ' ', false, DraftCheckJson::error_handler_t::replace) + '\n';
}

}  // namespace convscope::analysis
