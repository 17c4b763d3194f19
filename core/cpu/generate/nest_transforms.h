#pragma once
// What the transforms of a Winograd path issue and move.

#include <cstdint>

#include "core/cpu/generate/nest.h"
#include "core/cpu/tree/plan.h"

namespace convscope::cpu {

/// Nothing of other paths.
NestTransforms count_transforms(const Plan& plan);
/// Of all buffers that the program has. Precondition: it is a Winograd path.
std::int64_t winograd_buffer_bytes(const Plan& plan);

}  // namespace convscope::cpu
