#include "ui/document/compilation.h"

#include <utility>

namespace convscope::ui {
namespace {

// Superseded work is to stop within 50 ms.
constexpr int grace_milliseconds = 40;

}  // namespace

Compilation::Compilation(QObject* parent)
    : QObject(parent), engine_(std::make_unique<engine::Engine>(engine::make_tbb_executor())) {
  grace_.setSingleShot(true);
  connect(&grace_, &QTimer::timeout, this, &Compilation::launch_waiting);
}

Compilation::~Compilation() = default;

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

template <typename Deliver>
void Compilation::post(std::uint64_t generation, Deliver deliver) {
  QMetaObject::invokeMethod(
      this,
      [this, generation, deliver = std::move(deliver)] {
        if (generation == generation_) deliver();
      },
      Qt::QueuedConnection);
}

engine::JobListener Compilation::listener() {
  const std::uint64_t generation = generation_;
  engine::JobListener result;
  result.layer_done = [this, generation](int layer, std::shared_ptr<const target::CompiledLayer> compiled) {
    post(generation, [this, layer, compiled = std::move(compiled)] {
      emit layer_done(layer, compiled);
      if (layer != visible_layer_) return;
      visible_done_ = true;
      launch_waiting();
    });
  };
  result.finished = [this, generation](std::shared_ptr<const engine::CompiledNetwork> compiled) {
    post(generation, [this, compiled = std::move(compiled)] {
      running_ = false;
      emit finished(compiled);
      launch_waiting();
    });
  };
  result.failed = [this, generation](const std::string& reason) {
    post(generation, [this, reason] {
      running_ = false;
      emit failed(QString::fromStdString(reason));
      launch_waiting();
    });
  };
  result.progress = [this, generation](double fraction, const std::string& activity) {
    post(generation, [this, fraction, activity] { emit progress(fraction, QString::fromStdString(activity)); });
  };
  return result;
}

}  // namespace convscope::ui
