#pragma once
// Makes tables of results on a thread of its own, so that neither those who compile nor the window wait for them.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "core/explore/results/sweep_table_builder.h"
#include "ui/document/exploration/sweep_work.h"

namespace convscope::ui {

class SweepPublisher {
 public:
  SweepPublisher(const SweepPlan& plan, std::optional<std::uint64_t> planned, std::function<void(SweepNews)> tell);

  /// From any thread.
  void add(std::shared_ptr<const explore::PointResult> result);
  /// Ends the thread and tells of everything a last time.
  void finish(const std::string& state);

 private:
  using Clock = std::chrono::steady_clock;

  void serve(const std::stop_token& stop);
  void publish(const std::string& state, bool running);
  void measure_speed();

  const std::optional<std::uint64_t> planned_;
  const std::uint64_t size_;
  const std::function<void(SweepNews)> tell_;

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::vector<std::shared_ptr<const explore::PointResult>> queue_;

  explore::SweepTableBuilder builder_;  // this and the rest: of the publishing thread
  Clock::time_point measured_ = Clock::now();
  std::uint64_t seen_then_ = 0;
  double points_a_second_ = 0;
  std::jthread thread_;
};

}  // namespace convscope::ui
