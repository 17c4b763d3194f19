#pragma once
// A network in fixed point, made in the background.

#include <functional>
#include <memory>
#include <stop_token>

#include "ui/jobs/gate.h"
#include "ui/model/exploration.h"

namespace convscope::ui {

/// Calls `tell` on its thread with how far it is, at most ten times a second. Returns the whole, or why there is none;
/// null if it was stopped.
std::shared_ptr<const QuantizationRun> run_quantization(
    const std::shared_ptr<const network::Network>& network, const QuantizationWish& wish,
    const std::shared_ptr<Gate>& gate, const std::stop_token& stop,
    const std::function<void(std::shared_ptr<const QuantizationRun>)>& tell);

}  // namespace convscope::ui
