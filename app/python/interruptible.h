#pragma once
// Long work called from Python: other threads of Python run meanwhile, and Ctrl+C stops it.

#include <future>
#include <stop_token>
#include <thread>
#include <utility>

#include <pybind11/pybind11.h>

#include "core/base/cancellation.h"

namespace convscope::python {

/// work(stop_token) on a thread of its own. Throws what the work throws; a KeyboardInterrupt, or what else a handler of
/// signals raised, once the work has stopped.
template <class Work>
auto interruptible(Work work) {
  std::stop_source stop;
  std::packaged_task task([&work, &stop] { return work(stop.get_token()); });
  auto result = task.get_future();
  std::jthread thread(std::move(task));
  bool interrupted = false;
  for (;;) {
    {
      const pybind11::gil_scoped_release others_run;
      if (result.wait_for(std::chrono::milliseconds(interrupted ? 1000 : 20)) == std::future_status::ready) break;
    }
    if (!interrupted && PyErr_CheckSignals() != 0) {
      interrupted = true;
      stop.request_stop();
    }
  }
  if (!interrupted) return result.get();
  thread.join();
  throw pybind11::error_already_set();
}

}  // namespace convscope::python
