#pragma once
// Makes published figures away from the window's thread, one at a time; a new one stops the one before.

#include <QObject>
#include <QString>
#include <memory>
#include <optional>

#include "core/figures/figure.h"
#include "ui/jobs/long_job.h"

namespace convscope::ui {

class FigureMaker : public QObject {
  Q_OBJECT
 public:
  explicit FigureMaker(catalogue::CataloguePointer catalogue, QObject* parent = nullptr);

  void make(const QString& id);
  void cancel() { job_.stop(); }
  bool busy() const { return job_.running(); }

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
  };
  static Outcome run(const QString& id, const catalogue::Catalogue& catalogue, target::PassCache& cache, const Job& job,
                     std::function<void(double, const QString&)> show_progress);
  void deliver(const QString& id, const Outcome& outcome);

  const catalogue::CataloguePointer catalogue_;
  std::shared_ptr<target::PassCache> cache_;  ///< figures share most of their searches
  LongJob job_;
};

}  // namespace convscope::ui
