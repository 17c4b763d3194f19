#pragma once
// A lab beside the views: what to read, questions to answer, and tasks that turn done.

#include <QTextCursor>
#include <QWidget>
#include <vector>

#include "ui/labs/lab_work.h"

class QLabel;
class QTextBrowser;
class QVBoxLayout;

namespace convscope::ui {

class LabPanel : public QWidget {
  Q_OBJECT
 public:
  explicit LabPanel(LabWork& work, QWidget* parent = nullptr);

  /// Asks for a file, and hands in what there is.
  void hand_in();
  /// Gives the text the keyboard, at the link that was followed last.
  void read_on();

 private:
  struct TaskLines {
    QLabel *title, *reasons;
  };

  void show_lab();
  void show_outcome();
  void show_news(const QString& text);
  void add_task(const labs::Task& task, QVBoxLayout& column);
  void add_hints(const labs::Task& task, QVBoxLayout& column);
  void add_question(const labs::Question& question, QVBoxLayout& column);
  void add_program(const labs::ProgramWanted& wanted, QVBoxLayout& column);
  void add_tiling(const labs::TilingWanted& wanted, QVBoxLayout& column);

  LabWork& work_;
  QTextBrowser* text_ = nullptr;
  QTextCursor followed_;          ///< the link; null if none was
  QWidget* work_area_ = nullptr;  ///< of the lab that is open
  QLabel *points_ = nullptr, *news_ = nullptr;
  std::vector<TaskLines> tasks_;
};

}  // namespace convscope::ui
