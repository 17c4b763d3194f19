#pragma once
// Runs that were pinned to compare with: the list that undo goes to and fro between, and what a session keeps of it.

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/engine/engine.h"
#include "core/network/shape_inference.h"
#include "core/schedule/draft/draft_file.h"
#include "ui/model/settings.h"
#include "ui/model/view.h"

namespace convscope::ui {

/// What a baseline was made of: enough to compile it again, so all that a session has to store.
struct BaselineRecord {
  QString name;
  Settings settings;
  QString network_path;  ///< as it was opened
  /// What the network was read with; nothing if its format states all sizes, or if a session does not tell.
  std::optional<network::InputSizes> sizes = {};
  std::optional<schedule::DraftFile> draft = {};  ///< that stands in the place of the compiler's schedule
  bool operator==(const BaselineRecord&) const = default;
};

/// What there is of a baseline's run. Shared by every copy of a list, so that an undone list finds it, too.
struct BaselineRun {
  std::shared_ptr<const engine::CompiledNetwork> run;  ///< null until it is compiled
  std::shared_ptr<const network::Network> network;     ///< what it is compiled from; null until it is read
  QString failure;                                     ///< why there is no run and won't be; empty if it may come
  bool drafting = false;                               ///< compiled; its draft is being put in
};

struct PinnedBaseline {
  int id = -1;
  BaselineRecord record;
  std::shared_ptr<BaselineRun> result;  ///< never null
  /// Has neither a run nor a reason to have none, and is to be compiled.
  bool pending() const { return !result->run && result->failure.isEmpty() && !result->drafting; }
  bool operator==(const PinnedBaseline&) const = default;
};

/// Pinned runs in the order in which they were pinned. A value.
struct BaselineList {
  std::vector<PinnedBaseline> entries;
  int chosen = -1;  ///< id of the one that tables compare with; -1: none
  bool operator==(const BaselineList&) const = default;

  const PinnedBaseline* find(int id) const;
};

/// Preset, parameters that differ from it, level: "thesis, lanes 32, fusion"; numbered if the list has that name.
QString automatic_name(const Settings& settings, const BaselineList& list);
/// The name without blanks around it, numbered if another baseline has it; nothing is left of blanks alone.
QString free_name(const QString& wanted, const BaselineList& list, int except = -1);

/// True if a network that was read with sizes is what the record is of. Sizes that nobody stated are any.
bool fits_sizes(const BaselineRecord& record, const std::optional<network::InputSizes>& sizes);

/// The list with a run pinned at its end and chosen; `settings` must be what it was compiled for, `sizes` what its
/// network was read with.
BaselineList with_pinned(BaselineList list, int id, const Settings& settings,
                         const std::optional<network::InputSizes>& sizes,
                         std::shared_ptr<const engine::CompiledNetwork> run);
/// The list with a machine at its end and chosen that is still to be compiled; it gets a name if it has none.
BaselineList with_waiting(BaselineList list, int id, BaselineRecord record);
/// Without one of them; if it was the chosen one, the last that is left is chosen.
BaselineList without(BaselineList list, int id);
BaselineList renamed(BaselineList list, int id, const QString& name);
/// The list that records describe, without runs. `chosen` is an index, -1: none; ids count from `first_id`.
BaselineList restored(std::vector<BaselineRecord> records, int chosen, int first_id);

/// Those that have a run, matched with the open network's layers, for views.
std::vector<Baseline> comparable(const BaselineList& list, const network::Network* open);

}  // namespace convscope::ui
