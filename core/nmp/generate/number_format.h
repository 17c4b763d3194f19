#pragma once
// How a layer's numbers are written: fixed point of 8 or 16 bit with 48-bit sums.

#include "core/nmp/architecture/machine.h"
#include "core/nmp/cost/convolution.h"

namespace convscope::nmp {

struct NumberFormat {
  int shift = 0;  ///< fraction bits of input and of weights together, less those of the output; at least 0
  int guard = 0;  ///< of these, bits that partial sums keep
  int clamp_low = 0, clamp_high = 0;  ///< of results; both 0: none
  int residual_shift = 0;  ///< fraction bits of input and of weights together, less those of a residual; at least 0
  bool operator==(const NumberFormat&) const = default;
};

/// Bits below the result that a partial sum has room for, two left for larger sums: min(shift, 8 (bytes of a partial
/// sum - bytes of an element) - 2), at least 0.
int guard_bits(int shift, int element_bytes, int partial_sum_bytes);

/// Results below 0 become 0.
void rectify(NumberFormat& format, int element_bytes);

/// For full-scale inputs and weights drawn at random: sums of `channels * taps` products use the output's range, a few
/// are saturated. A residual has as many fraction bits as the output.
NumberFormat random_format(const Convolution& convolution, const Machine& machine);

}  // namespace convscope::nmp
