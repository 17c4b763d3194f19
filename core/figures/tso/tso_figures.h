#pragma once
// The figures and Table I of "Tensor Slicing and Optimization for Multicore NPUs", one function each, on preset
// nmp-board. All return nothing, with diagnostics, if something that they need is missing, and throw Cancelled if
// stopped.

#include "core/figures/figure.h"

namespace convscope::figures {

/// Fig. 1 and the example of section VI: bursts of tiles of different shapes.
std::optional<Figure> tso_figure1(const Environment& environment, Diagnostics& diagnostics);
/// Fig. 8: TSO-burst over TSO-noburst.
std::optional<Figure> tso_figure8(const Environment& environment, Diagnostics& diagnostics);
/// Fig. 9: what time is spent on, and where the published split contradicts Table I.
std::optional<Figure> tso_figure9(const Environment& environment, Diagnostics& diagnostics);
/// Fig. 10: time of the search by number of threads, measured on the computer that runs this.
std::optional<Figure> tso_figure10(const Environment& environment, Diagnostics& diagnostics);
/// Fig. 11: every convolution under the roofs.
std::optional<Figure> tso_figure11(const Environment& environment, Diagnostics& diagnostics);
/// Figs 12 and 13: TSO over fixed TLE partitions, over fixed TLT schedules.
std::optional<Figure> tso_figure12(const Environment& environment, Diagnostics& diagnostics);
std::optional<Figure> tso_figure13(const Environment& environment, Diagnostics& diagnostics);
/// Table I: all eight columns of times.
std::optional<Figure> tso_table1(const Environment& environment, Diagnostics& diagnostics);

/// Not of the paper: the tiling that each cost level chooses for each convolution, timed by the walk over its
/// transfers.
std::optional<Figure> nmp_levels(const Environment& environment, Diagnostics& diagnostics);

}  // namespace convscope::figures
