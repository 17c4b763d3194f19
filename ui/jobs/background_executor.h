#pragma once
// Threads for what may take hours: of lower priority than all others, and idle while the gate is shut.

#include <memory>
#include <stop_token>

#include "core/engine/executor.h"
#include "ui/jobs/gate.h"

namespace convscope::ui {

/// Threads of their own, so that the engine's keep their priority: one for each core, less one for the window where
/// there are more than two; 0 means just that. Each piece of work waits at the gate first, and throws Cancelled there
/// once it is stopped.
std::unique_ptr<engine::Executor> make_background_executor(std::shared_ptr<Gate> gate, std::stop_token stop,
                                                           int threads = 0);

/// Lets the calling thread give way to all threads of usual priority.
void lower_priority();

}  // namespace convscope::ui
