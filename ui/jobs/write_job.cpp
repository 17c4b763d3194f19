#include "ui/jobs/write_job.h"

#include <deque>
#include <mutex>

#include "ui/jobs/threads.h"

namespace convscope::ui {

struct WriteJob::Queue {
  std::mutex mutex;
  std::deque<std::function<void()>> tasks;
  bool served = false;  ///< by a thread, which goes on until nothing is left

  /// An empty task: nothing is left, and who asked ends.
  std::function<void()> next() {
    const std::lock_guard lock(mutex);
    served = !tasks.empty();
    if (!served) return {};
    auto task = std::move(tasks.front());
    tasks.pop_front();
    return task;
  }
};

WriteJob::WriteJob() : queue_(std::make_shared<Queue>()) {}

void WriteJob::put(std::function<void()> task) {
  const std::lock_guard lock(queue_->mutex);
  queue_->tasks.push_back(std::move(task));
  if (std::exchange(queue_->served, true)) return;
  start_thread({}, [queue = queue_] {
    while (const auto next = queue->next()) next();
  });
}

}  // namespace convscope::ui
