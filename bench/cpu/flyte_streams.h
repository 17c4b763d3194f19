#pragma once
// Vectors of numbers stored as flyte, loaded and stored by generated functions, beside vectors of float32.

#include "core/cpu/architecture/family.h"

namespace convscope::bench {

/// Dot products of two stored vectors, and stores of a vector of floats, from each level of memory, each in turn in one
/// run; every way of this processor that `widest` includes. False if there is no compiler.
bool streams(cpu::Family widest);

}  // namespace convscope::bench
