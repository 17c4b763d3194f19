#pragma once
// Blocks of state as lines of cells.

#include <optional>

#include "ui/views/program/stepper/stepper_scene.h"

namespace convscope::ui {

/// Values of one cycle, and of the one that it is compared with.
struct StepperValues {
  artifact::StateValues now;
  std::optional<artifact::StateValues> before;  ///< as many; nothing if there is nothing to compare
};

/// All elements of small blocks, and of every block that can be compared; empty for others.
artifact::StateValues whole_block(const target::Trace& trace, std::int64_t cycle, int block, bool compared);

/// `whole`: what `whole_block` gave; `before`: the same of the cycle compared with, if there is one.
StepperBlock make_stepper_block(const StepperScene& scene, int block, const StepperValues& whole);

/// Bits of mark::read and mark::written of an element.
std::uint8_t marks_of(const artifact::CycleChanges& changes, int block, std::int64_t index);

}  // namespace convscope::ui
