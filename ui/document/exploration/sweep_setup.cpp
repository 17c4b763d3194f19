#include "ui/document/exploration/sweep_setup.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/atomic_file.h"

namespace convscope::ui {
namespace {

using explore::DraftForm;
using explore::DraftMachines;
using explore::DraftParameter;

constexpr double usual_reach = 4;  // around the current value, up and down
constexpr int usual_steps = 4;     // likewise, of parameters that are no powers of two

std::string number(double value) {
  return fmt::format("{:.12g}", value);
}

/// Presets that come with the target are found wherever the space is read.
bool is_shipped(const Settings& machine) {
  return machine.preset_file.isEmpty() && comes_with_target(*machine.target, machine.preset);
}

/// What the target starts with: of its preset, or of its description if it has none.
arch::ParameterValues usual_values(const Settings& machine) {
  const auto preset = QString::fromStdString(machine.target->default_preset());
  if (preset.isEmpty()) return arch::ParameterValues(machine.target->machine());
  if (preset == preset_reference(machine)) return machine.preset_values;
  Diagnostics unreadable;
  const auto read = read_settings(machine.target, preset, machine.level, unreadable);
  return read ? read->values : arch::ParameterValues(machine.target->machine());
}

explore::DraftNetwork network_of(std::string file, const std::optional<network::InputSizes>& sizes) {
  explore::DraftNetwork network{std::move(file), {}, {}, {}};
  if (!sizes) return network;
  network.batch = std::to_string(sizes->batch);
  if (sizes->image) network.input_size = fmt::format("{}x{}", sizes->image->height, sizes->image->width);
  return network;
}

DraftParameter single(const Settings& machine, std::size_t index) {
  DraftParameter parameter;
  parameter.name = machine.values.description().parameters[index].name;
  parameter.values = machine.values.text(index);
  return parameter;
}

DraftParameter range_around(const arch::ParameterDescription& description, double value) {
  DraftParameter parameter;
  parameter.name = description.name;
  if (description.kind == arch::ParameterKind::choice) {
    parameter.values = fmt::format("{}", fmt::join(description.choices, " "));
    return parameter;
  }
  parameter.form = DraftForm::range;
  const bool doubles = description.powers_of_two || (description.kind == arch::ParameterKind::real && value > 0);
  const double reach = usual_steps * std::max(description.step, 1.0);
  const double low = doubles ? value / usual_reach : value - reach;
  const double high = doubles ? value * usual_reach : value + reach;
  parameter.from = number(arch::nearest_allowed(description, std::max(low, description.minimum)));
  parameter.to = number(arch::nearest_allowed(description, std::min(high, description.maximum)));
  if (doubles && !description.powers_of_two) {
    parameter.factor = true;
    parameter.step = number(2);
  }
  return parameter;
}

}  // namespace

std::string SweepSetup::folder() const {
  return file.isEmpty() ? std::string() : QFileInfo(file).absolutePath().toStdString();
}

SetupReading read_setup(const QString& file) {
  SetupReading reading;
  const auto text = read_file(file.toStdString(), reading.diagnostics);
  const auto draft = text ? explore::read_draft(*text, file.toStdString(), reading.diagnostics) : std::nullopt;
  if (!draft) return reading;
  reading.setup = SweepSetup{*draft, QFileInfo(file).absoluteFilePath(), *text, *draft, {}, {}};
  return reading;
}

DraftMachines machines_for(const Settings& machine) {
  DraftMachines machines;
  machines.target = machine.target->id();
  machines.levels = {machine.level.toStdString()};
  const bool shipped = is_shipped(machine);
  if (shipped) machines.presets = {machine.preset.toStdString()};
  const arch::ParameterValues base = shipped ? machine.preset_values : usual_values(machine);
  for (std::size_t i = 0; i < machine.values.description().parameters.size(); ++i) {
    if (machine.values.at(i) != base.at(i)) machines.parameters.push_back(single(machine, i));
  }
  return machines;
}

void vary(DraftMachines& machines, const Settings& machine, std::size_t parameter) {
  const arch::ParameterDescription& description = machine.values.description().parameters[parameter];
  std::erase_if(machines.parameters, [&](const DraftParameter& each) { return each.name == description.name; });
  machines.parameters.push_back(range_around(description, machine.values.at(parameter)));
}

SweepSetup setup_for(const Settings& machine, const QString& network_file,
                     const std::optional<network::InputSizes>& sizes) {
  SweepSetup setup;
  setup.draft.name = machine.target->id() + "-sweep";
  if (!network_file.isEmpty()) {
    const QFileInfo file(network_file);
    setup.draft.networks.push_back(network_of(file.absoluteFilePath().toStdString(), sizes));
  }
  setup.draft.machines.push_back(machines_for(machine));
  for (const explore::Objective& objective : explore::default_objectives())
    setup.draft.objectives.push_back({objective.key, {}});
  return setup;
}

}  // namespace convscope::ui
