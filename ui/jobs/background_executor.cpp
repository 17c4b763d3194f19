#include "ui/jobs/background_executor.h"

#include <algorithm>
#include <thread>
#include <utility>

#include <sys/resource.h>

namespace convscope::ui {
namespace {

constexpr int background_niceness = 10;

int default_threads() {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return cores > 2 ? cores - 1 : cores;
}

class BackgroundExecutor : public engine::Executor {
 public:
  BackgroundExecutor(std::shared_ptr<Gate> gate, std::stop_token stop, int threads)
      : gate_(std::move(gate)), stop_(std::move(stop)), threads_(engine::make_thread_executor(threads)) {}

  void post(std::function<void()> task) override { threads_->post(std::move(task)); }
  void parallel_for(int count, const std::function<void(int)>& body) override {
    threads_->parallel_for(count, [&](int index) {
      lower_priority();
      gate_->pass(stop_);
      body(index);
    });
  }
  int concurrency() const override { return threads_->concurrency(); }

 private:
  std::shared_ptr<Gate> gate_;
  std::stop_token stop_;
  std::unique_ptr<engine::Executor> threads_;
};

}  // namespace

void lower_priority() {
  // On Linux 0 is the calling thread. Without the right to change it work is merely less polite.
  static_cast<void>(setpriority(PRIO_PROCESS, 0, background_niceness));
}

std::unique_ptr<engine::Executor> make_background_executor(std::shared_ptr<Gate> gate, std::stop_token stop,
                                                           int threads) {
  return std::make_unique<BackgroundExecutor>(std::move(gate), std::move(stop),
                                              threads > 0 ? threads : default_threads());
}

}  // namespace convscope::ui
