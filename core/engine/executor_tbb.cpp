#include <algorithm>
#include <thread>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "core/engine/executor.h"
#include "core/engine/index_queue.h"

namespace convscope::engine {
namespace {

int default_threads() {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return cores > 2 ? cores - 1 : cores;
}

class TbbExecutor : public Executor {
 public:
  explicit TbbExecutor(int threads)
      : threads_(threads > 0 ? threads : default_threads()),
        // TBB counts the thread that started it as one of its own; the window's never helps, so one more is allowed.
        workers_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads_) + 1),
        arena_(threads_, 0) {}

  ~TbbExecutor() noexcept override {
    arena_.execute([this] { posted_.wait(); });
  }

  void post(std::function<void()> task) override {
    arena_.enqueue(posted_.defer([task = std::move(task)]() noexcept { task(); }));
  }

  void parallel_for(int count, const std::function<void(int)>& body) override {
    IndexQueue indices(count, body);
    // Isolated: a thread that waits here must not pick up other work, which might wait for what lies below on its
    // stack.
    arena_.execute([&] {
      tbb::this_task_arena::isolate([&] {
        tbb::parallel_for(
            0, std::min(count, threads_), [&](int) { indices.run(); }, tbb::simple_partitioner());
      });
    });
    indices.rethrow();
  }

  int concurrency() const override { return threads_; }

 private:
  const int threads_;
  tbb::global_control workers_;
  tbb::task_arena arena_;
  tbb::task_group posted_;
};

}  // namespace

std::unique_ptr<Executor> make_tbb_executor(int threads) {
  return std::make_unique<TbbExecutor>(threads);
}

}  // namespace convscope::engine
