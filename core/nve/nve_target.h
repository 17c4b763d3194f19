#pragma once
// The Neuro Vector Engine as a target.

#include <memory>

#include "core/target/target.h"

namespace convscope::nve {

std::shared_ptr<const target::Target> make_nve_target();

}  // namespace convscope::nve
