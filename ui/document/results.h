#pragma once
// Results as they arrive, put together to the snapshot that views draw. No threads, no signals.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/views/view.h"

namespace convscope::ui {

class Results {
 public:
  const Snapshot& snapshot() const { return snapshot_; }
  const std::shared_ptr<const network::Network>& network() const { return network_; }

  /// Another network: everything about the one before is forgotten; its first layer is selected.
  void open(std::shared_ptr<const network::Network> network);
  /// A run for the user began: its layers are empty until they arrive.
  void start(const engine::Request& request);
  void add(int layer, std::shared_ptr<const target::CompiledLayer> result);
  /// A complete run, for the user or, in the background, at another level.
  void finish(std::shared_ptr<const engine::CompiledNetwork> result);
  void finish_level(std::shared_ptr<const engine::CompiledNetwork> result);
  /// No run, e.g. because it was cancelled or refused; the message says why.
  void halt(const QString& message);
  /// A level that charts still lack for the machine of the complete run; nothing if there is none.
  std::optional<std::string> missing_level() const;

  void select(const artifact::Ref& ref) { snapshot_.selection = ref; }
  void set_published(std::shared_ptr<const analysis::PublishedTables> tables) {
    snapshot_.published = std::move(tables);
  }
  void set_baselines(std::vector<Baseline> baselines, int compared) {
    snapshot_.baselines = std::move(baselines);
    snapshot_.compared = compared;
  }
  void set_exploration(std::shared_ptr<const ExplorationState> exploration) {
    snapshot_.exploration = std::move(exploration);
  }
  void set_busy(bool busy) { snapshot_.busy = busy; }

 private:
  void collect_levels();

  Snapshot snapshot_;
  std::shared_ptr<const network::Network> network_;
  std::map<std::string, std::shared_ptr<const engine::CompiledNetwork>> complete_;  // newest complete run by level
};

}  // namespace convscope::ui
