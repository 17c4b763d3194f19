#include "core/engine/engine.h"

#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "core/engine/compile_layers.h"

namespace convscope::engine {
namespace {

struct Job {
  Request request;
  JobListener listener;
  std::stop_source stop;
};

/// What became of a job that was not stopped.
struct Outcome {
  std::shared_ptr<const CompiledNetwork> compiled;
  std::string failure;
};

template <typename Callback, typename... Arguments>
void call(const Callback& callback, Arguments&&... arguments) {
  if (callback) callback(std::forward<Arguments>(arguments)...);
}

std::shared_ptr<const CompiledNetwork> compile_at(const std::string& level, const Job& job, Executor& executor,
                                                  target::PassCache& cache) {
  Request request = job.request;
  request.level = level;
  return std::make_shared<const CompiledNetwork>(
      compile_layers(request, executor, cache, job.stop.get_token(), job.listener.layer_done, job.listener.progress));
}

Outcome run(const Job& job, Executor& executor, target::PassCache& cache) {
  try {
    if (!job.request.quick_level.empty()) {
      const auto quick = compile_at(job.request.quick_level, job, executor, cache);
      throw_if_stopped(job.stop.get_token());
      call(job.listener.quick, quick);
    }
    return {compile_at(job.request.level, job, executor, cache), {}};
  } catch (const std::exception& error) {
    return {nullptr, error.what()};
  } catch (...) {
    return {nullptr, "unknown error"};
  }
}

}  // namespace

/// Jobs are run in the order of submission by one task; all but the newest are stopped, so they end at once. Whoever
/// submits only appends and never waits.
struct Engine::State {
  std::mutex mutex;
  std::condition_variable idle;
  std::deque<std::shared_ptr<Job>> jobs;  // front: the running one
  bool running = false;
  std::uint64_t last_id = 0;
  std::unique_ptr<target::PassCache> cache;
  std::unique_ptr<Executor> executor;  // last: its destructor waits for tasks that use the rest

  void stop_all() {
    for (const auto& job : jobs) job->stop.request_stop();
  }

  /// Decides the job's fate, after which it can no longer be stopped.
  bool retire() {
    const std::lock_guard lock(mutex);
    const bool stopped = jobs.front()->stop.stop_requested();
    jobs.pop_front();
    return stopped;
  }

  std::shared_ptr<Job> next() {
    const std::lock_guard lock(mutex);
    if (!jobs.empty()) return jobs.front();
    running = false;
    idle.notify_all();
    return nullptr;
  }

  void serve() {
    while (const auto job = next()) {
      const Outcome outcome = run(*job, *executor, *cache);
      if (retire())
        call(job->listener.cancelled);
      else if (outcome.compiled)
        call(job->listener.finished, outcome.compiled);
      else
        call(job->listener.failed, outcome.failure);
    }
  }
};

Engine::Engine(std::unique_ptr<Executor> executor, std::unique_ptr<target::PassCache> cache)
    : state_(std::make_unique<State>()) {
  assert(executor && cache);
  state_->executor = std::move(executor);
  state_->cache = std::move(cache);
}

Engine::~Engine() {
  cancel();
  wait();
}

std::uint64_t Engine::submit(Request request, JobListener listener) {
  assert(request.network && request.target);
  auto job = std::make_shared<Job>(Job{std::move(request), std::move(listener), {}});
  const std::lock_guard lock(state_->mutex);
  state_->stop_all();
  state_->jobs.push_back(std::move(job));
  if (!state_->running) {
    state_->running = true;
    state_->executor->post([state = state_.get()] { state->serve(); });
  }
  return ++state_->last_id;
}

void Engine::cancel() {
  const std::lock_guard lock(state_->mutex);
  state_->stop_all();
}

void Engine::wait() {
  std::unique_lock lock(state_->mutex);
  state_->idle.wait(lock, [this] { return !state_->running; });
}

}  // namespace convscope::engine
