#include "ui/views/program/assembly/assembly_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QTextBlock>
#include <QToolTip>
#include <algorithm>

namespace convscope::ui {

class AssemblyText::Gutter : public QWidget {
 public:
  explicit Gutter(AssemblyText& text) : QWidget(&text), text_(text) {}
  QSize sizeHint() const override { return {text_.gutter_width(), 0}; }

 protected:
  void paintEvent(QPaintEvent* event) override { text_.paint_gutter(*this, event->rect()); }

 private:
  AssemblyText& text_;
};

AssemblyText::AssemblyText(QWidget* parent)
    : QPlainTextEdit(parent), theme_(&light_theme()), gutter_(new Gutter(*this)) {
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setTabChangesFocus(true);  // keyboards alone must get out again
  setMouseTracking(true);
  connect(this, &QPlainTextEdit::blockCountChanged, this, [this] { place_gutter(); });
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& seen, int scrolled) {
    if (scrolled != 0)
      gutter_->scroll(0, scrolled);
    else
      gutter_->update(0, seen.y(), gutter_->width(), seen.height());
  });
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] { show_marks(); });
  place_gutter();
}

void AssemblyText::set_theme(const Theme& theme) {
  theme_ = &theme;
  setFont(theme.data_font());
  QPalette colours = theme.palette();
  colours.setColor(QPalette::Base, theme.background);
  setPalette(colours);
  place_gutter();
  show_marks();
}

void AssemblyText::set_findings(const std::vector<AssemblyFinding>& findings) {
  marks_.clear();
  for (const AssemblyFinding& each : findings) {
    if (each.line <= 0) continue;
    const auto [mark, first] = marks_.try_emplace(each.line, Mark{each.severity, each.text});
    if (first) continue;
    mark->second.severity = std::min(mark->second.severity, each.severity);  // errors come first
    mark->second.text += QLatin1Char('\n') + each.text;
  }
  show_marks();
}

void AssemblyText::go_to_line(int line) {
  const QTextBlock block = document()->findBlockByNumber(line - 1);
  if (!block.isValid()) return;
  setTextCursor(QTextCursor(block));
  centerCursor();
}

int AssemblyText::next_finding(int by) const {
  if (marks_.empty()) return 0;
  if (by > 0) {
    const auto next = marks_.upper_bound(current_line());
    return next == marks_.end() ? marks_.begin()->first : next->first;
  }
  const auto here = marks_.lower_bound(current_line());
  return here == marks_.begin() ? marks_.rbegin()->first : std::prev(here)->first;
}

QColor AssemblyText::colour(Severity severity) const {
  if (severity == Severity::error) return theme_->error;
  return severity == Severity::warning ? theme_->warning : theme_->note;
}

int AssemblyText::gutter_width() const {
  const auto digits = std::max<qsizetype>(3, QString::number(blockCount()).size());
  const QFontMetrics metrics(font());
  return static_cast<int>(digits) * metrics.horizontalAdvance(QLatin1Char('9')) + 3 * metrics.averageCharWidth() + 10;
}

void AssemblyText::place_gutter() {
  const int width = gutter_width();
  setViewportMargins(width, 0, 0, 0);
  const QRect inside = contentsRect();
  gutter_->setGeometry(inside.left(), inside.top(), width, inside.height());
  gutter_->update();
}

void AssemblyText::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  place_gutter();
}

void AssemblyText::paint_gutter(QWidget& gutter, const QRect& seen) {
  QPainter painter(&gutter);
  painter.fillRect(seen, theme_->surface);
  painter.setFont(font());
  QTextBlock block = firstVisibleBlock();
  double top = blockBoundingGeometry(block).translated(contentOffset()).top();
  for (; block.isValid() && top <= seen.bottom(); block = block.next()) {
    const double height = blockBoundingRect(block).height();
    if (block.isVisible() && top + height >= seen.top())
      paint_number(painter, block.blockNumber() + 1,
                   QRect(0, static_cast<int>(top), gutter.width(), static_cast<int>(height)));
    top += height;
  }
  painter.setPen(theme_->border);
  painter.drawLine(gutter.width() - 1, seen.top(), gutter.width() - 1, seen.bottom());
}

// A sign besides the colour.
void AssemblyText::paint_number(QPainter& painter, int line, const QRect& box) const {
  const auto mark = marks_.find(line);
  if (mark != marks_.end()) {
    painter.setPen(colour(mark->second.severity));
    const QString sign = mark->second.severity == Severity::error ? QStringLiteral("✕") : QStringLiteral("!");
    painter.drawText(box.adjusted(4, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, sign);
  } else {
    painter.setPen(line == current_line() ? theme_->text : theme_->muted_text);
  }
  painter.drawText(box.adjusted(0, 0, -6, 0), Qt::AlignRight | Qt::AlignVCenter, QString::number(line));
}

void AssemblyText::show_marks() {
  QList<QTextEdit::ExtraSelection> shown;
  QTextEdit::ExtraSelection line;
  line.cursor = textCursor();
  line.cursor.clearSelection();
  line.format.setBackground(theme_->raised);
  line.format.setProperty(QTextFormat::FullWidthSelection, true);
  shown << line;
  for (const auto& [number, mark] : marks_) {
    QTextEdit::ExtraSelection found;
    found.cursor = QTextCursor(document()->findBlockByNumber(number - 1));
    if (found.cursor.isNull()) continue;
    found.cursor.select(QTextCursor::LineUnderCursor);
    found.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    found.format.setUnderlineColor(colour(mark.severity));
    shown << found;
  }
  setExtraSelections(shown);
  gutter_->update();
}

bool AssemblyText::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QPlainTextEdit::event(event);
  const auto& help = *static_cast<QHelpEvent*>(event);
  const QPoint inside = viewport()->mapFrom(this, help.pos());
  const auto mark = marks_.find(cursorForPosition(inside).blockNumber() + 1);
  if (mark == marks_.end())
    QToolTip::hideText();
  else
    QToolTip::showText(help.globalPos(), mark->second.text.toHtmlEscaped().replace('\n', "<br>"), this);
  return true;
}

}  // namespace convscope::ui
