#pragma once
// Maps as pictures: what the window holds of the inputs, what has come out so far.

#include "ui/views/program/stepper/stepper_scene.h"

namespace convscope::ui {

/// Maps in which the cycle does something or the window holds pixels, and outputs; a few of many. `window` is the
/// trace's at that cycle.
std::vector<StepperPicture> make_stepper_pictures(const StepperScene& scene,
                                                  const std::vector<artifact::WindowPixel>& window,
                                                  const std::stop_token& stop);

}  // namespace convscope::ui
