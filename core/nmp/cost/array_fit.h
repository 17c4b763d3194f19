#pragma once
// Cycles of a MAC array that tiles don't always fill: which lanes idle, and how long partial sums keep it waiting. The
// row stationary array is that of Eyeriss (Chen et al., JSSC 2017, section III); which kernels and channels share it is
// chosen for each layer, as its mapping does.

#include <cstdint>

#include "core/nmp/architecture/machine.h"
#include "core/nmp/cost/convolution.h"
#include "core/nmp/cost/tiling.h"

namespace convscope::nmp {

/// What the busiest TLT goes through: `slice_rows` rows of outputs, `units` filters, channels in `chunks` pieces of at
/// most `chunk`.
struct TltWork {
  int slice_rows = 0, units = 0, chunk = 0, chunks = 1;
};

/// Cycles of the busiest TLT over all tiles, at full efficiency, by the machine's border model. Of an array that isn't
/// pooled. With `lanes`, a tile takes ceil(T_N / height) x ceil(T_M / width) x its MACs of one filter and channel
/// pooled over a lane's; with `rows`, sets of MACs as high as the kernel and as wide as the tile's rows share out
/// channels and filters, T_C x kernel width cycles each. Where `sums_port` is set, at least as long as partial sums
/// take to pass once for each group of channels that the array adds up by itself.
std::int64_t array_cycles(const Convolution& convolution, const Machine& machine, const Tiling& tiling,
                          const TltWork& work);

/// Whether tiles of `a` rows never take a row stationary array longer than tiles of `b`, whatever the other sizes are;
/// a < b, with as many tiles each, true borders.
bool rows_no_worse(const MacArray& array, const Convolution& convolution, int slice_rows, int a, int b);

/// At most the cycles of every tiling with these rows and columns and any units and channels.
std::int64_t least_array_cycles(const Convolution& convolution, const Machine& machine, const Tiling& tiling,
                                const TltWork& work);

}  // namespace convscope::nmp
