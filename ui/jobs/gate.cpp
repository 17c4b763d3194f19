#include "ui/jobs/gate.h"

#include "core/base/cancellation.h"

namespace convscope::ui {

void Gate::set_open(bool open) {
  {
    const std::lock_guard lock(mutex_);
    open_ = open;
  }
  changed_.notify_all();
}

void Gate::pass(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, stop, [this] { return open_; });
  throw_if_stopped(stop);
}

}  // namespace convscope::ui
