#pragma once
// What the window's command line takes, as data.

#include "app/manual/program.h"

namespace convscope::window {

manual::Program describe_program();

}  // namespace convscope::window
