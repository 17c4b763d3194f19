#include "core/figures/snowflake/snowflake_networks.h"

#include "core/figures/samples.h"

namespace convscope::figures {

std::vector<std::string> snowflake_samples() {
  return {"snowflake_alexnet_owt.xml", "snowflake_resnet18.xml", "snowflake_resnet50.xml"};
}

std::optional<snowflake::Machine> snowflake_machine(const Environment& environment, Diagnostics& diagnostics) {
  const std::shared_ptr<const target::Target> target = environment.catalogue->find_target("snowflake");
  if (!target) diagnostics.error({}, "there is no target 'snowflake'");
  const auto values = target ? default_machine(*target, diagnostics) : std::nullopt;
  if (!values) return std::nullopt;
  return snowflake::machine_from(*values);
}

std::vector<std::string> snowflake_levels(const Environment& environment) {
  std::vector<std::string> levels;
  const std::shared_ptr<const target::Target> target = environment.catalogue->find_target("snowflake");
  if (!target) return levels;
  for (const target::Level& level : target->levels())
    if (level.name == "paper" || level.name == "best") levels.push_back(level.name);
  return levels;
}

std::optional<SnowflakeNetwork> snowflake_network(const std::string& file, const snowflake::Machine& machine,
                                                  const Environment& environment, Diagnostics& diagnostics) {
  const auto network = sample_network(file, environment, diagnostics);
  if (!network) return std::nullopt;
  return SnowflakeNetwork{network->name, snowflake::make_plan(*network, machine)};
}

snowflake::Choice only_choice(const snowflake::Mapping& mapping) {
  snowflake::Choice choice;
  choice.chosen = 0;
  choice.alternatives.emplace_back().mapping = mapping;
  return choice;
}

}  // namespace convscope::figures
