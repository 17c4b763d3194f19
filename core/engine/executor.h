#pragma once
// How the engine runs work: one small interface, oneTBB behind it in the application, std::jthread in TSan tests.

#include <functional>
#include <memory>

namespace convscope::engine {

class Executor {
 public:
  virtual ~Executor() = default;
  /// Queues a task; never blocks on its completion. The destructor waits for all queued tasks.
  virtual void post(std::function<void()> task) = 0;
  /// Runs body(0) … body(count - 1), in any order and in parallel, and returns when all are done. The first exception
  /// is rethrown after the rest finished. Results must not depend on the order.
  virtual void parallel_for(int count, const std::function<void(int)>& body) = 0;
  virtual int concurrency() const = 0;
};

/// oneTBB arena; leaves one core to the window where there are more than two threads.
std::unique_ptr<Executor> make_tbb_executor(int threads = 0);
/// Plain threads, for tests under ThreadSanitizer.
std::unique_ptr<Executor> make_thread_executor(int threads);

}  // namespace convscope::engine
