// Pinned runs: the part of the document that edits them, compiles those of a session, and hands them to views.

#include <algorithm>
#include <utility>

#include "ui/document/drafted_run.h"
#include "ui/document/state.h"
#include "ui/document/undo/value_edit.h"
#include "ui/words/text.h"

namespace convscope::ui {
namespace {

/// A baseline's network that is in memory already, because it is open or another baseline's, with the same sizes; null
/// if there is none.
std::shared_ptr<const network::Network> known_network(const BaselineRecord& record, const BaselineList& list,
                                                      const std::shared_ptr<const network::Network>& open,
                                                      const std::optional<network::InputSizes>& open_sizes) {
  const std::string path = record.network_path.toStdString();
  if (open && open->source_file == path && fits_sizes(record, open_sizes)) return open;
  for (const PinnedBaseline& each : list.entries) {
    const auto& known = each.result->network;
    if (known && known->source_file == path && fits_sizes(record, each.record.sizes)) return known;
  }
  return nullptr;
}

}  // namespace

void Workbench::State::edit_baselines(BaselineList next, const QString& text) {
  if (next == baselines) return;
  undo.push(new ValueEdit<BaselineList>(text, baselines, std::move(next),
                                        [this](const BaselineList& to) { apply_baselines(to); }));
}

void Workbench::State::apply_baselines(const BaselineList& next) {
  baselines = next;
  show_baselines();
  publish();
  // A session's, or one that was removed while it waited and is back.
  compile_waiting_baselines();
}

void Workbench::State::compile_waiting_baselines() {
  // Charts can wait for their levels longer than the user for what a session had.
  const bool levels_run = background && !baseline_of_run;
  if ((compilation.running() && !levels_run) || ready_baseline() == nullptr) return;
  if (levels_run) compilation.stop();
  compile_missing();
}

void Workbench::State::show_baselines() {
  auto shown = comparable(baselines, results.network().get());
  int compared = -1;
  for (std::size_t index = 0; index < shown.size(); ++index) {
    if (shown[index].id == baselines.chosen) compared = static_cast<int>(index);
  }
  results.set_baselines(std::move(shown), compared);
  emit owner.baselines_changed();
}

void Workbench::State::compile_baseline(const PinnedBaseline& ready) {
  BaselineRun& result = *ready.result;
  const BaselineRecord& record = ready.record;
  const Settings& made_of = record.settings;
  Diagnostics refused;
  if (!made_of.values.check(refused)) {
    messages.baselines.append(refused);
    baseline_failed(ready, tr("its parameters do not go together"));
    return compile_missing();
  }
  engine::Request wanted{
      result.network, made_of.target, made_of.values, made_of.level.toStdString(), made_of.preset.toStdString(), 0, {}};
  background = true;
  baseline_of_run = ready;
  compilation.start(std::move(wanted));
}

void Workbench::State::baseline_compiled(const PinnedBaseline& baseline,
                                         std::shared_ptr<const engine::CompiledNetwork> run) {
  if (!baseline.record.draft) {
    baseline.result->run = std::move(run);
    return show_baselines();
  }
  baseline.result->drafting = true;
  drafting_baselines[baseline.id].start<DraftedRun>(
      [run = std::move(run), draft = *baseline.record.draft](const std::stop_token& stop) {
        return with_draft(*run, draft, stop);
      },
      [this, baseline](const DraftedRun& made) {
        baseline.result->drafting = false;
        if (!made.run) return baseline_failed(baseline, made.failure);
        baseline.result->run = made.run;
        show_baselines();
        publish();
      });
}

const PinnedBaseline* Workbench::State::ready_baseline() {
  for (const PinnedBaseline& each : baselines.entries) {
    if (!each.pending()) continue;
    BaselineRun& result = *each.result;
    if (!result.network) result.network = known_network(each.record, baselines, results.network(), sizes.open);
    if (result.network) return &each;
    read_baseline_network(each);
  }
  return nullptr;
}

bool Workbench::State::reads_baselines() const {
  return std::any_of(reading_baselines.begin(), reading_baselines.end(),
                     [](const auto& each) { return each.second.running(); });
}

void Workbench::State::read_baseline_network(const PinnedBaseline& pending) {
  const BaselineRecord& record = pending.record;
  for (const PinnedBaseline& each : baselines.entries) {
    const bool same_file = each.record.network_path == record.network_path && each.record.sizes == record.sizes;
    const auto reading = reading_baselines.find(each.id);
    if (same_file && reading != reading_baselines.end() && reading->second.running()) return;
  }
  SizeWish wish = sizes.wish(record.network_path);
  if (record.sizes) wish.chosen = record.sizes;
  reading_baselines[pending.id].start<NetworkReading>(
      [known = catalogue, path = record.network_path.toStdString(), wish](const std::stop_token&) {
        return read_network(*known, path, wish);
      },
      [this, pending](NetworkReading reading) {
        if (reading.network) {
          pending.result->network = std::make_shared<const network::Network>(std::move(*reading.network));
        } else {
          messages.baselines.append(reading.diagnostics);
          baseline_failed(pending, tr("the network %1 cannot be read").arg(pending.record.network_path));
        }
        compile_waiting_baselines();
      });
}

void Workbench::State::baseline_failed(const PinnedBaseline& baseline, const QString& reason) {
  baseline.result->failure = reason;
  const std::string name = baseline.record.name.toStdString();
  messages.baselines.warning({{}, 0, "baseline '" + name + "'"}, "not compiled: " + reason.toStdString());
  collect_messages();
  show_baselines();
  publish();
}

const BaselineList& Workbench::baselines() const {
  return state_->baselines;
}

QString Workbench::baseline_obstacle(int id) const {
  const PinnedBaseline* pinned = state_->baselines.find(id);
  if (pinned == nullptr) return tr("removed");
  if (!pinned->result->failure.isEmpty()) return pinned->result->failure;
  if (!pinned->result->run) return tr("not compiled yet");
  for (const Baseline& each : snapshot().baselines) {
    if (each.id == id && each.matches()) return {};
  }
  const auto name = QString::fromStdString(pinned->result->run->network->name);
  return network() ? tr("no layer of %1 has the name or the shape of one here").arg(name) : tr("no network is open");
}

Settings Workbench::State::settings_of_run() const {
  const auto run = results.snapshot().compiled;
  Settings made_of = settings;
  if (!(made_of.values == run->machine)) made_of.preset_values = made_of.values = run->machine;
  made_of.target = run->target;
  made_of.level = QString::fromStdString(run->level);
  if (const auto preset = QString::fromStdString(run->preset); preset != made_of.preset) {
    made_of.preset = preset;
    made_of.preset_file.clear();
  }
  return made_of;
}

int Workbench::pin_baseline() {
  const auto run = snapshot().compiled;
  if (!run || !run->complete) return -1;
  const int id = state_->next_baseline++;
  BaselineList next = with_pinned(state_->baselines, id, state_->settings_of_run(), input_sizes(), run);
  const QString name = next.entries.back().record.name;
  state_->edit_baselines(std::move(next), tr("Pin %1").arg(name));
  return id;
}

void Workbench::State::pin_draft(const schedule::DraftFile& draft) {
  const auto run = results.snapshot().compiled;
  if (!run || !run->complete) return;
  const QString name = tr("%1 by hand, interval %2").arg(to_text(draft.origin.layer)).arg(draft.interval);
  const BaselineRecord record{free_name(name, baselines), settings_of_run(),
                              QString::fromStdString(run->network->source_file), owner.input_sizes(), draft};
  const int id = next_baseline++;
  edit_baselines(with_waiting(baselines, id, record), tr("Pin %1").arg(record.name));
}

int Workbench::pin_machine(const Settings& settings, const QString& name) {
  const auto open = network();
  if (!open) return -1;
  const BaselineRecord record{free_name(name, state_->baselines), settings, QString::fromStdString(open->source_file),
                              input_sizes()};
  for (const PinnedBaseline& each : state_->baselines.entries) {
    if (each.record.settings != settings || each.record.network_path != record.network_path) continue;
    if (!fits_sizes(each.record, record.sizes)) continue;
    compare_with(each.id);
    return each.id;
  }
  const int id = state_->next_baseline++;
  BaselineList next = with_waiting(state_->baselines, id, record);
  const QString text = tr("Pin %1").arg(next.entries.back().record.name);
  state_->edit_baselines(std::move(next), text);
  return id;
}

void Workbench::remove_baseline(int id) {
  const PinnedBaseline* pinned = state_->baselines.find(id);
  if (pinned == nullptr) return;
  const QString text = tr("Remove baseline %1").arg(pinned->record.name);
  state_->edit_baselines(without(state_->baselines, id), text);
}

void Workbench::rename_baseline(int id, const QString& name) {
  state_->edit_baselines(renamed(state_->baselines, id, name), tr("Rename baseline to %1").arg(name.simplified()));
}

void Workbench::compare_with(int id) {
  const int chosen = state_->baselines.find(id) == nullptr ? -1 : id;
  if (chosen == state_->baselines.chosen) return;
  state_->baselines.chosen = chosen;
  state_->show_baselines();
  state_->publish();
}

std::vector<BaselineRecord> Workbench::baseline_records() const {
  std::vector<BaselineRecord> records;
  for (const PinnedBaseline& each : state_->baselines.entries) records.push_back(each.record);
  return records;
}

void Workbench::restore_baselines(std::vector<BaselineRecord> records, int chosen) {
  BaselineList list = restored(std::move(records), chosen, state_->next_baseline);
  state_->next_baseline += static_cast<int>(list.entries.size());
  state_->reading_baselines.clear();
  state_->drafting_baselines.clear();
  state_->messages.baselines = {};
  state_->collect_messages();
  state_->apply_baselines(list);
}

}  // namespace convscope::ui
