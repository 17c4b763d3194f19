#pragma once
// A search field for a canvas: marks what matches while one types, next and previous select it.

#include <QWidget>
#include <functional>
#include <vector>

#include "ui/parts/canvas/canvas_panel.h"

class QLabel;
class QLineEdit;

namespace convscope::ui {

class CanvasSearch : public QWidget {
 public:
  /// `name` becomes the field's object name, `what` its accessible one, e.g. "Search the network". Ctrl+F, Return,
  /// Shift+Return, F3 and Shift+F3 work inside the panel.
  CanvasSearch(CanvasPanel& panel, const QString& name, const QString& what);

  /// Selects the next match, or the one before; from the first again after the last.
  void step(int by);
  int matches() const { return static_cast<int>(matches_.size()); }

 private:
  void search(bool reveal);
  void show_count();

  CanvasPanel& panel_;
  QLineEdit* field_;
  QLabel* count_;
  std::vector<CanvasMatch> matches_;
  int current_ = -1;  ///< none was visited yet
};

}  // namespace convscope::ui
