#pragma once
// An output beside the expected one, as an outcome.

#include "core/cpu/run/outcome.h"
#include "core/cpu/run/test_data.h"

namespace convscope::cpu {

/// `plain`: H W M in plain order. Ran or wrong_result with the worst value as its message; errors by both metrics and
/// the bound, no times.
Outcome compared(const TestData& data, const float* plain, double error_growth = 1);

}  // namespace convscope::cpu
