#pragma once
// Results as they arrive, put together to the snapshot that views draw. No threads, no signals.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/model/change.h"
#include "ui/model/exploration.h"
#include "ui/model/snapshot.h"

namespace convscope::ui {

class Results {
 public:
  const Snapshot& snapshot() const { return snapshot_; }
  const std::shared_ptr<const network::Network>& network() const { return network_; }

  /// Another network: everything about the one before is forgotten; its first layer is selected.
  void open(std::shared_ptr<const network::Network> network);
  /// A run for the user began: its layers are empty until they arrive.
  void start(const engine::Request& request);
  /// The snapshot has the layer from `merge` on: a new picture for each of thousands would take longer than the layers.
  void add(int layer, std::shared_ptr<const target::CompiledLayer> result);
  void merge();
  /// A complete run, for the user or, in the background, at another level.
  void finish(std::shared_ptr<const engine::CompiledNetwork> result);
  void finish_level(std::shared_ptr<const engine::CompiledNetwork> result);
  /// Runs and networks that were replaced. To let go of a large one takes time that the window's thread does not have.
  std::vector<std::shared_ptr<const void>> take_retired() { return std::exchange(retired_, {}); }
  /// No run, e.g. because it was cancelled or refused; the message says why.
  void halt(const QString& message);
  /// A level that charts still lack for the machine of the complete run; nothing if there is none.
  std::optional<std::string> missing_level() const;

  void select(const artifact::Ref& ref);
  void set_published(std::shared_ptr<const analysis::PublishedTables> tables);
  void set_baselines(std::vector<Baseline> baselines, int compared);
  void set_exploration(std::shared_ptr<const ExplorationState> exploration);
  void set_busy(bool busy);
  /// What has changed in the snapshot since this was called last.
  Changes take_changes() { return std::exchange(changes_, {}); }

 private:
  void collect_levels();
  /// What is replaced, and may be large.
  void retire(std::shared_ptr<const void> old);
  void drop_added();

  Snapshot snapshot_;
  Changes changes_;
  std::shared_ptr<const network::Network> network_;
  std::vector<std::pair<std::size_t, std::shared_ptr<const target::CompiledLayer>>> added_;  // not merged yet
  std::vector<std::shared_ptr<const void>> retired_;
  std::map<std::string, std::shared_ptr<const engine::CompiledNetwork>> complete_;  // newest complete run by level
};

}  // namespace convscope::ui
