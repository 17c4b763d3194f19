#pragma once
// Work that nobody waits for, e.g. letting go of what is large.

#include <functional>
#include <utility>

#include "ui/jobs/threads.h"

namespace convscope::ui {

inline void run_apart(std::function<void()> work) {
  start_thread({}, std::move(work));
}

}  // namespace convscope::ui
