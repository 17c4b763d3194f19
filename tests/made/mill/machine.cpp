#include "tests/made/mill/machine.h"

namespace convscope::made::mill {

std::shared_ptr<const arch::MachineDescription> machine_description() {
  using arch::ParameterKind;
  arch::MachineDescription machine;
  machine.target = "mill";
  machine.title = "Mill";
  machine.parameters = {
      {"stones", "Mill stones", "", "Grains ground in a turn.", "Mill", ParameterKind::integer, 1, 64, 1, 4, false, {}},
      {"clock", "Turns", "MHz", "Turns of the wheel.", "Mill", ParameterKind::real, 0.5, 100, 0, 2, false, {}},
      {"early_carts",
       "Early carts",
       "",
       "Carts leave while the layer before is being ground.",
       "Barn",
       ParameterKind::choice,
       0,
       0,
       1,
       1,
       false,
       {"off", "on"}}};
  return std::make_shared<const arch::MachineDescription>(std::move(machine));
}

Machine machine_from(const arch::ParameterValues& values) {
  return {values.get_int("stones"), values.get("clock") * 1e6, values.get_choice("early_carts") == "on"};
}

}  // namespace convscope::made::mill
