#pragma once
// The menu of labs. The panel comes with the first lab that is opened.

#include <QMenu>
#include <map>
#include <string>

#include "ui/labs/lab_work.h"

namespace convscope::ui {

class LabPanel;
class MainWindow;

/// Whether a file is the one that makes a folder a lab, by its name.
bool is_lab_file(const QString& path);

class LabsMenu : public QMenu {
  Q_OBJECT
 public:
  LabsMenu(Workbench& workbench, MainWindow& window, QWidget* parent);

  LabWork& work() { return work_; }
  /// A lab's folder, or its lab.xml: shows the panel, and reads it in the background.
  void open(const QString& path);
  /// The lab's text has the keyboard; does nothing if no lab is open.
  void go_to_lab();

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
  QAction *hand_in_ = nullptr, *go_to_ = nullptr;
  bool asked_for_ = false;  ///< the lab that is being read was opened by the user, not by a session
};

}  // namespace convscope::ui
