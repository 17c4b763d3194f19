// Sweeps: the part of the exploration that runs them, and reads what others have run.

#include <QFileInfo>
#include <utility>

#include "core/explore/results/results_table.h"
#include "ui/document/exploration/exploration_state.h"
#include "ui/words/long_names.h"

namespace convscope::ui {
namespace {

/// Keeps the newest news only: a window that is busy must not find a queue of tables when it comes back.
class NewsBox {
 public:
  /// True if nothing was waiting to be fetched.
  bool put(SweepNews news) {
    const std::lock_guard lock(mutex_);
    const bool was_empty = !latest_.has_value();
    latest_ = std::move(news);
    return was_empty;
  }
  SweepNews take() {
    const std::lock_guard lock(mutex_);
    return *std::exchange(latest_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::optional<SweepNews> latest_;
};

struct ResultsReading {
  std::shared_ptr<const explore::SweepTable> table;
  Diagnostics diagnostics;
};

ResultsReading read_results(const catalogue::CataloguePointer& catalogue, const QString& path,
                            const std::string& space_folder) {
  ResultsReading reading;
  const std::string file = path.toStdString();
  std::vector<std::string> folders;
  if (!space_folder.empty()) folders.push_back(space_folder);
  const auto state = QObject::tr("from %1").arg(QFileInfo(path).fileName()).toStdString();
  reading.table = shown_table(explore::read_results_table(file, folders, state, catalogue, reading.diagnostics));
  return reading;
}

}  // namespace

bool is_results_file(const QString& path) {
  return path.endsWith(QLatin1String(".db"), Qt::CaseInsensitive);
}

void Exploration::State::take(const SweepNews& news) {
  progress = news.progress;
  progress.running = progress.running && owner.sweeping();  // one that was cancelled may not have heard of it yet
  show([&](ExplorationState& state) { state.sweep = news.table; });
  emit owner.changed();
  emit owner.sweep_changed();
}

void Exploration::State::sweep_ended(const SweepOutcome& outcome) {
  progress.running = false;
  host.report_exploration(outcome.diagnostics);
  emit owner.sweep_changed();
}

void Exploration::start_sweep(const SweepPlan& plan) {
  cancel_sweep();
  state_->opening_results.forget();
  state_->results = QString::fromStdString(plan.file);
  state_->named_results.clear();
  state_->progress = {};
  state_->progress.size = plan.space->size();
  state_->progress.running = true;
  SweepLook look = state_->shown->look;
  look.chosen.clear();
  look.brushes.clear();
  set_look(look);
  state_->host.report_exploration({});
  const auto box = std::make_shared<NewsBox>();
  State* const state = state_.get();
  state->sweep.start([state, plan, gate = state->gate, box](const Job& job) -> Deliver {
    const auto tell = [&](SweepNews news) {
      if (box->put(std::move(news))) job.tell([state, box] { state->take(box->take()); });
    };
    return [state, outcome = run_sweep(plan, gate, job.stop(), tell)] { state->sweep_ended(outcome); };
  });
  emit sweep_changed();
}

void Exploration::cancel_sweep() {
  if (!sweeping()) return;
  state_->sweep.stop();  // what it found until it stops is still shown
  state_->progress.running = false;
  emit sweep_changed();
}

bool Exploration::sweeping() const {
  return state_->sweep.running() && !state_->sweep.stopping();
}

const SweepProgress& Exploration::progress() const {
  return state_->progress;
}

QString Exploration::results_file() const {
  return state_->results;
}

void Exploration::open_results(const QString& path) {
  cancel_sweep();
  state_->sweep.forget();
  state_->opening_results.start<ResultsReading>(
      [known = state_->host.catalogue(), path, folder = state_->setup.folder()](const std::stop_token&) {
        return read_results(known, path, folder);
      },
      [this, path](const ResultsReading& reading) {
        state_->host.report_exploration(reading.diagnostics);
        if (reading.table) state_->take_results(path, reading.table);
        emit sweep_changed();
        emit results_opened();
      });
  emit sweep_changed();
}

void Exploration::State::take_results(const QString& path, const std::shared_ptr<const explore::SweepTable>& table) {
  results = QFileInfo(path).absoluteFilePath();
  named_results.clear();
  progress = {};
  progress.size = table->size;
  progress.seen = table->seen;
  SweepLook look = shown->look;
  std::erase_if(look.chosen, [&](std::uint64_t point) { return !table->row(point); });
  owner.set_look(look);
  owner.show_sweep(table);
}

void Exploration::cancel_opening() {
  if (!state_->opening_results.running()) return;
  state_->opening_results.forget();
  emit sweep_changed();
  emit results_opened();
}

bool Exploration::opening_files() const {
  return state_->opening_results.running() || state_->opening_space.running();
}

}  // namespace convscope::ui
