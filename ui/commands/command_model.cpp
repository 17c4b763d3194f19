#include "ui/commands/command_model.h"

#include <algorithm>
#include <utility>

#include "ui/commands/match.h"

namespace convscope::ui {

void CommandModel::set_commands(std::vector<Command> commands) {
  beginResetModel();
  commands_ = std::move(commands);
  shown_.clear();
  endResetModel();
  search({});
}

void CommandModel::search(const QString& typed) {
  std::vector<std::pair<int, std::size_t>> matches;
  for (std::size_t index = 0; index < commands_.size(); ++index) {
    const Command& each = commands_[index];
    if (const auto score = match_score(typed, each.title + ' ' + each.place)) matches.emplace_back(*score, index);
  }
  std::stable_sort(matches.begin(), matches.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  beginResetModel();
  shown_.clear();
  for (const auto& [score, index] : matches) shown_.push_back(index);
  endResetModel();
}

int CommandModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int CommandModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : column_count;
}

QVariant CommandModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || role != Qt::DisplayRole) return {};
  const Command& each = command(index.row());
  if (index.column() == title) return each.title;
  if (index.column() == place) return each.place;
  return each.keys.toString(QKeySequence::NativeText);
}

QVariant CommandModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == title ? tr("Command") : section == place ? tr("Where") : tr("Keys");
}

}  // namespace convscope::ui
