#pragma once
// Ctrl+K: type what you want, Enter does it.

#include <QDialog>

class QLineEdit;
class QMainWindow;
class QTreeView;

namespace convscope::ui {

class CommandModel;
class Workbench;

/// Made anew whenever it opens, so that it always knows what there is; deletes itself when it closes.
class CommandPalette : public QDialog {
  Q_OBJECT
 public:
  CommandPalette(QMainWindow& window, Workbench& workbench);

 protected:
  /// Up, down and page keys move in the list while one types.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build();
  void run_current();
  void select_first();

  QMainWindow& window_;
  CommandModel* model_;
  QLineEdit* field_;
  QTreeView* list_;
};

}  // namespace convscope::ui
