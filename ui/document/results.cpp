#include "ui/document/results.h"

#include <algorithm>
#include <utility>

namespace convscope::ui {
namespace {

bool same_machine(const engine::CompiledNetwork& a, const engine::CompiledNetwork& b) {
  return a.target == b.target && a.machine == b.machine;
}

}  // namespace

void Results::retire(std::shared_ptr<const void> old) {
  if (old) retired_.push_back(std::move(old));
}

void Results::drop_added() {
  if (!added_.empty()) retire(std::make_shared<const decltype(added_)>(std::exchange(added_, {})));
}

void Results::open(std::shared_ptr<const network::Network> network) {
  retire(std::exchange(network_, std::move(network)));
  for (auto& [level, run] : complete_) retire(std::move(run));
  complete_.clear();
  drop_added();
  snapshot_.network = network_;
  changes_ |= Change::network | Change::results | Change::selection;
  retire(std::exchange(snapshot_.compiled, nullptr));
  retire(std::exchange(snapshot_.previous, nullptr));
  snapshot_.levels.clear();
  snapshot_.message.clear();
  snapshot_.selection = artifact::Ref{};
  snapshot_.selection.layer = network_ && !network_->layers.empty() ? 0 : -1;
}

void Results::start(const engine::Request& request) {
  const std::string& level = request.quick_level.empty() ? request.level : request.quick_level;
  auto empty = std::make_shared<engine::CompiledNetwork>(engine::CompiledNetwork{
      request.network, request.target, request.machine, level, request.preset, {}, {}, {}, 0, false});
  empty->layers.resize(request.network->layers.size());
  drop_added();
  retire(std::exchange(snapshot_.compiled, std::move(empty)));
  snapshot_.message.clear();
  changes_ |= Change::results;
}

void Results::add(int layer, std::shared_ptr<const target::CompiledLayer> result) {
  const auto index = static_cast<std::size_t>(layer);
  if (snapshot_.compiled && index < snapshot_.compiled->layers.size()) added_.emplace_back(index, std::move(result));
}

void Results::merge() {
  if (added_.empty()) return;
  // A copy, because views may still draw the one before.
  auto extended = std::make_shared<engine::CompiledNetwork>(*snapshot_.compiled);
  for (auto& [index, result] : added_) extended->layers[index] = std::move(result);
  added_.clear();
  retire(std::exchange(snapshot_.compiled, std::move(extended)));
  changes_ |= Change::results;
}

void Results::finish(std::shared_ptr<const engine::CompiledNetwork> result) {
  drop_added();
  retire(std::exchange(snapshot_.compiled, result));
  retire(std::exchange(snapshot_.previous, result));
  snapshot_.message.clear();
  finish_level(std::move(result));
}

void Results::finish_level(std::shared_ptr<const engine::CompiledNetwork> result) {
  auto& newest = complete_[result->level];
  retire(std::exchange(newest, std::move(result)));
  collect_levels();
  changes_ |= Change::results;
}

void Results::halt(const QString& message) {
  if (snapshot_.compiled && !snapshot_.compiled->complete) {
    drop_added();
    retire(std::exchange(snapshot_.compiled, nullptr));
  }
  snapshot_.message = message;
  changes_ |= Change::results;
}

void Results::select(const artifact::Ref& ref) {
  if (ref == snapshot_.selection) return;
  snapshot_.selection = ref;
  changes_ |= Change::selection;
}

void Results::set_published(std::shared_ptr<const analysis::PublishedTables> tables) {
  snapshot_.published = std::move(tables);
  changes_ |= Change::results;
}

void Results::set_baselines(std::vector<Baseline> baselines, int compared) {
  snapshot_.baselines = std::move(baselines);
  snapshot_.compared = compared;
  changes_ |= Change::baselines;
}

void Results::set_exploration(std::shared_ptr<const ExplorationState> exploration) {
  const ExplorationState none, &before = snapshot_.exploration ? *snapshot_.exploration : none;
  if (exploration->sweep != before.sweep) changes_ |= Change::sweep;
  if (exploration->look != before.look) changes_ |= Change::look;
  if (exploration->sensitivity != before.sensitivity || exploration->analyzing != before.analyzing)
    changes_ |= Change::sensitivity;
  if (exploration->quantization != before.quantization || exploration->quantizing != before.quantizing ||
      exploration->quantization_wish != before.quantization_wish)
    changes_ |= Change::quantization;
  snapshot_.exploration = std::move(exploration);
}

void Results::set_busy(bool busy) {
  if (busy != snapshot_.busy) changes_ |= Change::results;
  snapshot_.busy = busy;
}

std::optional<std::string> Results::missing_level() const {
  const auto& reference = snapshot_.previous;
  if (!reference || reference != snapshot_.compiled) return std::nullopt;
  for (const target::Level& level : reference->target->levels()) {
    const auto found = complete_.find(level.name);
    if (found == complete_.end() || !same_machine(*found->second, *reference)) return level.name;
  }
  return std::nullopt;
}

void Results::collect_levels() {
  snapshot_.levels.clear();
  const auto& reference = snapshot_.previous;
  if (!reference) return;
  for (const target::Level& level : reference->target->levels()) {
    const auto found = complete_.find(level.name);
    if (found == complete_.end() || level.name == reference->level) continue;
    if (same_machine(*found->second, *reference)) snapshot_.levels.push_back(found->second);
  }
}

}  // namespace convscope::ui
