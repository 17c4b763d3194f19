#include "ui/views/program/operation_index.h"

#include <algorithm>

#include "ui/parts/drawing.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

bool scheduled(const artifact::TaskGraph& graph) {
  return graph.initiation_interval > 0 &&
         std::all_of(graph.operations.begin(), graph.operations.end(), [](const auto& o) { return o.cycle >= 0; });
}

QString plural(std::int64_t count, const QString& noun) {
  return QStringLiteral("%1 %2%3").arg(count_text(count), noun, count == 1 ? QString() : QStringLiteral("s"));
}

}  // namespace

QString dependence_kind_name(artifact::DependenceKind kind) {
  switch (kind) {
    case artifact::DependenceKind::data:
      return QStringLiteral("data");
    case artifact::DependenceKind::order:
      return QStringLiteral("order");
    case artifact::DependenceKind::anti:
      return QStringLiteral("anti");
  }
  return {};
}

OperationIndex::OperationIndex(std::shared_ptr<const artifact::TaskGraph> graph) : graph_(std::move(graph)) {
  if (!graph_) return;
  const std::size_t count = graph_->operations.size();
  incoming_.resize(count);
  outgoing_.resize(count);
  for (std::size_t i = 0; i < count; ++i) positions_.emplace(graph_->operations[i].key, static_cast<int>(i));
  for (std::size_t i = 0; i < graph_->dependences.size(); ++i) {
    const artifact::TaskDependence& dependence = graph_->dependences[i];
    outgoing_[static_cast<std::size_t>(dependence.from)].push_back(static_cast<int>(i));
    incoming_[static_cast<std::size_t>(dependence.to)].push_back(static_cast<int>(i));
  }
  if (scheduled(*graph_)) slack_ = artifact::slack(*graph_);
}

int OperationIndex::find(artifact::OperationKey key) const {
  const auto found = positions_.find(key);
  return key == 0 || found == positions_.end() ? -1 : found->second;
}

const artifact::TaskOperation* OperationIndex::operation(artifact::OperationKey key) const {
  const int position = find(key);
  return position < 0 ? nullptr : &graph_->operations[static_cast<std::size_t>(position)];
}

std::optional<std::int64_t> OperationIndex::slack(int operation) const {
  return slack_.empty() ? std::nullopt : std::optional(slack_[static_cast<std::size_t>(operation)]);
}

std::unordered_set<artifact::OperationKey> OperationIndex::neighbours(artifact::OperationKey key) const {
  std::unordered_set<artifact::OperationKey> keys;
  const int position = find(key);
  if (position < 0) return keys;
  const auto key_of = [&](int index) { return graph_->operations[static_cast<std::size_t>(index)].key; };
  for (int d : incoming(position)) keys.insert(key_of(graph_->dependences[static_cast<std::size_t>(d)].from));
  for (int d : outgoing(position)) keys.insert(key_of(graph_->dependences[static_cast<std::size_t>(d)].to));
  keys.erase(key);
  return keys;
}

QString OperationIndex::dependence_lines(const QString& heading, const std::vector<int>& dependences,
                                         bool incoming) const {
  constexpr std::size_t shown = 6;
  QString lines;
  for (std::size_t i = 0; i < std::min(shown, dependences.size()); ++i) {
    const artifact::TaskDependence& d = graph_->dependences[static_cast<std::size_t>(dependences[i])];
    const auto& other = graph_->operations[static_cast<std::size_t>(incoming ? d.from : d.to)];
    lines += QStringLiteral("\n%1 %2 (%3, ≥ %4")
                 .arg(i == 0 ? heading : QStringLiteral("   "), to_text(other.label), dependence_kind_name(d.kind),
                      plural(d.distance, "cycle"));
    if (d.iterations > 0) lines += QStringLiteral(", %1 later").arg(plural(d.iterations, "iteration"));
    if (d.iterations < 0) lines += QStringLiteral(", %1 earlier").arg(plural(-d.iterations, "iteration"));
    lines += QStringLiteral(")");
  }
  if (dependences.size() > shown) {
    lines += QStringLiteral("\n    and %1 more").arg(count_text(static_cast<std::int64_t>(dependences.size() - shown)));
  }
  return lines;
}

QString OperationIndex::reading(artifact::OperationKey key) const {
  const int position = find(key);
  if (position < 0) return {};
  QString text = dependence_lines(QStringLiteral("after"), incoming(position), true) +
                 dependence_lines(QStringLiteral("before"), outgoing(position), false);
  if (!slack_.empty()) {
    text += QStringLiteral("\nslack %1").arg(plural(slack_[static_cast<std::size_t>(position)], "cycle"));
  }
  return text.mid(1);
}

}  // namespace convscope::ui
