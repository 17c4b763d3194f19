#pragma once
// Which microkernels there are and what they take. How they compute stands in core/cpu/kernels.
// Source: the thesis named in problem.h, chapter 5; the W-M-C kernels by broadcast and the depthwise one are ours.

#include <span>
#include <string_view>

#include "core/cpu/architecture/family.h"
#include "core/cpu/architecture/method.h"

namespace convscope::cpu {

/// How a microkernel uses vectors.
enum class Strategy {
  pairwise,     ///< lanes along C, summed up at the end
  parallel,     ///< lanes along M, one pixel
  outer,        ///< lanes along W, kernels permuted (x86)
  outer_lanes,  ///< lanes along M, pixels in the lanes of vectors along W (NEON)
  wmc,          ///< lanes along M, pixels one by one
  wmc_lanes,    ///< lanes along M, channels in pairs (NEON)
  depthwise,    ///< lanes along the channels, no sum over them
};

struct Microkernel {
  std::string_view key;
  std::string_view title;
  Strategy strategy;
  std::string_view loops;                  ///< dimensions that it loops over, outermost first: "YXC"
  bool pixels = false;                     ///< has a register tile along W
  bool vectors = false;                    ///< has one along M
  std::string_view operands;               ///< ways to bring image elements to the FMA, separated by blanks
  std::string_view image, kernel, output;  ///< layouts that it takes, the usual one first; b: a multiple of the lanes
  Method method = Method::direct;
};

std::span<const Microkernel> microkernels();
/// Null if none has this key.
const Microkernel* find_microkernel(std::string_view key);
/// Whether the family has the instructions for it.
bool has(Family family, const Microkernel& kernel);

}  // namespace convscope::cpu
