#include "ui/document/compilation.h"

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "ui/jobs/apart.h"

namespace convscope::ui {
namespace {

// Superseded work is to stop within 50 ms.
constexpr int grace_milliseconds = 40;

}  // namespace

/// Where worker threads put a job's layers and progress: with one event for all that is there, thousands of layers that
/// are done at once do not keep the window from its other events.
struct Compilation::Inbox {
  using Layers = std::vector<std::pair<int, std::shared_ptr<const target::CompiledLayer>>>;

  std::mutex mutex;
  Layers layers;
  std::optional<std::pair<double, std::string>> progress;
  bool announced = false;
  bool refining = false;  ///< the network is there at the quick level: layers wait until all are better

  /// True if the window's thread has to be told that there is something.
  template <typename Put>
  bool put(Put into) {
    const std::lock_guard lock(mutex);
    into(*this);
    return !std::exchange(announced, true);
  }
};

Compilation::Compilation(QObject* parent)
    : QObject(parent), engine_(std::make_shared<engine::Engine>(engine::make_tbb_executor())) {
  grace_.setSingleShot(true);
  connect(&grace_, &QTimer::timeout, this, &Compilation::launch_waiting);
}

Compilation::~Compilation() {
  engine_->cancel();
  run_apart([engine = std::move(engine_)]() mutable { engine.reset(); });
}

void Compilation::start(engine::Request request) {
  if (running_ && !visible_done_ && since_launch_.elapsed() < grace_milliseconds) {
    waiting_ = std::move(request);
    if (!grace_.isActive()) grace_.start(grace_milliseconds - static_cast<int>(since_launch_.elapsed()));
    return;
  }
  launch(std::move(request));
}

void Compilation::stop() {
  ++generation_;
  waiting_.reset();
  grace_.stop();
  running_ = false;
  engine_->cancel();
}

void Compilation::launch_waiting() {
  if (waiting_) launch(*std::exchange(waiting_, std::nullopt));
}

void Compilation::launch(engine::Request request) {
  ++generation_;
  waiting_.reset();
  grace_.stop();
  running_ = true;
  visible_done_ = false;
  visible_layer_ = request.visible_layer;
  since_launch_.start();
  emit started(request);
  engine_->submit(std::move(request), listener());
}

void Compilation::empty(Inbox& inbox) {
  Inbox::Layers layers;
  std::optional<std::pair<double, std::string>> now;
  {
    const std::lock_guard lock(inbox.mutex);
    layers = std::exchange(inbox.layers, {});
    now = std::exchange(inbox.progress, std::nullopt);
    inbox.announced = false;
  }
  const std::uint64_t generation = generation_;
  for (auto& [layer, compiled] : layers) {
    emit layer_done(layer, compiled);
    if (generation != generation_) return;  // superseded by whom it was told
    if (layer == visible_layer_) visible_done_ = true;
  }
  if (now) emit progress(now->first, QString::fromStdString(now->second));
  if (generation == generation_ && visible_done_) launch_waiting();
}

engine::JobListener Compilation::listener() {
  const std::uint64_t generation = generation_;
  const auto inbox = std::make_shared<Inbox>();
  // Runs `deliver` here if the job that runs now is still the current one then.
  const auto post = [this, generation, send = mailbox_.sender()](Deliver deliver) {
    send([this, generation, deliver = std::move(deliver)] {
      if (generation == generation_) deliver();
    });
  };
  const auto announce = [this, post, inbox] { post([this, inbox] { empty(*inbox); }); };
  engine::JobListener result;
  result.layer_done = [inbox, announce](int layer, std::shared_ptr<const target::CompiledLayer> compiled) {
    if (inbox->refining) return;  // callbacks of a job come one at a time
    if (inbox->put([&](Inbox& into) { into.layers.emplace_back(layer, std::move(compiled)); })) announce();
  };
  result.quick = [this, post, generation, inbox](std::shared_ptr<const engine::CompiledNetwork> compiled) {
    inbox->refining = true;
    post([this, generation, inbox, compiled = std::move(compiled)] {
      empty(*inbox);
      if (generation == generation_) emit quick(compiled);
    });
  };
  result.finished = [this, post, generation, inbox](std::shared_ptr<const engine::CompiledNetwork> compiled) {
    post([this, generation, inbox, compiled = std::move(compiled)] {
      empty(*inbox);
      if (generation != generation_) return;
      running_ = false;
      emit finished(compiled);
      launch_waiting();
    });
  };
  result.failed = [this, post](const std::string& reason) {
    post([this, reason] {
      running_ = false;
      emit failed(QString::fromStdString(reason));
      launch_waiting();
    });
  };
  result.progress = [inbox, announce](double fraction, const std::string& activity) {
    if (inbox->put([&](Inbox& into) { into.progress.emplace(fraction, activity); })) announce();
  };
  return result;
}

}  // namespace convscope::ui
