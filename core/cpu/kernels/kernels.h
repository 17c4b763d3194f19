#pragma once
// The microkernels as syntax trees. Source: the thesis named in problem.h, chapter 5.

#include "core/cpu/kernels/site.h"

namespace convscope::cpu {

/// What the plan's microkernel computes at a site: nodes without the loops around them, without tests of padding.
Nodes microkernel_body(const Site& site);

/// R pixels x V vectors of sums: W-M-C by broadcast, embedded broadcast and lanes of channel pairs, and the outer
/// product by lanes of pixels. The sums stay in registers over all loops inside.
Nodes register_tile(const Site& site);
/// Lanes along C; one sum.
Nodes pairwise(const Site& site);
/// Lanes along M for one pixel, by broadcast or scaling.
Nodes parallel_kernels(const Site& site);
/// Lanes along W; the kernel vector permuted by every exclusive or, and the sums put in order at the end.
Nodes outer_product(const Site& site);
/// Lanes along the channels of a depthwise convolution.
Nodes depthwise(const Site& site);

}  // namespace convscope::cpu
