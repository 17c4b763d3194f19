#pragma once
// Things to try, above the views, for those who start the program for the first time. What they are stands in
// resources/welcome/things.xml, because the window knows no target.

#include <QFrame>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <vector>

#include "ui/document/workbench.h"

class QBoxLayout;
class QCheckBox;
class QLabel;
class QSlider;

namespace convscope::ui {

/// One thing to try; empty fields are left out.
struct WelcomeThing {
  QString id, title, text, button;
  QString sample, target, view, drag;
  QString lab;        ///< name of one that comes with the program
  bool pins = false;  ///< pins a baseline first
};

/// The things of a file; none, with diagnostics, if it cannot be read. Reads the file.
std::vector<WelcomeThing> read_welcome_things(const QString& path, Diagnostics& diagnostics);

class WelcomePage : public QFrame {
  Q_OBJECT
 public:
  /// Hidden at first.
  explicit WelcomePage(Workbench& workbench, QWidget* parent = nullptr);

  /// False once the user has said not to show it again.
  static bool wanted_at_start();

 signals:
  void view_wanted(const QString& id);
  void lab_wanted(const QString& file);

 protected:
  void showEvent(QShowEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void add_head(QBoxLayout& column);
  void add_thing(QBoxLayout& row, const WelcomeThing& thing);
  void try_out(const WelcomeThing& thing);
  void show_words(bool shown);
  void start_drag(const QString& parameter);
  void drag_step();
  void close_page();

  Workbench& workbench_;
  QCheckBox* never_again_ = nullptr;
  std::vector<QLabel*> words_;  ///< titles and texts of the things
  QTimer drag_;
  QString dragged_;
  QPointer<QSlider> slider_;  ///< null until it is there, e.g. because the target is still being changed
  std::vector<int> path_;     ///< positions that are still to be visited, last first
  int waited_ = 0;
};

}  // namespace convscope::ui
