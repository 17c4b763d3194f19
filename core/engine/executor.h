#pragma once
// How the engine runs work: one small interface, oneTBB behind it in the application, std::jthread in TSan tests.

#include <functional>
#include <memory>

namespace convscope::engine {

class Executor {
 public:
  virtual ~Executor() = default;
  /// Queues a task; never blocks on its completion. The destructor waits for all queued tasks. Tasks must not throw.
  virtual void post(std::function<void()> task) = 0;
  /// Runs body(0) … body(count - 1) in parallel, the caller's thread helping, and returns when all are done. They start
  /// in ascending order and finish in any. The first exception (that of the smallest index) is rethrown after the rest
  /// finished. Results must not depend on the order. While it waits, no other work runs on the caller's stack.
  virtual void parallel_for(int count, const std::function<void(int)>& body) = 0;
  virtual int concurrency() const = 0;
};

/// oneTBB arena of `threads`; 0: one for each core, less one for the window where there are more than two.
std::unique_ptr<Executor> make_tbb_executor(int threads = 0);
/// Plain threads, for tests under ThreadSanitizer.
std::unique_ptr<Executor> make_thread_executor(int threads);

}  // namespace convscope::engine
