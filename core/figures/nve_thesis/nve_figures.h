#pragma once
// The figures and tables of the NVE thesis, one function each. All return nothing, with diagnostics, if something that
// they need is missing, and throw Cancelled if stopped.

#include "core/figures/figure.h"

namespace convscope::figures {

/// Table 1: MACs and pixels of each layer.
std::optional<Figure> nve_table1(const Environment& environment, Diagnostics& diagnostics);
/// Table 5: utilization, automatic and manual, and the totals weighted by workload.
std::optional<Figure> nve_table5(const Environment& environment, Diagnostics& diagnostics);
/// Figs 17, 24, 26: the slot table of the 3x3 filter, ours rotated to fit, beside the published one.
std::optional<Figure> nve_slot_table(const std::string& number, const Environment& environment,
                                     Diagnostics& diagnostics);
/// Fig. 33: the Cortex-A9 with NEON.
std::optional<Figure> nve_figure33(const Environment& environment, Diagnostics& diagnostics);
/// Fig. 35: the 3x3 filter under each transfer mode.
std::optional<Figure> nve_figure35(const Environment& environment, Diagnostics& diagnostics);
/// Fig. 36: utilization at the four levels, and at two beyond them, beside manual code.
std::optional<Figure> nve_figure36(const Environment& environment, Diagnostics& diagnostics);
/// Fig. 37: words transferred at the same levels.
std::optional<Figure> nve_figure37(const Environment& environment, Diagnostics& diagnostics);

}  // namespace convscope::figures
