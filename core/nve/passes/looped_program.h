#pragma once
// A looped program: instructions, buffer and host traffic of a looped body.

#include "core/nve/passes/looped_body.h"
#include "core/nve/passes/schedule_structure.h"

namespace convscope::nve {

/// Where a looped program's words lie: coefficients that stay first, then three slots, each with the pixels of a pass
/// and behind them its ordered words. Machines of two banks have pixels for port B in slots of the second bank.
struct LoopedLayout {
  LoopedLayout(const LoopedShape& shape, const Window& window, const SchedulingMachine& machine);
  int resident = 0;              ///< words
  int base[2] = {0, 0};          ///< of slot 0, in each bank
  int slot[2] = {0, 0};          ///< words of a slot
  int increment = 0;             ///< from a slot to the next
  int capacity[2] = {0, 0};      ///< words of each bank
  std::vector<int> bank, place;  ///< for each word of a unit; of the first unit
  int per_unit[2] = {0, 0};
  int coefficients = 0;  ///< place of the first ordered word in a slot

  static constexpr int slots = 3;
  int used(int bank_of) const { return base[bank_of] - first_of(bank_of) + slots * increment; }
  bool fits() const;
  int pixel_offset(int unit, int word) const {
    const auto w = static_cast<std::size_t>(word);
    return base[bank[w]] + unit * per_unit[bank[w]] + place[w];
  }
  int ordered_offset(int word) const { return base[0] + coefficients + word; }

 private:
  int first_of(int bank_of) const { return bank_of == 0 ? 0 : base[1]; }
};

/// Instructions of the program, exactly; and its cycles over a strip of so many columns.
struct LoopedCost {
  int instructions = 0;
  std::int64_t cycles = 0;
  std::int64_t words = 0;  ///< that it brings in over a strip
};
LoopedCost looped_cost(const LoopedShape& shape, const LoopedBody& body, const Window& window, int columns,
                       const SchedulingMachine& machine);

/// The program of a shape for which `place_looped` has a body and which fits the machine.
StructureProgram make_looped(const LoopedShape& shape, const Window& window, int activation_shift, int bias_shift,
                             const SchedulingMachine& machine);

}  // namespace convscope::nve
