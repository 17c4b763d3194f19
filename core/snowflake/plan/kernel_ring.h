#pragma once
// Kernels larger than half the buffer, loaded while the one before them is computed with: they lie one behind the other
// in a ring of both banks. Not in the paper, which loads such a kernel and waits.

#include <optional>
#include <vector>

#include "core/snowflake/architecture/machine.h"
#include "core/snowflake/plan/blocks.h"
#include "core/snowflake/plan/layer_shape.h"
#include "core/snowflake/plan/mapping.h"

namespace convscope::snowflake {

/// Words of each vMAC's kernel buffer. Kernels start on borders of regions, so that nobody waits for a neighbour's LD.
struct KernelRing {
  int slots = 0;         ///< kernels of a vMAC
  int words = 0;         ///< of the ring, from word 0 on
  int kernel_words = 0;  ///< from a kernel to the next
  int bias_at = 0;       ///< biases of all kernels, behind the ring
};

/// Nothing if no kernel fits beside the biases.
std::optional<KernelRing> kernel_ring(const KernelShape& kernels, const Mapping& mapping,
                                      const ComputeMachine& machine);

/// Gives blocks of one slot each their places in the ring, and the loads:
///
///     ring  |  kernel n, whose block runs      |  kernel n + 1  ...|
///           ...its end|
///
/// Its beginning goes where kernel n - 1 lay, as soon as the block runs. Its end goes where kernel n begins, as soon as
/// nothing reads that any more: so the last rows of outputs are those whose windows have no first row, and the first
/// ones those that don't need the kernel's end yet.
/// `start`: where the first kernel lies; `kernels`: all of a vMAC's, biases behind them; `channels`: of the output.
/// Load units are not chosen.
void attach_ring(std::vector<Block>& blocks, FirstLoads& first, const KernelRing& ring, int start,
                 const KernelLoad& kernels, const KernelShape& shape, int channels, const ComputeMachine& machine);

}  // namespace convscope::snowflake
