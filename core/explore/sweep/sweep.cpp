#include "core/explore/sweep/sweep.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <unordered_set>

#include <fmt/format.h>

#include "core/base/sqlite.h"

namespace convscope::explore {
namespace {

using Clock = std::chrono::steady_clock;
using ResultPointer = std::shared_ptr<const PointResult>;

constexpr std::size_t cache_entries = 32'768;
constexpr auto progress_interval = std::chrono::milliseconds(50);
// Neighbours share passes: a thread that takes some in a row waits less for the other ones.
constexpr std::size_t most_points_a_task = 8;

}  // namespace

std::unique_ptr<target::PassCache> make_sweep_cache() {
  return engine::make_memory_cache(cache_entries);
}

struct Sweep::State {
  std::shared_ptr<const Space> space;
  std::unique_ptr<Strategy> strategy;
  ResultsFile* file = nullptr;
  bool keeps_results = false;

  mutable std::mutex mutex;  // of what follows
  SweepState now;
  Front front;
  std::vector<ResultPointer> results;

  std::mutex queue_mutex, writer_mutex;  // the second is held while points are stored and told
  std::vector<ResultPointer> queue;
  Clock::time_point begin = Clock::now(), last_progress{};

  /// Stores what has gathered while another thread was storing, so that a slow disk makes larger transactions.
  void deliver(ResultPointer result, const SweepListener& listener) {
    {
      const std::lock_guard lock(queue_mutex);
      queue.push_back(std::move(result));
    }
    const std::lock_guard writing(writer_mutex);
    std::vector<ResultPointer> batch;
    {
      const std::lock_guard lock(queue_mutex);
      batch.swap(queue);
    }
    if (batch.empty()) return;
    if (file) {
      std::vector<PointResult> rows;
      for (const ResultPointer& item : batch) rows.push_back(*item);
      file->add(rows);
    }
    for (const ResultPointer& item : batch) tell(item, true, listener);
  }

  void tell(const ResultPointer& result, bool is_new, const SweepListener& listener) {
    const auto vector = objective_vector(*result, *space);
    {
      const std::lock_guard lock(mutex);
      ++now.seen;
      if (is_new) ++now.compiled;
      if (result->status == PointStatus::removed) ++now.removed[result->reason];
      if (result->status == PointStatus::failed) ++now.failed[result->reason];
      if (vector) front.add(result->point, *vector);
      if (keeps_results) results.push_back(result);
    }
    if (listener.point_done) listener.point_done(result);
    if (listener.progress && Clock::now() - last_progress > progress_interval) report(listener);
  }

  void report(const SweepListener& listener) {
    last_progress = Clock::now();
    const double seconds = std::chrono::duration<double>(last_progress - begin).count();
    const std::uint64_t planned = now.planned.value_or(now.size);  // only this thread changes them
    listener.progress(planned > 0 ? static_cast<double>(now.seen) / static_cast<double>(planned) : 1,
                      fmt::format("{} of {} points, {:.0f} a second, {} on the front", now.seen, planned,
                                  static_cast<double>(now.compiled) / std::max(seconds, 1e-3), front.members().size()));
  }

  void compile(const std::vector<std::uint64_t>& points, engine::Executor& executor, target::PassCache& cache,
               const std::stop_token& stop, const SweepListener& listener) {
    const std::size_t fair = points.size() / (4 * static_cast<std::size_t>(std::max(1, executor.concurrency())));
    const std::size_t each = std::clamp<std::size_t>(fair, 1, most_points_a_task);
    const std::size_t tasks = (points.size() + each - 1) / each;
    executor.parallel_for(static_cast<int>(tasks), [&](int task) {
      const std::size_t first = static_cast<std::size_t>(task) * each;
      for (std::size_t i = first; i < std::min(points.size(), first + each); ++i) {
        throw_if_stopped(stop);
        auto result = evaluate(*space, space->point(points[i]), cache, stop);
        deliver(std::make_shared<const PointResult>(std::move(result)), listener);
      }
    });
  }

  /// Tells what an earlier run stored of a batch; the rest is to be compiled.
  std::vector<std::uint64_t> left_over(const std::vector<std::uint64_t>& batch,
                                       const std::unordered_set<std::uint64_t>& stored, const SweepListener& listener) {
    std::vector<std::uint64_t> left;
    for (const std::uint64_t point : batch) {
      auto known = stored.count(point) ? file->read(point) : std::nullopt;
      if (known)
        tell(std::make_shared<const PointResult>(std::move(*known)), false, listener);
      else
        left.push_back(point);
    }
    return left;
  }

  void run_batches(engine::Executor& executor, target::PassCache& cache, const std::stop_token& stop,
                   const SweepListener& listener) {
    std::unordered_set<std::uint64_t> stored;
    if (file)
      for (const std::uint64_t point : file->points()) stored.insert(point);
    while (true) {
      throw_if_stopped(stop);
      const std::vector<std::uint64_t> batch = strategy->next(front);
      if (batch.empty()) break;
      compile(left_over(batch, stored, listener), executor, cache, stop, listener);
    }
    if (listener.progress) report(listener);
  }
};

Sweep::Sweep(std::shared_ptr<const Space> space, std::unique_ptr<Strategy> strategy, ResultsFile* file)
    : state_(std::make_unique<State>()) {
  state_->space = std::move(space);
  state_->strategy = std::move(strategy);
  state_->file = file;
  state_->now.size = state_->space->size();
  state_->now.planned = state_->strategy->total();
}

Sweep::~Sweep() = default;

void Sweep::keep_results() {
  state_->keeps_results = true;
}

SweepEnd Sweep::run(engine::Executor& executor, target::PassCache& cache, const std::stop_token& stop,
                    const SweepListener& listener, Diagnostics& diagnostics) {
  try {
    state_->run_batches(executor, cache, stop, listener);
    return SweepEnd::finished;
  } catch (const Cancelled&) {
    return SweepEnd::cancelled;
  } catch (const SqlError& error) {
    diagnostics.error({}, fmt::format("results can't be stored: {}", error.what()), "room and rights for the file",
                      "what was stored stays; go on with it later");
    return SweepEnd::failed;
  }
}

SweepState Sweep::state() const {
  const std::lock_guard lock(state_->mutex);
  SweepState now = state_->now;
  now.front = state_->front.members();
  return now;
}

std::vector<std::shared_ptr<const PointResult>> Sweep::results_from(std::size_t first) const {
  const std::lock_guard lock(state_->mutex);
  const auto& all = state_->results;
  return {all.begin() + static_cast<std::ptrdiff_t>(std::min(first, all.size())), all.end()};
}

}  // namespace convscope::explore
