#pragma once
// Made-up results of a sweep and of what helps most: seeded, so that every run sees the same.

#include <cstdint>
#include <memory>

#include "ui/model/exploration.h"
#include "ui/model/view.h"

namespace convscope::ui::test {

/// Machines of two levels ("plain", "tuned") with 1 to 8 cores and 4 to 256 KiB of memory; time, memory on chip,
/// utilization and traffic came out. The front is over time and memory on chip. One row in fifty maps too little, every
/// seventh has no traffic.
std::shared_ptr<const explore::SweepTable> made_up_sweep(std::size_t rows, std::uint32_t seed = 1);

/// A table of one objective column and one machine column with these values.
std::shared_ptr<const explore::SweepTable> table_of(const std::vector<double>& x, const std::vector<double>& y);

/// A machine of four parameters on the network of made_up_snapshot(): port and lanes help, ports step 1 costs, lanes
/// can't be lowered, clock makes no difference.
std::shared_ptr<const SensitivityRun> made_up_sensitivity(const Snapshot& snapshot);

/// The network of made_up_snapshot() in 8 bits: its input, and for both layers weights and what they compute; the
/// second adds most noise, and one of its values saturates.
std::shared_ptr<const QuantizationRun> made_up_quantization(const Snapshot& snapshot);

/// The snapshot with 600 rows, coloured by cores, with what helps most, and quantized.
Snapshot with_exploration(Snapshot snapshot, std::size_t rows = 600);

}  // namespace convscope::ui::test
