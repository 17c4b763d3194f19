#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "core/engine/executor.h"
#include "core/engine/index_queue.h"

namespace convscope::engine {
namespace {

/// One parallel_for in flight. Helpers that start late outlive the call, hence the shared ownership.
struct ParallelLoop {
  ParallelLoop(int count, const std::function<void(int)>& body) : indices(count, body), remaining(count) {}

  void help() {
    const int ran = indices.run();
    const std::lock_guard lock(mutex);
    remaining -= ran;
    if (remaining == 0) all_done.notify_all();
  }

  void wait() {
    std::unique_lock lock(mutex);
    all_done.wait(lock, [this] { return remaining == 0; });
  }

  IndexQueue indices;
  std::mutex mutex;
  std::condition_variable all_done;
  int remaining;
};

class ThreadExecutor : public Executor {
 public:
  explicit ThreadExecutor(int threads) {
    const int count = threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    for (int i = 0; i < count; ++i) threads_.emplace_back([this] { serve(); });
  }

  ~ThreadExecutor() override {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    changed_.notify_all();
    threads_.clear();  // joins; each thread leaves only once the queue is empty
  }

  void post(std::function<void()> task) override {
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(task));
    }
    changed_.notify_one();
  }

  void parallel_for(int count, const std::function<void(int)>& body) override {
    if (count <= 0) return;
    const auto loop = std::make_shared<ParallelLoop>(count, body);
    for (int helper = 1; helper < std::min(count, concurrency()); ++helper) post([loop] { loop->help(); });
    loop->help();
    loop->wait();
    loop->indices.rethrow();
  }

  int concurrency() const override { return static_cast<int>(threads_.size()); }

 private:
  void serve() {
    while (auto task = next()) task();
  }

  /// Blocks for a task; an empty one once the executor closes and nothing is left.
  std::function<void()> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) return nullptr;
    auto task = std::move(queue_.front());
    queue_.pop_front();
    return task;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  bool closing_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace

std::unique_ptr<Executor> make_thread_executor(int threads) {
  return std::make_unique<ThreadExecutor>(threads);
}

}  // namespace convscope::engine
