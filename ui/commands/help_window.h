#pragma once
// F1: keys, views and parameters on one searchable page.

#include <QDialog>
#include <span>

class QLineEdit;
class QMainWindow;
class QTextBrowser;

namespace convscope::ui {

class Workbench;
struct ViewEntry;

/// Not modal: it can stay open beside the window. Follows the machine. Deletes itself when it closes.
class HelpWindow : public QDialog {
  Q_OBJECT
 public:
  HelpWindow(QMainWindow& window, Workbench& workbench, std::span<const ViewEntry> views);

  /// Scrolls to "shortcuts", "views" or "parameters".
  void show_section(const QString& name);

 private:
  void build();
  void refresh();
  void find_next();

  QMainWindow& window_;
  Workbench& workbench_;
  std::span<const ViewEntry> views_;  ///< outlive the page
  QLineEdit* field_;
  QTextBrowser* page_;
  QString shown_;  ///< what the page was made from
};

}  // namespace convscope::ui
