#include <QLineEdit>
#include <QShortcut>

#include "ui/views/canvas_panel.h"
#include "ui/views/program/program_painter.h"

namespace convscope::ui {
namespace {

ProgramPainter* shown_program(CanvasPanel& panel) {
  return dynamic_cast<ProgramPainter*>(panel.canvas().painter());
}

void mark(CanvasPanel& panel, const QString& text) {
  if (auto* painter = shown_program(panel)) painter->search(text);
  panel.canvas().viewport()->update();
}

/// Scrolls to the next line below `*row` that contains the text, from the top again after the last.
void find_next(CanvasPanel& panel, const QString& text, int* row) {
  auto* painter = shown_program(panel);
  const std::vector<int> rows = painter ? painter->scene().search(text) : std::vector<int>();
  if (rows.empty()) return;
  const auto next = std::upper_bound(rows.begin(), rows.end(), *row);
  *row = next == rows.end() ? rows.front() : *next;
  panel.canvas().reveal(painter->row_box(*row));
}

}  // namespace

QWidget* make_program_widget(Workbench& workbench, QWidget* parent) {
  auto* panel = new CanvasPanel(workbench, parent, make_program_canvas);
  auto* search = new QLineEdit(panel);
  search->setObjectName(QStringLiteral("program_search"));
  search->setPlaceholderText(QStringLiteral("Search (Ctrl+F)"));
  search->setAccessibleName(QStringLiteral("Search the program"));
  search->setClearButtonEnabled(true);
  search->setMaximumWidth(220);
  panel->add_tool(search);
  const auto row = std::make_shared<int>(-1);
  QObject::connect(search, &QLineEdit::textChanged, panel, [panel, row](const QString& text) {
    *row = -1;
    mark(*panel, text);
    find_next(*panel, text, row.get());
  });
  QObject::connect(search, &QLineEdit::returnPressed, panel,
                   [panel, search, row] { find_next(*panel, search->text(), row.get()); });
  panel->on_painter = [panel, search] { mark(*panel, search->text()); };
  auto* shortcut = new QShortcut(QKeySequence::Find, panel, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
  QObject::connect(shortcut, &QShortcut::activated, search, [search] {
    search->setFocus();
    search->selectAll();
  });
  return panel;
}

}  // namespace convscope::ui
