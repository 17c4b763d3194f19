#pragma once
// From the engine's result to the report that the command line prints and the window shows.

#include "core/analysis/report.h"
#include "core/engine/engine.h"

namespace convscope::figures {

/// Rows for `only_layers` (indices; empty: all layers). Layers without a result are listed as cancelled.
analysis::Report report_of(const engine::CompiledNetwork& compiled, const analysis::PublishedTables& published,
                           const std::vector<int>& only_layers = {});

}  // namespace convscope::figures
