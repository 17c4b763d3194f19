#include "app/window/baselines.h"

#include "app/window/headless.h"
#include "ui/document/baselines.h"

namespace convscope::window {
namespace {

const target::Target& target_of(const ui::Workbench& workbench, const QString& id) {
  for (const auto& each : workbench.targets()) {
    if (QString::fromStdString(each->id()) == id) return *each;
  }
  return *workbench.target();
}

/// With nothing left to what was configured before.
ui::StartOptions complete(const ui::Workbench& workbench, ui::StartOptions start) {
  const target::Target& target = target_of(workbench, start.target);
  if (start.preset.isEmpty()) start.preset = QString::fromStdString(target.default_preset());
  if (start.level.isEmpty()) start.level = QString::fromStdString(target.default_level());
  return start;
}

/// The start with what a baseline changes. Parameters and preset of another machine are none of its.
ui::StartOptions changed(ui::StartOptions start, const ui::StartOptions& baseline) {
  const bool other_target = !baseline.target.isEmpty() && baseline.target != start.target;
  if (other_target) start = ui::StartOptions{baseline.target, {}, {}, {}};
  if (!baseline.preset.isEmpty()) start.preset = baseline.preset;
  if (!baseline.level.isEmpty()) start.level = baseline.level;
  start.parameters += baseline.parameters;
  return start;
}

}  // namespace

bool configure(ui::Workbench& workbench, const Options& options, Diagnostics& diagnostics) {
  ui::StartOptions start = options.start;
  if (start.target.isEmpty()) start.target = QString::fromStdString(workbench.target()->id());
  std::vector<ui::BaselineRecord> records;
  for (const ui::StartOptions& baseline : options.baselines) {
    if (!workbench.configure(complete(workbench, changed(start, baseline)), diagnostics)) return false;
    records.push_back({{}, workbench.settings(), network_path(options.network)});
  }
  if (!workbench.configure(records.empty() ? options.start : complete(workbench, start), diagnostics)) return false;
  const int last = static_cast<int>(records.size()) - 1;
  if (last >= 0) workbench.restore_baselines(std::move(records), last);
  return true;
}

}  // namespace convscope::window
