#include "ui/document/session_reading.h"

#include <algorithm>
#include <utility>

#include "core/base/resources.h"
#include "core/session/network_reference.h"
#include "ui/words/long_names.h"

namespace convscope::ui {
namespace {

using Targets = std::vector<std::shared_ptr<const target::Target>>;

/// Puts a session's names together to what the window works with; collects what is not as it was.
class Restorer {
 public:
  Restorer(const Targets& targets, std::string file, Diagnostics& diagnostics)
      : targets_(targets), file_(std::move(file)), diagnostics_(diagnostics) {}

  std::optional<Settings> settings(const session::Machine& machine) {
    const auto found =
        std::find_if(targets_.begin(), targets_.end(), [&](const auto& each) { return each->id() == machine.target; });
    if (found == targets_.end()) {
      diagnostics_.error({file_, 0, "target '" + machine.target + "'"}, "there is no such target", target_names());
      return std::nullopt;
    }
    Settings result = preset_settings(*found, machine);
    result.values = session::machine_values(machine, result.preset_values, file_, diagnostics_);
    const auto level = QString::fromStdString(machine.level);
    if (has_level(**found, level)) {
      result.level = level;
    } else if (!level.isEmpty()) {
      diagnostics_.warning({file_, 0, "level '" + machine.level + "'"},
                           "there is no such level; taken: " + result.level.toStdString());
    }
    return result;
  }

  std::optional<std::string> network(const session::NetworkReference& reference) {
    return session::find_network(reference, file_, {sample_path("networks")}, diagnostics_);
  }

  void baseline(const session::Baseline& stored, std::vector<BaselineRecord>& records) {
    Diagnostics found;
    Restorer own(targets_, file_, found);
    const auto made_of = own.settings(stored.machine);
    const auto path = own.network(stored.network);
    std::optional<schedule::DraftFile> draft;
    if (!stored.draft.empty()) draft = schedule::read_draft_file(stored.draft, file_, found);
    const bool whole = stored.draft.empty() || draft;  // without its draft it would be another one
    for (Diagnostic each : found.items()) {
      // A session opens without a baseline that can't be compiled any more.
      if (each.severity == Severity::error) each.severity = Severity::warning;
      each.what = "baseline '" + stored.name + "': " + each.what;
      diagnostics_.add(std::move(each));
    }
    if (made_of && path && whole)
      records.push_back({QString::fromStdString(shown_name(stored.name)), *made_of, QString::fromStdString(*path),
                         stored.network.sizes, std::move(draft)});
  }

 private:
  std::string target_names() const {
    std::string names = "one of";
    for (const auto& each : targets_) names += ' ' + each->id();
    return names;
  }

  /// What a reset returns to. The parameters of the session don't depend on it.
  Settings preset_settings(const std::shared_ptr<const target::Target>& target, const session::Machine& machine) {
    const auto standard = QString::fromStdString(target->default_preset());
    const auto wanted = machine.preset.empty() ? standard : QString::fromStdString(machine.preset);
    Diagnostics unreadable;
    for (const QString& preset : {wanted, standard}) {
      if (preset.isEmpty()) continue;
      auto read = read_settings(target, preset, QString::fromStdString(machine.level), unreadable);
      if (read && preset == wanted) return *read;
      if (read) {
        diagnostics_.warning({file_, 0, "preset '" + machine.preset + "'"},
                             "there is no such preset any more; a reset returns to " + preset.toStdString());
        return *read;
      }
    }
    return default_settings(target);
  }

  const Targets& targets_;
  std::string file_;
  Diagnostics& diagnostics_;
};

SizeWish wish_for(const std::optional<network::InputSizes>& sizes) {
  SizeWish wish;
  wish.chosen = sizes;
  return wish;
}

/// Baselines of sessions that don't tell their sizes are of those that the open network had: older programs knew one
/// size for each file.
void complete_sizes(RestoredSession& restored) {
  if (!restored.network.network) return;
  for (BaselineRecord& each : restored.baselines) {
    if (!each.sizes && each.network_path == restored.network_path) each.sizes = restored.network.sizes;
  }
}

int compared_baseline(const session::Session& session, std::size_t count) {
  const auto found = session.window.find("compared");
  bool is_number = false;
  const int index = found == session.window.end() ? -1 : QString::fromStdString(found->second).toInt(&is_number);
  return is_number && index >= 0 && index < static_cast<int>(count) ? index : -1;
}

}  // namespace

bool is_session_file(const QString& path) {
  return path.endsWith(QLatin1String(session::extension), Qt::CaseInsensitive);
}

SessionReading read_session_files(const catalogue::Catalogue& catalogue, const QString& path) {
  SessionReading result;
  const auto read = session::load_session(path.toStdString(), result.diagnostics);
  if (!read) return result;
  Restorer restorer(catalogue.targets, path.toStdString(), result.diagnostics);
  const auto settings = restorer.settings(read->machine);
  const auto network_path = read->network ? restorer.network(*read->network) : std::string();
  if (!settings || !network_path) return result;
  RestoredSession restored{*read, *settings, QString::fromStdString(*network_path), {}, {}, -1};
  if (!network_path->empty()) {
    restored.network = read_network(catalogue, *network_path, wish_for(read->network->sizes));
    result.diagnostics.append(restored.network.diagnostics);
    if (!restored.network.network) return result;
  }
  for (const session::Baseline& each : read->baselines) restorer.baseline(each, restored.baselines);
  complete_sizes(restored);
  restored.compared = compared_baseline(*read, restored.baselines.size());
  result.restored = std::move(restored);
  return result;
}

session::Machine machine_of(const Settings& settings) {
  return {settings.target->id(), preset_reference(settings).toStdString(), settings.level.toStdString(),
          session::assignments_of(settings.values)};
}

}  // namespace convscope::ui
