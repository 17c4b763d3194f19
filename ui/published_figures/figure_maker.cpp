#include "ui/published_figures/figure_maker.h"

#include <exception>
#include <utility>

#include "core/base/resources.h"

namespace convscope::ui {

FigureMaker::FigureMaker(catalogue::CataloguePointer catalogue, QObject* parent)
    : QObject(parent), catalogue_(std::move(catalogue)), cache_(engine::make_memory_cache()) {}

void FigureMaker::make(const QString& id) {
  const auto show_progress = [this](double fraction, const QString& activity) {
    emit progress_changed(fraction, activity);
  };
  job_.start(
      [this, id, known = catalogue_, cache = cache_, show_progress](const Job& job) -> Deliver {
        const auto outcome = std::make_shared<const Outcome>(run(id, *known, *cache, job, show_progress));
        return [this, id, outcome] { deliver(id, *outcome); };
      },
      [this, id] { emit cancelled(id); });
}

FigureMaker::Outcome FigureMaker::run(const QString& id, const catalogue::Catalogue& catalogue,
                                      target::PassCache& cache, const Job& job,
                                      std::function<void(double, const QString&)> show_progress) {
  try {
    Diagnostics diagnostics;
    const auto published = analysis::PublishedTables::load(resource_path("published"), diagnostics);
    const auto executor = engine::make_tbb_executor();
    const auto progress = [&job, &show_progress](double fraction, const std::string& activity) {
      job.tell([show_progress, fraction, text = QString::fromStdString(activity)] { show_progress(fraction, text); });
    };
    const figures::Environment environment{executor.get(), &cache, &published, &catalogue, job.stop(), progress};
    auto figure = figures::make_figure(id.toStdString(), environment, diagnostics);
    if (figure) return {std::move(figure), {}};
    return {std::nullopt, QString::fromStdString(diagnostics.text())};
  } catch (const Cancelled&) {
    throw;
  } catch (const std::exception& error) {
    return {std::nullopt, QString::fromUtf8(error.what())};
  }
}

void FigureMaker::deliver(const QString& id, const Outcome& outcome) {
  if (outcome.figure) {
    emit made(id, *outcome.figure);
  } else {
    emit failed(id, outcome.message);
  }
}

}  // namespace convscope::ui
