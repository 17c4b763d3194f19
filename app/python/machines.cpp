#include <pybind11/stl.h>

#include "app/python/errors.h"
#include "app/python/objects.h"
#include "app/request/request.h"
#include "core/target/presets.h"

namespace convscope::python {
namespace {

namespace py = pybind11;

using Settings = std::vector<std::pair<std::string, std::string>>;  ///< names and values

py::list targets() {
  py::list list;
  for (const auto& target : standard_catalogue()->targets) {
    std::vector<std::string> levels;
    for (const target::Level& level : target->levels()) levels.push_back(level.name);
    py::dict entry;
    entry["id"] = target->id();
    entry["title"] = target->machine()->title;
    entry["presets"] = target::preset_names(*target);
    entry["default_preset"] = target->default_preset();
    entry["levels"] = levels;
    entry["default_level"] = target->default_level();
    list.append(entry);
  }
  return list;
}

py::object value_of(const arch::ParameterDescription& parameter, double value) {
  switch (parameter.kind) {
    case arch::ParameterKind::choice:
      return py::str(parameter.choices.at(static_cast<std::size_t>(value)));
    case arch::ParameterKind::integer:
      return py::int_(static_cast<std::int64_t>(value));
    case arch::ParameterKind::real:
      break;
  }
  return py::float_(value);
}

py::dict values_of(const Machine& machine) {
  py::dict values;
  const auto& parameters = machine.values.description().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    values[py::str(parameters[i].name)] = value_of(parameters[i], machine.values.at(i));
  return values;
}

py::list descriptions_of(const Machine& machine) {
  py::list list;
  for (const arch::ParameterDescription& parameter : machine.values.description().parameters) {
    py::dict entry;
    entry["name"] = parameter.name;
    entry["label"] = parameter.label;
    entry["unit"] = parameter.unit;
    entry["help"] = parameter.help;
    entry["group"] = parameter.group;
    if (parameter.kind == arch::ParameterKind::choice) {
      entry["choices"] = parameter.choices;
    } else {
      entry["minimum"] = value_of(parameter, parameter.minimum);
      entry["maximum"] = value_of(parameter, parameter.maximum);
    }
    list.append(entry);
  }
  return list;
}

/// A machine with other values; every relation between parameters must hold in the end, not between two settings.
Machine changed(const Machine& machine, const Settings& settings) {
  Diagnostics diagnostics;
  Machine result = machine;
  bool fine = true;
  for (const auto& [name, text] : settings) fine &= result.values.set(name, text, diagnostics);
  if (fine) result.values.check(diagnostics);
  raise_or_warn(diagnostics);
  return result;
}

Machine make_machine(const std::string& target_id, const std::string& preset, const Settings& settings) {
  Diagnostics diagnostics;
  const request::MachineChoice choice{target_id, preset, {}, {}, true};
  const auto target = request::resolve_target(target_id, *standard_catalogue(), diagnostics);
  auto values = target ? request::resolve_machine(choice, *target, diagnostics) : std::nullopt;
  raise_or_warn(diagnostics);
  return changed({target, std::move(values.value()), request::preset_name(choice, *target)}, settings);
}

Settings texts_of(const Machine& machine) {
  Settings texts;
  const auto& parameters = machine.values.description().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) texts.emplace_back(parameters[i].name, machine.values.text(i));
  return texts;
}

}  // namespace

void bind_machines(py::module_& module) {
  module.def("targets", &targets);
  py::class_<Machine>(module, "Machine")
      .def(py::init(&make_machine), py::arg("target"), py::arg("preset"), py::arg("settings"))
      .def_property_readonly("target", [](const Machine& machine) { return machine.target->id(); })
      .def_property_readonly("preset", [](const Machine& machine) { return machine.preset; })
      .def("values", &values_of)
      .def("texts", &texts_of)
      .def("descriptions", &descriptions_of)
      .def("changed", &changed, py::arg("settings"));
}

}  // namespace convscope::python
