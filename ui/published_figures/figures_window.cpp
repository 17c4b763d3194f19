#include "ui/published_figures/figures_window.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QTableView>

#include "core/base/atomic_file.h"
#include "ui/export/export.h"

namespace convscope::ui {
namespace {

constexpr QSize initial_size(1180, 760);
constexpr int full = 1000;

QLabel* label(const QString& name, QWidget* parent, double scale, const Theme& theme) {
  auto* made = new QLabel(parent);
  made->setObjectName(name);
  made->setWordWrap(true);
  made->setTextInteractionFlags(Qt::TextSelectableByMouse);
  made->setFont(theme.label_font(scale));
  return made;
}

QPushButton* button(const QString& name, const QString& text, QWidget* parent) {
  auto* made = new QPushButton(text, parent);
  made->setObjectName(name);
  made->setAccessibleName(text);
  return made;
}

}  // namespace

FiguresWindow::FiguresWindow(ViewHost& host, catalogue::CataloguePointer catalogue, QWidget* parent)
    : QWidget(parent, Qt::Window),
      host_(host),
      maker_(new FigureMaker(std::move(catalogue), this)),
      model_(new FigureModel(this)) {
  setObjectName("figures-window");
  setWindowTitle(tr("Published figures"));
  resize(initial_size);
  list_ = new QListWidget(this);
  list_->setObjectName("figure-list");
  list_->setAccessibleName(tr("Published figures"));
  list_->setWordWrap(true);
  list_->setSpacing(2);
  for (const figures::FigureEntry& entry : figures::figure_list()) {
    auto* item = new QListWidgetItem(QString::fromStdString(entry.title + "\n" + entry.id), list_);
    item->setData(Qt::UserRole, QString::fromStdString(entry.id));
  }
  auto* right = new QWidget(this);
  auto* column = new QVBoxLayout(right);
  column->addWidget(build_head());
  column->addWidget(build_body(), 1);
  column->addWidget(build_foot());
  auto* halves = new QSplitter(Qt::Horizontal, this);
  halves->addWidget(list_);
  halves->addWidget(right);
  halves->setStretchFactor(1, 1);
  halves->setSizes({280, initial_size.width() - 280});
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(halves);
  connect(list_, &QListWidget::currentItemChanged, this, &FiguresWindow::start);
  connect(maker_, &FigureMaker::progress_changed, this, &FiguresWindow::show_progress);
  connect(maker_, &FigureMaker::made, this, [this](const QString&, const figures::Figure& f) { show_figure(f); });
  connect(maker_, &FigureMaker::failed, this, [this](const QString&, const QString& why) { show_message(why); });
  connect(maker_, &FigureMaker::cancelled, this, [this] { show_message(tr("Cancelled. Choose it again to go on.")); });
  show_message(tr("Choose a figure: it is made anew, beside the published values."));
}

QWidget* FiguresWindow::build_head() {
  auto* head = new QWidget(this);
  auto* layout = new QVBoxLayout(head);
  layout->setContentsMargins(0, 0, 0, 0);
  title_ = label("figure-title", head, 1.3, host_.theme());
  source_ = label("figure-source", head, 1, host_.theme());
  message_ = label("figure-message", head, 1, host_.theme());
  layout->addWidget(title_);
  layout->addWidget(source_);
  layout->addWidget(message_);
  return head;
}

QWidget* FiguresWindow::build_body() {
  split_ = new QSplitter(Qt::Vertical, this);
  table_ = new QTableView(split_);
  table_->setObjectName("figure-table");
  table_->setAccessibleName(tr("The figure as a table"));
  table_->setModel(model_);
  table_->setAlternatingRowColors(true);
  table_->setTabKeyNavigation(false);  // Tab goes on to the next panel
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->verticalHeader()->setDefaultSectionSize(22);
  chart_ = new FigureChartBox(host_, split_);
  split_->setSizes({300, 380});
  return split_;
}

QWidget* FiguresWindow::build_foot() {
  auto* foot = new QWidget(this);
  auto* column = new QVBoxLayout(foot);
  column->setContentsMargins(0, 0, 0, 0);
  notes_ = label("figure-notes", foot, 0.95, host_.theme());
  column->addWidget(notes_);
  auto* row = new QHBoxLayout;
  progress_ = new QProgressBar(foot);
  progress_->setObjectName("figure-progress");
  progress_->setAccessibleName(tr("How far the figure is"));
  progress_->setRange(0, full);
  cancel_ = button("figure-cancel", tr("Cancel"), foot);
  copy_ = button("figure-copy", tr("Copy table"), foot);
  export_ = button("figure-export", tr("Export…"), foot);
  row->addWidget(progress_, 1);
  row->addWidget(cancel_);
  row->addStretch(1);
  row->addWidget(copy_);
  row->addWidget(export_);
  column->addLayout(row);
  connect(cancel_, &QPushButton::clicked, maker_, &FigureMaker::cancel);
  connect(copy_, &QPushButton::clicked, this, &FiguresWindow::copy);
  connect(export_, &QPushButton::clicked, this, &FiguresWindow::ask_for_file);
  auto* shortcut = new QShortcut(QKeySequence::Copy, this);
  connect(shortcut, &QShortcut::activated, this, &FiguresWindow::copy);
  return foot;
}

void FiguresWindow::choose(const QString& id) {
  for (int row = 0; row < list_->count(); ++row) {
    if (list_->item(row)->data(Qt::UserRole).toString() != id) continue;
    if (list_->currentRow() == row) return start();
    list_->setCurrentRow(row);
  }
}

void FiguresWindow::start() {
  if (!list_->currentItem()) return;
  progress_->setValue(0);
  maker_->make(list_->currentItem()->data(Qt::UserRole).toString());
  show_message(tr("Working…"));
}

void FiguresWindow::show_figure(const figures::Figure& figure) {
  model_->set_figure(figure);
  title_->setText(QString::fromStdString(figure.title));
  source_->setText(QString::fromStdString(figure.source));
  QStringList notes;
  for (const std::string& note : figure.notes) notes << QString::fromStdString(note);
  notes_->setText(notes.join('\n'));
  message_->hide();
  chart_->show_figure(figure);
  table_->resizeColumnsToContents();
  refresh_buttons();
}

void FiguresWindow::show_message(const QString& message) {
  message_->setText(message);
  message_->show();
  refresh_buttons();
}

void FiguresWindow::show_progress(double fraction, const QString& activity) {
  progress_->setValue(static_cast<int>(fraction * full));
  progress_->setFormat(activity.isEmpty() ? QStringLiteral("%p %") : activity + QStringLiteral(" – %p %"));
}

void FiguresWindow::refresh_buttons() {
  const bool busy = maker_->busy(), any = model_->columnCount() > 0;
  progress_->setVisible(busy);
  cancel_->setVisible(busy);
  copy_->setEnabled(any && !busy);
  export_->setEnabled(any && !busy);
  split_->setVisible(any);
  // What is on the screen is another figure than the one that is being made.
  split_->setEnabled(!busy);
}

void FiguresWindow::copy() const {
  if (copy_->isEnabled()) QApplication::clipboard()->setText(tab_separated(model_->figure()));
}

bool FiguresWindow::export_figure(const QString& file, Diagnostics& diagnostics) const {
  const QString suffix = QFileInfo(file).suffix().toLower();
  const figures::Figure& figure = model_->figure();
  if (suffix == QStringLiteral("csv"))
    return write_file_atomically(file.toStdString(), figures::figure_csv(figure), diagnostics);
  if (suffix == QStringLiteral("json"))
    return write_file_atomically(file.toStdString(), figures::figure_json(figure), diagnostics);
  if (!chart_->chart()) {
    diagnostics.error({file.toStdString(), 0, "export"}, "this figure has no numbers to draw", ".csv or .json");
    return false;
  }
  return export_painter(ChartPainter(chart_->chart()), QString::fromStdString(figure.title), host_.theme(),
                        {file, {}, 1}, diagnostics);
}

void FiguresWindow::ask_for_file() {
  QString filters = tr("Table, comma-separated (*.csv);;Table, JSON (*.json)");
  if (chart_->chart()) filters += tr(";;Chart, PNG (*.png);;Chart, SVG (*.svg);;Chart, PDF (*.pdf)");
  const QString proposed = QString::fromStdString(model_->figure().id) + QStringLiteral(".csv");
  const QString file = QFileDialog::getSaveFileName(this, tr("Export a figure"), proposed, filters);
  if (file.isEmpty()) return;
  Diagnostics diagnostics;
  if (!export_figure(file, diagnostics))
    QMessageBox::warning(this, tr("Export a figure"), QString::fromStdString(diagnostics.text()));
}

FiguresWindow* show_figures_window(ViewHost& host, catalogue::CataloguePointer catalogue, QWidget* parent) {
  auto* window = parent->findChild<FiguresWindow*>(QString(), Qt::FindDirectChildrenOnly);
  if (!window) window = new FiguresWindow(host, std::move(catalogue), parent);
  window->show();
  window->raise();
  window->activateWindow();
  return window;
}

}  // namespace convscope::ui
