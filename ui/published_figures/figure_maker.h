#pragma once
// Makes published figures away from the window's thread, one at a time; a new one stops the one before.

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <memory>
#include <optional>
#include <stop_token>

#include "core/figures/figure.h"

namespace convscope::ui {

class FigureMaker : public QObject {
  Q_OBJECT
 public:
  explicit FigureMaker(QObject* parent = nullptr);
  ~FigureMaker() override;  ///< stops and waits

  void make(const QString& id);
  void cancel();
  bool busy() const { return busy_; }

 signals:
  void progress_changed(double fraction, const QString& activity);
  /// Exactly one of these for each figure that no other superseded.
  void made(const QString& id, const convscope::figures::Figure& figure);
  void failed(const QString& id, const QString& message);
  void cancelled(const QString& id);

 private:
  struct Outcome {
    std::optional<figures::Figure> figure;
    QString message;
    bool cancelled = false;
  };
  Outcome run(const QString& id, const std::stop_token& stop, int job);
  void deliver(int job, const QString& id, const Outcome& outcome);

  std::unique_ptr<target::PassCache> cache_;  ///< figures share most of their searches
  std::stop_source stop_;
  int job_ = 0;
  bool busy_ = false;
  QThreadPool pool_;
};

}  // namespace convscope::ui
