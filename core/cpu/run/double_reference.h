#pragma once
// The convolution itself, in double precision and by a way of its own: programs are compared with it.

#include <stop_token>

#include "core/cpu/architecture/problem.h"

namespace convscope::cpu {

/// image H W C, kernel M Y X C (of a group), output H W M, all in plain order. Throws Cancelled.
void double_reference(const Problem& problem, const float* image, const float* kernel, double* output,
                      const std::stop_token& stop);

}  // namespace convscope::cpu
