#include "app/cli/described_options.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/target/measure.h"
#include "core/target/programs.h"

namespace convscope::cli {
namespace {

std::string type_name(const target::OptionDescription& description) {
  if (description.kind == target::OptionKind::integer) return "INT";
  if (description.kind == target::OptionKind::choice) return fmt::format("{{{}}}", fmt::join(description.choices, ","));
  return "TEXT";
}

}  // namespace

void DescribedOptions::add_to(CLI::App& command, const catalogue::Catalogue& catalogue) {
  for (const auto& target : catalogue.targets) {
    const auto* descriptions = descriptions_(*target);
    if (descriptions == nullptr) continue;
    for (const target::OptionDescription& each : *descriptions) offer(each);
  }
  for (Offered& each : offered_) {
    const target::OptionDescription& first = each.meanings.front();
    each.option = command.add_option("--" + each.name, each.text, first.help)
                      ->type_name(type_name(first))
                      ->default_str(first.initial)
                      ->check([&each](const std::string& value) { return mistake(each, value); });
  }
}

void DescribedOptions::offer(const target::OptionDescription& description) {
  auto found = std::find_if(offered_.begin(), offered_.end(),
                            [&](const Offered& each) { return each.name == description.name; });
  if (found == offered_.end()) found = offered_.insert(offered_.end(), {description.name, {}, {}, nullptr});
  found->meanings.push_back(description);
}

std::string DescribedOptions::mistake(const Offered& offered, const std::string& value) {
  const auto taken = [&](const target::OptionDescription& each) { return each.mistake(value).empty(); };
  if (std::any_of(offered.meanings.begin(), offered.meanings.end(), taken)) return {};
  return offered.meanings.front().mistake(value);
}

void DescribedOptions::need(CLI::Option* other) {
  for (const Offered& each : offered_) each.option->needs(other);
}

std::optional<target::OptionValues> DescribedOptions::resolve(const target::Target& target,
                                                              Diagnostics& diagnostics) const {
  const auto* descriptions = descriptions_(target);
  target::OptionValues values(descriptions == nullptr ? std::vector<target::OptionDescription>() : *descriptions);
  bool fine = true;
  for (const Offered& each : offered_)
    if (each.option->count() > 0) fine &= values.set(each.name, each.text, diagnostics);
  if (!fine) return std::nullopt;
  return values;
}

DescribedOptions simulation_options() {
  return DescribedOptions([](const target::Target& target) {
    const target::SimulationTools* tools = target.simulation_tools();
    return tools == nullptr ? nullptr : &tools->options();
  });
}

DescribedOptions measurement_options() {
  return DescribedOptions([](const target::Target& target) {
    const target::MeasurementTools* tools = target.measurement_tools();
    return tools == nullptr ? nullptr : &tools->options();
  });
}

DescribedOptions trace_options() {
  return DescribedOptions([](const target::Target& target) {
    const target::ProgramTools* tools = target.program_tools();
    return tools == nullptr ? nullptr : tools->trace_options();
  });
}

}  // namespace convscope::cli
