#include "ui/document/results.h"

#include <algorithm>
#include <utility>

namespace convscope::ui {
namespace {

bool same_machine(const engine::CompiledNetwork& a, const engine::CompiledNetwork& b) {
  return a.target == b.target && a.machine == b.machine;
}

}  // namespace

void Results::open(std::shared_ptr<const network::Network> network) {
  network_ = std::move(network);
  snapshot_.network = network_;
  complete_.clear();
  snapshot_.compiled.reset();
  snapshot_.previous.reset();
  snapshot_.levels.clear();
  snapshot_.message.clear();
  snapshot_.selection = artifact::Ref{};
  snapshot_.selection.layer = network_ && !network_->layers.empty() ? 0 : -1;
}

void Results::start(const engine::Request& request) {
  auto empty = std::make_shared<engine::CompiledNetwork>(engine::CompiledNetwork{
      request.network, request.target, request.machine, request.level, request.preset, {}, {}, {}, 0, false});
  empty->layers.resize(request.network->layers.size());
  snapshot_.compiled = std::move(empty);
  snapshot_.message.clear();
}

void Results::add(int layer, std::shared_ptr<const target::CompiledLayer> result) {
  const auto index = static_cast<std::size_t>(layer);
  if (!snapshot_.compiled || index >= snapshot_.compiled->layers.size()) return;
  // A copy, because views may still draw the one before.
  auto extended = std::make_shared<engine::CompiledNetwork>(*snapshot_.compiled);
  extended->layers[index] = std::move(result);
  snapshot_.compiled = std::move(extended);
}

void Results::finish(std::shared_ptr<const engine::CompiledNetwork> result) {
  snapshot_.compiled = result;
  snapshot_.previous = result;
  snapshot_.message.clear();
  finish_level(std::move(result));
}

void Results::finish_level(std::shared_ptr<const engine::CompiledNetwork> result) {
  complete_[result->level] = std::move(result);
  collect_levels();
}

void Results::halt(const QString& message) {
  if (snapshot_.compiled && !snapshot_.compiled->complete) snapshot_.compiled.reset();
  snapshot_.message = message;
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
