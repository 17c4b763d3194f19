#pragma once
// The line that compares a layer's picture with the baseline, as a widget; gone while there is nothing to compare.

#include <QWidget>

#include "ui/parts/comparison/comparison_line.h"

namespace convscope::ui {

class ComparisonStrip : public QWidget {
  Q_OBJECT
 public:
  explicit ComparisonStrip(QWidget* parent = nullptr);

  void set_line(ComparisonLine line);
  const ComparisonLine& line() const { return line_; }
  void set_theme(const Theme& theme);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  ComparisonLine line_;
  const Theme* theme_;
};

}  // namespace convscope::ui
