#pragma once
// A table on paper: headings on every page, columns as wide as their widest cell, and what is too wide for a page goes
// on beside the first column on another.

#include <QFont>
#include <QRectF>
#include <QString>
#include <vector>

#include "ui/theme/theme.h"

class QPaintDevice;
class QPainter;

namespace convscope::ui {

struct ReportCell {
  QString text;
  QString mark;  ///< behind a figure, small: where it comes from
};

class ReportTable {
 public:
  struct Column {
    QString title;
    bool figure = true;  ///< right-aligned
  };

  /// `device` is what the table will be painted on; needed for the widths of texts.
  ReportTable(std::vector<Column> columns, const Theme& theme, QPaintDevice* device);

  /// A row has a cell for each column.
  void add(std::vector<ReportCell> row);
  int rows() const { return static_cast<int>(cells_.size()); }
  /// Divides rows and columns among pages of a size; call once, after the last row.
  void lay_out(QSizeF page);
  int pages() const;
  void paint(QPainter& painter, const QRectF& area, int page) const;

 private:
  struct Layout {
    Column column;
    double text_width = 0, mark_width = 0, heading_width = 0, longest_word = 0;
    double width() const;
  };

  void divide_columns(double width);
  double heading_height() const;
  void paint_heading(QPainter& painter, const QRectF& box, const Layout& column) const;
  void paint_cell(QPainter& painter, const QRectF& box, const Layout& column, const ReportCell& cell) const;

  std::vector<Layout> columns_;
  std::vector<std::vector<ReportCell>> cells_;
  std::vector<std::vector<std::size_t>> groups_;  ///< columns side by side on a page
  int rows_on_a_page_ = 1;
  double row_height_ = 0;
  const Theme& theme_;
  QPaintDevice* device_;
  QFont data_, label_;
};

}  // namespace convscope::ui
