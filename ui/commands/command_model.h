#pragma once
// Commands that fit what is typed, best first.

#include <QAbstractTableModel>
#include <vector>

#include "ui/commands/command.h"

namespace convscope::ui {

class CommandModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { title, place, keys, column_count };

  explicit CommandModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
  void set_commands(std::vector<Command> commands);
  /// Equal matches keep the commands' order.
  void search(const QString& typed);
  const Command& command(int row) const { return commands_[shown_[static_cast<std::size_t>(row)]]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<Command> commands_;
  std::vector<std::size_t> shown_;
};

}  // namespace convscope::ui
