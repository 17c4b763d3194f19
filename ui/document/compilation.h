#pragma once
// The engine as the window's thread sees it: requests go in at any rate, results come back as signals on this object's
// thread, and what was superseded never arrives.

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <optional>

#include "core/engine/engine.h"
#include "ui/jobs/mailbox.h"

namespace convscope::ui {

class Compilation : public QObject {
  Q_OBJECT
 public:
  explicit Compilation(QObject* parent = nullptr);
  /// Cancels; the engine ends by itself, nobody waits for it.
  ~Compilation() override;

  /// Supersedes what runs. A job that has not shown its visible layer yet is left a moment to do so, else a fast drag
  /// would starve the picture; only the newest request waits.
  void start(engine::Request request);
  /// Stops and forgets what runs and what waits; no signal of it follows.
  void stop();
  bool running() const { return running_ || waiting_.has_value(); }

 signals:
  void started(const convscope::engine::Request& request);
  /// Of the quick level, if the request names one; else of its own.
  void layer_done(int layer, std::shared_ptr<const convscope::target::CompiledLayer> result);
  /// The whole network at the request's quick level; `finished` at its own follows.
  void quick(std::shared_ptr<const convscope::engine::CompiledNetwork> result);
  void finished(std::shared_ptr<const convscope::engine::CompiledNetwork> result);
  void failed(const QString& reason);
  void progress(double fraction, const QString& activity);

 private:
  struct Inbox;

  void launch(engine::Request request);
  void launch_waiting();
  /// Hands on what has arrived; on this object's thread.
  void empty(Inbox& inbox);
  engine::JobListener listener();

  std::uint64_t generation_ = 0;
  bool running_ = false;
  bool visible_done_ = false;
  int visible_layer_ = 0;
  QElapsedTimer since_launch_;
  QTimer grace_;
  std::optional<engine::Request> waiting_;
  std::shared_ptr<engine::Engine> engine_;
  Mailbox mailbox_;
};

}  // namespace convscope::ui
