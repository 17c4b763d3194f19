#include "ui/document/baselines.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <utility>

#include "ui/document/network_reading.h"
#include "ui/words/translated.h"

namespace convscope::ui {
namespace {

constexpr int most_parameters_in_a_name = 2;

/// "lanes 32", …: what differs from the preset; only how many if they are many.
QStringList changed_parameters(const Settings& settings) {
  QStringList changed;
  const auto& parameters = settings.values.description().parameters;
  for (std::size_t index = 0; index < parameters.size(); ++index) {
    if (settings.values.at(index) == settings.preset_values.at(index)) continue;
    changed << QString::fromStdString(parameters[index].label).toLower() + ' ' +
                   QString::fromStdString(settings.values.text(index));
  }
  if (changed.size() <= most_parameters_in_a_name) return changed;
  return {translated("%1 parameters changed").arg(changed.size())};
}

bool taken(const QString& name, const BaselineList& list, int except) {
  return std::any_of(list.entries.begin(), list.entries.end(),
                     [&](const PinnedBaseline& each) { return each.id != except && each.record.name == name; });
}

}  // namespace

bool fits_sizes(const BaselineRecord& record, const std::optional<network::InputSizes>& sizes) {
  return !record.sizes || !sizes || *record.sizes == *sizes;
}

const PinnedBaseline* BaselineList::find(int id) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& each) { return each.id == id; });
  return found == entries.end() ? nullptr : &*found;
}

QString automatic_name(const Settings& settings, const BaselineList& list) {
  const QString machine = settings.preset.isEmpty() ? QString::fromStdString(settings.target->id()) : settings.preset;
  const QStringList parts = QStringList{machine} + changed_parameters(settings) + QStringList{settings.level};
  return free_name(parts.join(", "), list);
}

QString free_name(const QString& wanted, const BaselineList& list, int except) {
  QString name = wanted.simplified();
  if (name.isEmpty() || !taken(name, list, except)) return name;
  int number = 2;
  const auto numbered = [&] { return QStringLiteral("%1 (%2)").arg(name).arg(number); };
  while (taken(numbered(), list, except)) ++number;
  return numbered();
}

BaselineList with_pinned(BaselineList list, int id, const Settings& settings,
                         const std::optional<network::InputSizes>& sizes,
                         std::shared_ptr<const engine::CompiledNetwork> run) {
  const auto network = run->network;
  BaselineRecord record{automatic_name(settings, list), settings, QString::fromStdString(network->source_file), sizes};
  list.entries.push_back(
      {id, std::move(record), std::make_shared<BaselineRun>(BaselineRun{std::move(run), network, {}})});
  list.chosen = id;
  return list;
}

BaselineList with_waiting(BaselineList list, int id, BaselineRecord record) {
  if (record.name.isEmpty()) record.name = automatic_name(record.settings, list);
  list.entries.push_back({id, std::move(record), std::make_shared<BaselineRun>()});
  list.chosen = id;
  return list;
}

BaselineList without(BaselineList list, int id) {
  std::erase_if(list.entries, [&](const PinnedBaseline& each) { return each.id == id; });
  if (list.chosen == id) list.chosen = list.entries.empty() ? -1 : list.entries.back().id;
  return list;
}

BaselineList renamed(BaselineList list, int id, const QString& name) {
  const QString free = free_name(name, list, id);
  for (PinnedBaseline& each : list.entries) {
    if (each.id == id && !free.isEmpty()) each.record.name = free;
  }
  return list;
}

BaselineList restored(std::vector<BaselineRecord> records, int chosen, int first_id) {
  BaselineList list;
  for (BaselineRecord& record : records) {
    record.name =
        free_name(record.name.simplified().isEmpty() ? automatic_name(record.settings, list) : record.name, list);
    const int id = first_id + static_cast<int>(list.entries.size());
    list.entries.push_back({id, std::move(record), std::make_shared<BaselineRun>()});
  }
  if (chosen >= 0 && static_cast<std::size_t>(chosen) < list.entries.size()) list.chosen = first_id + chosen;
  return list;
}

std::vector<Baseline> comparable(const BaselineList& list, const network::Network* open) {
  std::vector<Baseline> baselines;
  if (open == nullptr) return baselines;
  const auto layers = analysis::identities_of(*open);
  for (const PinnedBaseline& each : list.entries) {
    const auto& run = each.result->run;
    if (!run) continue;
    auto matching = std::make_shared<const analysis::LayerMatching>(
        analysis::match_layers(layers, analysis::identities_of(*run->network)));
    baselines.push_back({each.record.name, run, std::move(matching), each.id});
  }
  return baselines;
}

}  // namespace convscope::ui
