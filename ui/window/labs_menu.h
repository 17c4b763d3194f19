#pragma once
// The menu of labs. The panel comes with the first lab that is opened.

#include <QMenu>
#include <map>
#include <string>

#include "ui/labs/lab_work.h"

namespace convscope::ui {

class LabPanel;
class MainWindow;

class LabsMenu : public QMenu {
  Q_OBJECT
 public:
  LabsMenu(Workbench& workbench, MainWindow& window, QWidget* parent);

  LabWork& work() { return work_; }

  /// The lab that is open and what is done of it, for a session; nothing if none is.
  std::map<std::string, std::string> session_state() const;
  /// Opens the lab of a session, if it has one.
  void restore(const std::map<std::string, std::string>& state);

 private:
  QAction* add(const QString& name, const QString& text);
  void add_samples();
  void show_panel();

  MainWindow& window_;
  LabWork work_;
  LabPanel* panel_ = nullptr;
  QAction* hand_in_ = nullptr;
};

}  // namespace convscope::ui
