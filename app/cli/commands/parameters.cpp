#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "app/cli/options.h"
#include "core/analysis/table.h"
#include "core/target/presets.h"

namespace convscope::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ParametersOptions {
  MachineOptions machine;
  bool json = false;
};

const char* kind_name(arch::ParameterKind kind) {
  switch (kind) {
    case arch::ParameterKind::integer:
      return "integer";
    case arch::ParameterKind::real:
      return "real";
    case arch::ParameterKind::choice:
      return "choice";
  }
  return "";
}

Json parameter_json(const arch::ParameterDescription& parameter, const arch::ParameterValues& values,
                    std::size_t index) {
  Json json{{"name", parameter.name}, {"label", parameter.label}, {"unit", parameter.unit},
            {"help", parameter.help}, {"group", parameter.group}, {"kind", kind_name(parameter.kind)}};
  if (parameter.kind == arch::ParameterKind::choice) {
    json["choices"] = parameter.choices;
    json["default"] = parameter.choices[static_cast<std::size_t>(parameter.initial)];
    json["value"] = values.text(index);
  } else {
    json["minimum"] = parameter.minimum;
    json["maximum"] = parameter.maximum;
    json["step"] = parameter.step;
    json["powers_of_two"] = parameter.powers_of_two;
    json["default"] = parameter.initial;
    json["value"] = values.at(index);
  }
  return json;
}

std::string machine_json(const target::Target& target, const arch::ParameterValues& values, const std::string& preset) {
  const arch::MachineDescription& description = values.description();
  Json json{{"schema", "convscope-parameters"},
            {"version", 1},
            {"target", target.id()},
            {"title", target.title()},
            {"preset", preset},
            {"presets", target::preset_names(target)},
            {"default_level", target.default_level()}};
  json["levels"] = Json::array();
  for (const target::Level& level : target.levels())
    json["levels"].push_back({{"name", level.name}, {"title", level.title}});
  json["parameters"] = Json::array();
  for (std::size_t i = 0; i < description.parameters.size(); ++i)
    json["parameters"].push_back(parameter_json(description.parameters[i], values, i));
  json["constraints"] = Json::array();
  for (const arch::Constraint& constraint : description.constraints)
    json["constraints"].push_back({{"parameters", constraint.parameters}, {"message", constraint.message}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string range_text(const arch::ParameterDescription& parameter) {
  if (parameter.kind != arch::ParameterKind::choice)
    return analysis::number_text(parameter.minimum) + " to " + analysis::number_text(parameter.maximum) +
           (parameter.powers_of_two ? ", powers of two" : "");
  // A column as wide as 120 orders of an address can't be read: JSON lists them all.
  constexpr std::size_t shown = 8;
  const std::size_t count = parameter.choices.size();
  const auto end = parameter.choices.begin() + static_cast<std::ptrdiff_t>(count <= shown ? count : 2);
  std::string text;
  for (auto choice = parameter.choices.begin(); choice != end; ++choice) text += (text.empty() ? "" : " | ") + *choice;
  return count <= shown ? text : fmt::format("{} | ... ({}, all with --json)", text, count);
}

std::string machine_text(const target::Target& target, const arch::ParameterValues& values) {
  const auto& parameters = values.description().parameters;
  analysis::TextTable table{{"parameter", "value", "unit", "range", "what it is"}, {}};
  for (std::size_t i = 0; i < parameters.size(); ++i)
    table.rows.push_back(
        {parameters[i].name, values.text(i), parameters[i].unit, range_text(parameters[i]), parameters[i].help});
  std::string text = target.title() + "\n\n" + aligned_text(table) + "\nConstraints:\n";
  for (const arch::Constraint& constraint : values.description().constraints) text += "  " + constraint.message + '\n';
  text += "Levels:\n";
  for (const target::Level& level : target.levels())
    text += "  " + level.name + ": " + level.title + (level.name == target.default_level() ? " (default)\n" : "\n");
  text += "Presets:\n";
  for (const std::string& preset : target::preset_names(target)) text += "  " + preset + '\n';
  return text;
}

ExitCode run(const ParametersOptions& options, Context& context) {
  Diagnostics diagnostics;
  const auto target = context.catalogue->find_target(options.machine.target);
  const auto values = resolve_machine(options.machine, *target, diagnostics);
  context.console.report(diagnostics);
  if (!values) return refused;
  context.console.data(options.json ? machine_json(*target, *values, preset_name(options.machine, *target))
                                    : machine_text(*target, *values));
  return done;
}

}  // namespace

Command add_parameters(CLI::App& program, const catalogue::Catalogue& catalogue) {
  CLI::App* command = program.add_subcommand("parameters", "What can be set on a machine");
  const auto options = std::make_shared<ParametersOptions>();
  options->machine.add_machine_to(*command, catalogue);
  command->add_flag("--json", options->json, "As JSON");
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
