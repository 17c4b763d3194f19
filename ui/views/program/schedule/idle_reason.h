#pragma once
// Why a slot of a schedule is empty, as far as timeline and task graph prove it.

#include <QString>
#include <cstdint>

#include "core/artifact/timeline.h"
#include "ui/views/program/operation_index.h"

namespace convscope::ui {

/// Lines for people; empty if nothing can be proved. Before and after the loop: the operation that has this slot in the
/// loop and hasn't begun, or is done. In the loop: how busy the resource is, which resource leaves no room for a
/// shorter loop, and whether dependences alone would let one of the resource's operations stand here. What a machine
/// reserves besides its issue fields is in no artifact, so it is never claimed.
QString idle_reason(const artifact::Timeline& timeline, const OperationIndex& operations, int resource,
                    std::int64_t cycle);

}  // namespace convscope::ui
