#pragma once
// Why a slot of a schedule is empty, in words.

#include <QString>
#include <cstdint>

#include "core/artifact/timeline.h"
#include "ui/views/program/operation_index.h"

namespace convscope::ui {

/// As `schedule::idle_text` says it; empty if nothing can be proved.
QString idle_reason(const artifact::Timeline& timeline, const OperationIndex& operations, int resource,
                    std::int64_t cycle);

}  // namespace convscope::ui
