#pragma once
// A program that was generated, or written by hand, for a problem: what compiling, running and checking it needs to
// know.

#include <cstdint>
#include <string>

#include "core/cpu/architecture/family.h"
#include "core/cpu/architecture/kernel_transform.h"
#include "core/cpu/architecture/layout.h"
#include "core/cpu/architecture/problem.h"

namespace convscope::cpu {

/// The source defines
///   extern "C" void convolution(const float* image, const float* kernel, float* output);
/// with unsigned char in the place of float for what is stored as flyte. Each tensor begins at a multiple of 64 bytes
/// and has `elements(layout, extents)` elements, with `readable_behind` filled up to a multiple of 64 bytes; nothing
/// beyond that may be read or written. The output holds anything before. The kernel is transformed
/// and packed beforehand; what else has to be packed or copied, the program does itself, in `temporary_bytes` of static
/// memory.
struct Generated {
  std::string source;
  Family family = Family::scalar;
  Layout image{"HWC"}, kernel{"MYXC"}, output{"HWM"};
  std::int64_t temporary_bytes = 0;
  bool openmp = false;             ///< needs -fopenmp
  KernelTransform transform = {};  ///< of the kernel, before it is packed

  /// Of what is packed as kernel.
  Extents kernel_extents(const Problem& problem) const { return transform.extents(problem); }
};

}  // namespace convscope::cpu
