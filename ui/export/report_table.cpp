#include "ui/export/report_table.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "ui/parts/drawing.h"

namespace convscope::ui {
namespace {

constexpr double text_pixels = 8.5, gap = 9, line_spacing = 1.35;
constexpr double widest_heading = 70, widest_words = 170;  // longer ones are broken, or elided

}  // namespace

double ReportTable::Layout::width() const {
  const double heading = std::max(longest_word, std::min(heading_width, widest_heading));
  return std::max(std::min(text_width, column.figure ? text_width : widest_words) + mark_width, heading) + gap;
}

ReportTable::ReportTable(std::vector<Column> columns, const Theme& theme, QPaintDevice* device)
    : theme_(theme),
      device_(device),
      data_(with_pixel_size(theme.data_font(), text_pixels)),
      label_(with_pixel_size(theme.label_font(), text_pixels)) {
  const QFontMetricsF metrics(label_, device_);
  for (Column& column : columns) {
    Layout layout{std::move(column)};
    layout.heading_width = metrics.horizontalAdvance(layout.column.title);
    for (const QString& word : layout.column.title.split(' '))
      layout.longest_word = std::max(layout.longest_word, metrics.horizontalAdvance(word));
    columns_.push_back(std::move(layout));
  }
  row_height_ = QFontMetricsF(data_, device_).height() * line_spacing;
}

void ReportTable::add(std::vector<ReportCell> row) {
  const QFontMetricsF data(data_, device_), label(label_, device_);
  for (std::size_t index = 0; index < columns_.size(); ++index) {
    Layout& column = columns_[index];
    const QFontMetricsF& metrics = column.column.figure ? data : label;
    column.text_width = std::max(column.text_width, metrics.horizontalAdvance(row[index].text));
    column.mark_width = std::max(column.mark_width, data.horizontalAdvance(row[index].mark));
  }
  cells_.push_back(std::move(row));
}

void ReportTable::divide_columns(double width) {
  groups_ = {{}};
  double used = 0;
  for (std::size_t index = 0; index < columns_.size(); ++index) {
    if (used + columns_[index].width() > width && groups_.back().size() > 1) {
      groups_.push_back({0});
      used = columns_.front().width();
    }
    groups_.back().push_back(index);
    used += columns_[index].width();
  }
}

double ReportTable::heading_height() const {
  const QFontMetricsF metrics(label_, device_);
  double height = metrics.height();
  for (const Layout& each : columns_) {
    const QRectF box(0, 0, each.width() - gap, 1000);
    height = std::max(height, metrics.boundingRect(box, Qt::TextWordWrap, each.column.title).height());
  }
  return height + 6;
}

void ReportTable::lay_out(QSizeF page) {
  divide_columns(page.width());
  rows_on_a_page_ = std::max(1, static_cast<int>((page.height() - heading_height()) / row_height_));
}

int ReportTable::pages() const {
  if (cells_.empty()) return 0;
  return (rows() + rows_on_a_page_ - 1) / rows_on_a_page_ * static_cast<int>(groups_.size());
}

void ReportTable::paint_heading(QPainter& painter, const QRectF& box, const Layout& column) const {
  painter.setFont(label_);
  painter.setPen(theme_.text);
  const auto side = column.column.figure ? Qt::AlignRight : Qt::AlignLeft;
  painter.drawText(box.adjusted(0, 0, -column.mark_width, -3), side | Qt::AlignBottom | Qt::TextWordWrap,
                   column.column.title);
}

void ReportTable::paint_cell(QPainter& painter, const QRectF& box, const Layout& column, const ReportCell& cell) const {
  painter.setFont(column.column.figure ? data_ : label_);
  painter.setPen(theme_.text);
  const QRectF text = box.adjusted(0, 0, -column.mark_width, 0);
  // A column's own widest text must not be elided for the last fraction of a pixel.
  const QRectF room = text.adjusted(column.column.figure ? -1 : 0, 0, column.column.figure ? 0 : 1, 0);
  draw_text(painter, room, (column.column.figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, cell.text);
  if (cell.mark.isEmpty()) return;
  painter.setFont(data_);
  painter.setPen(theme_.muted_text);
  painter.drawText(QRectF(text.right(), box.top(), column.mark_width + 1, box.height()),
                   Qt::AlignLeft | Qt::AlignVCenter, cell.mark);
}

void ReportTable::paint(QPainter& painter, const QRectF& area, int page) const {
  const auto group = static_cast<std::size_t>(page) % groups_.size();
  const int first = static_cast<int>(static_cast<std::size_t>(page) / groups_.size()) * rows_on_a_page_;
  const int last = std::min(rows(), first + rows_on_a_page_);
  const double heading = heading_height();
  double x = area.left();
  for (const std::size_t index : groups_[group]) {
    const Layout& column = columns_[index];
    const double width = column.width() - gap;
    paint_heading(painter, QRectF(x, area.top(), width, heading), column);
    for (int row = first; row < last; ++row) {
      const QRectF box(x, area.top() + heading + (row - first) * row_height_, width, row_height_);
      paint_cell(painter, box, column, cells_[static_cast<std::size_t>(row)][index]);
    }
    x += column.width();
  }
  painter.setPen(QPen(theme_.border, 0.8));
  painter.drawLine(QPointF(area.left(), area.top() + heading), QPointF(x - gap, area.top() + heading));
  painter.setPen(QPen(theme_.grid, 0.5));
  for (int row = first + 1; row <= last; ++row) {
    const double y = area.top() + heading + (row - first) * row_height_;
    painter.drawLine(QPointF(area.left(), y), QPointF(x - gap, y));
  }
}

}  // namespace convscope::ui
