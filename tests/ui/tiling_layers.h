#pragma once
// Layers with real tile plans.

#include <memory>
#include <string>

#include "ui/model/view.h"

namespace convscope::ui::test {

/// A sample compiled for the target that makes tile plans; null, with a failure, if it can't be.
std::shared_ptr<const engine::CompiledNetwork> nmp_run(const std::string& sample);
/// The same with a layer selected.
Snapshot nmp_snapshot(const std::string& sample, int layer);

}  // namespace convscope::ui::test
