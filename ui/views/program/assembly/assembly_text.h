#pragma once
// A text editor for assembly: numbers its lines and marks those about which something was found.

#include <QPlainTextEdit>
#include <map>
#include <vector>

#include "ui/theme/theme.h"
#include "ui/views/program/assembly/assembly_verdict.h"

namespace convscope::ui {

class AssemblyText : public QPlainTextEdit {
 public:
  explicit AssemblyText(QWidget* parent);

  void set_theme(const Theme& theme);
  void set_findings(const std::vector<AssemblyFinding>& findings);
  /// Puts the cursor there, and the line where one sees it.
  void go_to_line(int line);
  /// Line of the next finding behind the cursor, or of the one before it; from the other end after the last; 0 if there
  /// is none.
  int next_finding(int by) const;
  int current_line() const { return textCursor().blockNumber() + 1; }

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  class Gutter;

  struct Mark {
    Severity severity = Severity::note;
    QString text;  ///< of all findings in the line
  };

  int gutter_width() const;
  void place_gutter();
  void paint_gutter(QWidget& gutter, const QRect& seen);
  void paint_number(QPainter& painter, int line, const QRect& box) const;
  void show_marks();
  QColor colour(Severity severity) const;

  const Theme* theme_;
  Gutter* gutter_;
  std::map<int, Mark> marks_;  ///< by line
};

}  // namespace convscope::ui
