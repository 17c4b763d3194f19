#pragma once
// Requests, memoization, cancellation, progress: compiles networks in the background, the visible layer first.

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/artifact/coverage.h"
#include "core/engine/executor.h"
#include "core/target/target.h"

namespace convscope::engine {

/// A network compiled for a machine. Immutable once finished; `layers` entries are null where compilation was
/// cancelled. Where the target links networks, and all layers were compiled, they are as they stand in the linked one.
struct CompiledNetwork {
  std::shared_ptr<const network::Network> network;
  std::shared_ptr<const target::Target> target;
  arch::ParameterValues machine;
  std::string level;
  std::string preset;  ///< name only, for reports
  std::vector<std::shared_ptr<const target::CompiledLayer>> layers;
  artifact::Metrics total;
  artifact::Roofline roofline;
  artifact::Coverage coverage{};
  bool complete = false;
  std::shared_ptr<const target::NetworkPlan> plan = {};  ///< null if the target has none
  std::shared_ptr<const target::LinkedNetwork> linked =
      {};  ///< null if the target links nothing, or layers are missing
};

/// Of all layers of the network; those without a result count as not mapped.
artifact::Coverage coverage(const CompiledNetwork& compiled);

struct Request {
  std::shared_ptr<const network::Network> network;
  std::shared_ptr<const target::Target> target;
  arch::ParameterValues machine;
  std::string level;
  std::string preset;
  int visible_layer = 0;         ///< compiled first
  std::vector<int> only_layers;  ///< empty: all
  /// A quicker level that a background job compiles and delivers before; empty: none. See target::Level::quick_first.
  std::string quick_level = {};
};

/// A concurrent PassCache with a budget in entries; least recently used entries are dropped first. A key is computed
/// once while others wait; if that computation throws, one of those who wait computes. Only a thread that would wait
/// for itself computes a second time.
std::unique_ptr<target::PassCache> make_memory_cache(std::size_t entries = 4096);

/// Compiles at the request's level on the caller's thread with the executor's help. Throws Cancelled if stopped. The
/// result does not depend on the number of threads. `progress` is called on worker threads, one at a time, once for
/// each layer.
CompiledNetwork compile(const Request& request, Executor& executor, target::PassCache& cache,
                        const std::stop_token& stop = {}, const ProgressCallback& progress = {});

/// Callbacks of a background job, called on worker threads, one at a time for one job, and before the next job's.
/// Exactly one of `finished`, `cancelled` and `failed` comes, as the last one. Once a job was superseded or cancelled,
/// no other than `cancelled` begins, except one whose turn had come already. Callbacks may submit and cancel, not wait.
struct JobListener {
  /// Of the quick level first, if the request names one, then of its own.
  std::function<void(int layer, std::shared_ptr<const target::CompiledLayer>)> layer_done;
  /// The network at the quick level, complete, before the first layer of the request's own.
  std::function<void(std::shared_ptr<const CompiledNetwork>)> quick;
  std::function<void(std::shared_ptr<const CompiledNetwork>)> finished;
  std::function<void()> cancelled;
  std::function<void(std::string)> failed;
  ProgressCallback progress;
};

/// Runs one network compilation at a time; a new submission stops and supersedes the one before.
class Engine {
 public:
  explicit Engine(std::unique_ptr<Executor> executor, std::unique_ptr<target::PassCache> cache = make_memory_cache());
  ~Engine();  ///< cancels and waits
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Returns at once. Job ids ascend.
  std::uint64_t submit(Request request, JobListener listener);
  /// Asks the running job to stop; its listener's `cancelled` follows.
  void cancel();
  /// Waits until no job runs. Not for the window's thread.
  void wait();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace convscope::engine
