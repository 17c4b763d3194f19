#include "ui/parts/canvas/canvas_search.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QToolButton>

#include "ui/model/view_host.h"
#include "ui/parts/drawing.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

QToolButton* arrow_button(QWidget* parent, Qt::ArrowType arrow, const QString& name, const QString& help) {
  auto* button = new QToolButton(parent);
  button->setArrowType(arrow);
  button->setAutoRaise(true);
  button->setObjectName(name);
  button->setToolTip(help);
  button->setAccessibleName(help);
  return button;
}

}  // namespace

CanvasSearch::CanvasSearch(CanvasPanel& panel, const QString& name, const QString& what)
    : QWidget(&panel), panel_(panel), field_(new QLineEdit(this)), count_(new QLabel(this)) {
  field_->setObjectName(name);
  field_->setAccessibleName(what);
  field_->setPlaceholderText(QStringLiteral("Search (Ctrl+F)"));
  field_->setClearButtonEnabled(true);
  field_->setMaximumWidth(200);
  count_->setAccessibleName(QStringLiteral("Matches"));
  auto* before =
      arrow_button(this, Qt::UpArrow, name + QStringLiteral("_previous"), QStringLiteral("Previous match (Shift+F3)"));
  auto* next = arrow_button(this, Qt::DownArrow, name + QStringLiteral("_next"), QStringLiteral("Next match (F3)"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2);
  for (QWidget* part : {static_cast<QWidget*>(field_), static_cast<QWidget*>(before), static_cast<QWidget*>(next),
                        static_cast<QWidget*>(count_)})
    row->addWidget(part);

  connect(field_, &QLineEdit::textChanged, this, [this] { search(true); });
  connect(before, &QToolButton::clicked, this, [this] { step(-1); });
  connect(next, &QToolButton::clicked, this, [this] { step(1); });
  const auto shortcut = [&](const QKeySequence& keys, QWidget* where, std::function<void()> action) {
    auto* made = new QShortcut(keys, where, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    connect(made, &QShortcut::activated, this, std::move(action));
  };
  shortcut(QKeySequence::Find, &panel, [this] {
    field_->setFocus();
    field_->selectAll();
  });
  shortcut(Qt::Key_F3, &panel, [this] { step(1); });
  shortcut(Qt::SHIFT | Qt::Key_F3, &panel, [this] { step(-1); });
  connect(field_, &QLineEdit::returnPressed, this,
          [this] { step(QApplication::keyboardModifiers().testFlag(Qt::ShiftModifier) ? -1 : 1); });
  panel.on_painter = [this, chained = panel.on_painter] {
    if (chained) chained();
    search(false);
  };
}

void CanvasSearch::search(bool reveal) {
  CanvasPainter* painter = panel_.canvas().painter();
  matches_ = painter ? painter->search(field_->text()) : std::vector<CanvasMatch>();
  if (reveal) current_ = -1;
  if (current_ >= matches()) current_ = -1;
  if (reveal && !matches_.empty()) panel_.canvas().reveal(matches_.front().place);
  show_count();
  panel_.canvas().viewport()->update();
}

void CanvasSearch::step(int by) {
  if (matches_.empty()) return;
  current_ = current_ < 0 && by < 0 ? matches() - 1 : (current_ + by + matches()) % matches();
  show_count();
  // By value: selecting may bring a new picture, and with it new matches.
  const CanvasMatch match = matches_[static_cast<std::size_t>(current_)];
  panel_.canvas().reveal(match.place);
  panel_.host().select(match.ref);
}

void CanvasSearch::show_count() {
  const QString found = count_text(matches());
  count_->setText(field_->text().isEmpty() ? QString()
                  : current_ < 0           ? found
                                           : QStringLiteral("%1 of %2").arg(count_text(current_ + 1), found));
}

}  // namespace convscope::ui
