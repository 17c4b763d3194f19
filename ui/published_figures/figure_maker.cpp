#include "ui/published_figures/figure_maker.h"

#include <QMetaObject>
#include <exception>

#include "core/base/resources.h"

namespace convscope::ui {

FigureMaker::FigureMaker(QObject* parent) : QObject(parent), cache_(engine::make_memory_cache()) {
  pool_.setMaxThreadCount(1);
}

FigureMaker::~FigureMaker() {
  stop_.request_stop();
  pool_.waitForDone();
}

void FigureMaker::make(const QString& id) {
  stop_.request_stop();
  stop_ = std::stop_source();
  busy_ = true;
  pool_.start([this, id, stop = stop_.get_token(), job = ++job_] {
    auto outcome = std::make_shared<const Outcome>(run(id, stop, job));
    QMetaObject::invokeMethod(
        this, [this, job, id, outcome] { deliver(job, id, *outcome); }, Qt::QueuedConnection);
  });
}

void FigureMaker::cancel() {
  stop_.request_stop();
}

FigureMaker::Outcome FigureMaker::run(const QString& id, const std::stop_token& stop, int job) {
  try {
    throw_if_stopped(stop);
    Diagnostics diagnostics;
    const auto published = analysis::PublishedTables::load(resource_path("published"), diagnostics);
    const auto executor = engine::make_tbb_executor();
    const auto progress = [this, job](double fraction, const std::string& activity) {
      QMetaObject::invokeMethod(
          this,
          [this, job, fraction, text = QString::fromStdString(activity)] {
            if (job == job_ && busy_) emit progress_changed(fraction, text);
          },
          Qt::QueuedConnection);
    };
    const figures::Environment environment{executor.get(), cache_.get(), &published, stop, progress};
    auto figure = figures::make_figure(id.toStdString(), environment, diagnostics);
    if (figure) return {std::move(figure), {}, false};
    return {std::nullopt, QString::fromStdString(diagnostics.text()), false};
  } catch (const Cancelled&) {
    return {std::nullopt, {}, true};
  } catch (const std::exception& error) {
    return {std::nullopt, QString::fromUtf8(error.what()), false};
  }
}

void FigureMaker::deliver(int job, const QString& id, const Outcome& outcome) {
  if (job != job_) return;
  busy_ = false;
  if (outcome.figure) {
    emit made(id, *outcome.figure);
  } else if (outcome.cancelled) {
    emit cancelled(id);
  } else {
    emit failed(id, outcome.message);
  }
}

}  // namespace convscope::ui
