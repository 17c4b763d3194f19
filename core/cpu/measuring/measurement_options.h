#pragma once
// What `measure` can be told on this machine.

#include <vector>

#include "core/target/options.h"

namespace convscope::cpu {

std::vector<target::OptionDescription> measurement_options();

}  // namespace convscope::cpu
