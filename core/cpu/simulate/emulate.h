#pragma once
// Values of a program for ARM, which user-mode QEMU runs. It knows no time.

#include <stop_token>

#include "core/cpu/architecture/generated.h"
#include "core/cpu/run/outcome.h"
#include "core/cpu/run/test_data.h"
#include "core/cpu/simulate/cross_tools.h"

namespace convscope::cpu {

/// Cross-compiles the program, runs it once on the data within limits of time and memory, and compares its output with
/// double precision: `error`, `bound` and both metrics are filled in, seconds are not. Throws Cancelled.
Outcome emulate(const Generated& program, const TestData& data, const CrossTools& tools, const std::stop_token& stop);

}  // namespace convscope::cpu
