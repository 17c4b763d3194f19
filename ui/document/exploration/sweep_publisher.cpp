#include "ui/document/exploration/sweep_publisher.h"

#include <algorithm>
#include <utility>

#include "ui/jobs/background_executor.h"

namespace convscope::ui {
namespace {

constexpr auto publish_interval = std::chrono::milliseconds(100);
// A table of many rows costs its copy: publishing takes at most this part of a core.
constexpr int publishing_share = 8;
constexpr double newest_weight = 0.3;  // of a measurement of speed, against those before
constexpr auto measure_interval = std::chrono::milliseconds(300);

}  // namespace

SweepPublisher::SweepPublisher(const SweepPlan& plan, std::optional<std::uint64_t> planned,
                               std::function<void(SweepNews)> tell)
    : planned_(planned), size_(plan.space->size()), tell_(std::move(tell)), builder_(plan.space) {
  publish("running", true);
  thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
}

void SweepPublisher::add(std::shared_ptr<const explore::PointResult> result) {
  const std::lock_guard lock(mutex_);
  queue_.push_back(std::move(result));
}

void SweepPublisher::finish(const std::string& state) {
  thread_.request_stop();
  thread_.join();
  publish(state, false);
}

void SweepPublisher::serve(const std::stop_token& stop) {
  lower_priority();
  Clock::duration pause = publish_interval;
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, stop, pause, [] { return false; });
      if (queue_.empty()) continue;
    }
    if (stop.stop_requested()) return;
    const Clock::time_point begin = Clock::now();
    publish("running", true);
    pause = std::max<Clock::duration>(publish_interval, publishing_share * (Clock::now() - begin));
  }
}

void SweepPublisher::measure_speed() {
  const Clock::time_point now = Clock::now();
  if (now - measured_ < measure_interval) return;
  const double seconds = std::chrono::duration<double>(now - measured_).count();
  const double newest = static_cast<double>(builder_.seen() - seen_then_) / seconds;
  points_a_second_ = points_a_second_ > 0 ? newest_weight * newest + (1 - newest_weight) * points_a_second_ : newest;
  measured_ = now;
  seen_then_ = builder_.seen();
}

void SweepPublisher::publish(const std::string& state, bool running) {
  std::vector<std::shared_ptr<const explore::PointResult>> results;
  {
    const std::lock_guard lock(mutex_);
    results.swap(queue_);
  }
  for (const auto& result : results) builder_.add(*result);
  measure_speed();
  SweepNews news{builder_.table(state), {}};
  SweepProgress& progress = news.progress;
  progress.size = size_;
  progress.seen = builder_.seen();
  progress.planned = planned_;
  progress.running = running;
  progress.points_a_second = points_a_second_;
  for (const std::uint8_t on_front : news.table->on_front) progress.on_front += on_front;
  if (planned_ && points_a_second_ > 0 && *planned_ >= progress.seen) {
    progress.seconds_left = static_cast<double>(*planned_ - progress.seen) / points_a_second_;
  }
  tell_(std::move(news));
}

}  // namespace convscope::ui
