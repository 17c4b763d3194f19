#include "ui/commands/help_window.h"

#include <QLineEdit>
#include <QMainWindow>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "ui/commands/command.h"
#include "ui/commands/help_text.h"
#include "ui/document/workbench.h"

namespace convscope::ui {
namespace {

constexpr QSize help_size(680, 640);

}  // namespace

HelpWindow::HelpWindow(QMainWindow& window, Workbench& workbench, std::span<const ViewEntry> views)
    : QDialog(&window),
      window_(window),
      workbench_(workbench),
      views_(views),
      field_(new QLineEdit(this)),
      page_(new QTextBrowser(this)) {
  setObjectName("help-window");
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Help"));
  build();
  refresh();
  connect(&workbench, &Workbench::machine_changed, this, &HelpWindow::refresh);
}

void HelpWindow::build() {
  field_->setObjectName("help-search");
  field_->setAccessibleName(tr("Search help"));
  field_->setPlaceholderText(tr("Find on this page, Enter for the next"));
  field_->setClearButtonEnabled(true);
  page_->setObjectName("help-page");
  page_->setAccessibleName(tr("Help"));
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(field_);
  layout->addWidget(page_);
  connect(field_, &QLineEdit::returnPressed, this, &HelpWindow::find_next);
  connect(field_, &QLineEdit::textChanged, this, [this] {
    page_->moveCursor(QTextCursor::Start);
    find_next();
  });
  resize(help_size);
}

void HelpWindow::show_section(const QString& name) {
  page_->scrollToAnchor(name);
}

void HelpWindow::refresh() {
  const QString text = help_text(menu_commands(window_), views_, workbench_.machine().description());
  if (text == shown_) return;  // a dragged slider must not scroll the page to its top
  shown_ = text;
  page_->setHtml(text);
}

void HelpWindow::find_next() {
  if (field_->text().isEmpty() || page_->find(field_->text())) return;
  page_->moveCursor(QTextCursor::Start);  // from the end on to the beginning
  page_->find(field_->text());
}

}  // namespace convscope::ui
