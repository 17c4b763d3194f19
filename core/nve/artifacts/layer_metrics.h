#pragma once
// Figures of a layer and of a network from verified programs (closed forms, tested against the simulator).

#include <vector>

#include "core/artifact/metrics.h"
#include "core/network/network.h"
#include "core/nve/architecture/program.h"
#include "core/nve/layout/layout.h"
#include "core/nve/passes/fuse_maps.h"
#include "core/nve/passes/schedule_structure.h"

namespace convscope::nve {

/// A program of a compiled layer: its maps and the structure's schedule that it shares with programs of equal shape.
struct LayerProgram {
  MapGroup group;
  target::Remembered<StructureProgram> scheduled;
  Window window;  ///< that it was scheduled for
};

/// Words and descriptors that one strip moves.
struct StripTraffic {
  std::int64_t pixel_words = 0, coefficient_words = 0, output_words = 0;
  std::int64_t columns = 0;  ///< pixel columns, or phases of them: the unit of a scatter-gather descriptor
};
StripTraffic strip_traffic(const Program& program);

/// Seconds that the transfers of a layer take, by mode (thesis, section 7.1.2): an estimate.
///   continuous:     bytes / bandwidth
///   host-reordered: the same, plus pixel bytes / the host's copy bandwidth
///   scatter-gather: the same as continuous, plus one descriptor's cost for each pixel column
double transfer_seconds(TransferMode mode, std::int64_t bytes, std::int64_t pixel_bytes, std::int64_t columns,
                        const Machine& machine);

/// `programs` are run on each part of the layout. Utilization = useful MACs / instructions executed over whole strips
/// (design: image borders not subtracted; that is 'effective'). Programs are divided over cores, longest first.
artifact::Metrics layer_metrics(const Layout& layout, const std::vector<LayerProgram>& programs, const Machine& machine,
                                bool verified);

/// Sums; MAC/instruction both as the mean weighted by workload (the thesis's Table 5) and as the true quotient.
artifact::Metrics total_metrics(const std::vector<artifact::Metrics>& layers, const Machine& machine);

/// Metrics of a layer that is not mapped: its MACs only.
artifact::Metrics unmapped_metrics(const network::Layer& layer);

}  // namespace convscope::nve
