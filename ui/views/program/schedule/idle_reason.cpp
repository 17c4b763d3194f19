#include "ui/views/program/schedule/idle_reason.h"

#include "core/schedule/explain/idle_text.h"
#include "ui/words/text.h"

namespace convscope::ui {

QString idle_reason(const artifact::Timeline& timeline, const OperationIndex& operations, int resource,
                    std::int64_t cycle) {
  return to_text(schedule::idle_text(timeline, operations.graph(), resource, cycle));
}

}  // namespace convscope::ui
