// Points of a sweep: the part of the exploration that opens, compares and describes them.

#include "core/explore/results/results_table.h"
#include "ui/document/exploration/exploration_state.h"
#include "ui/document/exploration/point_machine.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

struct MachineReading {
  std::optional<Settings> settings;
  Diagnostics diagnostics;
};

QString number_of(std::uint64_t point) {
  return count_text(static_cast<std::int64_t>(point));
}

}  // namespace

void Exploration::State::with_settings(std::uint64_t point, std::function<void(const Settings&)> act) {
  const auto& table = shown->sweep;
  if (!table || !table->row(point)) return;
  if (table->space) {
    if (const auto settings = point_settings(*table->space, point, host.targets())) act(*settings);
    return;
  }
  reading_machine.start<MachineReading>(
      [path = results.toStdString(), point, targets = host.targets()](const std::stop_token&) {
        MachineReading reading;
        const auto stored = explore::read_stored_machine(path, point, reading.diagnostics);
        if (stored) reading.settings = stored_settings(*stored, targets, path, reading.diagnostics);
        return reading;
      },
      [this, act = std::move(act)](const MachineReading& reading) {
        host.report_exploration(reading.diagnostics);
        if (reading.settings) act(*reading.settings);
      });
}

void Exploration::open_point(std::uint64_t point) {
  state_->with_settings(point, [this, point](const Settings& settings) {
    state_->host.take_machine(settings, tr("Open point %1").arg(number_of(point)));
  });
}

void Exploration::compare_points(std::uint64_t first, std::uint64_t second) {
  if (first == second) return;
  state_->with_settings(first, [this, first, second](const Settings& settings) {
    state_->host.pin_machine(settings, tr("point %1").arg(number_of(first)));
    open_point(second);
  });
}

QString Exploration::describe(std::uint64_t point) const {
  const auto& table = state_->shown->sweep;
  return table ? point_text(*table, point) : QString();
}

}  // namespace convscope::ui
