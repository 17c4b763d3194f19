#pragma once
// 'What helps most' in the background, told change by change.

#include <QString>
#include <functional>
#include <memory>
#include <stop_token>

#include "core/engine/engine.h"
#include "ui/jobs/gate.h"
#include "ui/model/exploration.h"

namespace convscope::ui {

/// Calls `tell` on worker threads, at most ten times a second, one at a time, and once at the end. Returns why it
/// failed; empty if it is complete or was stopped.
QString run_sensitivity(const engine::Request& request, const std::shared_ptr<Gate>& gate, const std::stop_token& stop,
                        const std::function<void(std::shared_ptr<const SensitivityRun>)>& tell);

}  // namespace convscope::ui
