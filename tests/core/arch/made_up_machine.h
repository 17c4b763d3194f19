#pragma once
// A small machine with every kind of parameter and a constraint.

#include <memory>

#include "core/arch/parameters.h"

namespace convscope::arch {

inline std::shared_ptr<const MachineDescription> made_up_machine() {
  MachineDescription machine;
  machine.target = "toaster";
  machine.title = "Toaster";
  machine.parameters = {
      {"lanes", "Vector lanes", "", "", "Datapath", ParameterKind::integer, 4, 64, 1, 16, true, {}},
      {"registers", "Registers", "", "", "Datapath", ParameterKind::integer, 1, 31, 3, 4, false, {}},
      {"stages", "Stages", "cycles", "", "Datapath", ParameterKind::integer, 0, 8, 1, 2, false, {}},
      {"clock", "Clock", "MHz", "", "System", ParameterKind::real, 0.5, 200, 0.1, 100, false, {}},
      {"bandwidth", "Bandwidth", "MB/s", "", "System", ParameterKind::real, 1, 1e9, 0, 800, false, {}},
      {"memory", "Memory", "", "", "System", ParameterKind::choice, 0, 0, 1, 1, false, {"single", "dual", "banked"}}};
  machine.constraints = {
      {{"registers", "lanes"},
       "lanes must be at least twice the registers",
       [](const ParameterValues& values) { return values.get_int("lanes") >= 2 * values.get_int("registers"); }},
      {{"stages"}, "100 must divide by stages", [](const ParameterValues& values) {
         return values.get_int("stages") == 0 || 100 % values.get_int("stages") == 0;
       }}};
  return std::make_shared<const MachineDescription>(std::move(machine));
}

}  // namespace convscope::arch
