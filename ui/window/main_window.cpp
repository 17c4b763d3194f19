#include "ui/window/main_window.h"

#include <QApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QStatusBar>
#include <QTabWidget>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/models/figures.h"
#include "ui/panels/layer_panel.h"
#include "ui/panels/message_panel.h"
#include "ui/panels/network_panel.h"
#include "ui/panels/parameter_panel.h"
#include "ui/window/input_size_bar.h"
#include "ui/window/machine_bar.h"
#include "ui/window/progress_strip.h"
#include "ui/window/recent_files.h"
#include "ui/window/welcome.h"

namespace convscope::ui {
namespace {

constexpr QSize initial_size(1400, 860);

/// The first error in full; else how many messages there are to read.
QString message_summary(const Diagnostics& messages) {
  for (const Diagnostic& each : messages.items()) {
    if (each.severity == Severity::error) return QStringLiteral("✗ ") + QString::fromStdString(each.text());
  }
  const auto count = messages.items().size();
  return count == 1 ? MainWindow::tr("1 message") : MainWindow::tr("%1 messages").arg(count);
}

QStringList dragged_files(const QMimeData* data) {
  QStringList files;
  for (const QUrl& url : data->urls()) {
    if (url.isLocalFile()) files << url.toLocalFile();
  }
  return files;
}

}  // namespace

MainWindow::MainWindow(Workbench& workbench, QWidget* parent) : QMainWindow(parent), workbench_(workbench) {
  setObjectName("main-window");
  apply_theme();
  recent_ = new RecentFiles(this);
  build_views();
  addToolBar(new MachineBar(workbench_, this));
  build_docks();
  build_status_bar();
  build_menus();
  resize(initial_size);
  setAcceptDrops(true);
  connect(&workbench, &Workbench::theme_changed, this, &MainWindow::apply_theme);
  connect(&workbench, &Workbench::network_opened, this, &MainWindow::refresh_title);
  connect(&workbench, &Workbench::snapshot_changed, this, &MainWindow::refresh_status);
  connect(&workbench, &Workbench::messages_changed, this, &MainWindow::refresh_status);
  refresh_title();
  refresh_status();
}

void MainWindow::build_views() {
  auto* centre = new QWidget(this);
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  notice_ = new QLabel(centre);
  notice_->setObjectName("notice");
  notice_->setWordWrap(true);
  notice_->setContentsMargins(8, 4, 8, 4);
  notice_->setAutoFillBackground(true);
  notice_->hide();
  tabs_ = new QTabWidget(centre);
  tabs_->setObjectName("views");
  tabs_->setAccessibleName(tr("Views"));
  tabs_->setDocumentMode(true);
  for (const ViewEntry& entry : view_entries()) {
    QWidget* view = entry.make_widget(workbench_, tabs_);
    view->setObjectName("view-" + entry.id);
    view->setAccessibleName(entry.title);
    tabs_->addTab(view, entry.title);
  }
  input_sizes_ = new InputSizeBar(workbench_, centre);
  welcome_ = new WelcomePage(workbench_, centre);
  connect(welcome_, &WelcomePage::view_wanted, this, &MainWindow::show_view);
  layout->addWidget(welcome_);
  layout->addWidget(notice_);
  layout->addWidget(input_sizes_);
  layout->addWidget(tabs_, 1);
  setCentralWidget(centre);
}

QDockWidget* MainWindow::add_dock(const QString& name, const QString& title, QWidget* content,
                                  Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName("dock-" + name);
  dock->setWidget(content);
  addDockWidget(area, dock);
  return dock;
}

void MainWindow::build_docks() {
  setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  auto* network = add_dock("network", tr("Network"), new NetworkPanel(workbench_, this), Qt::LeftDockWidgetArea);
  auto* machine = add_dock("machine", tr("Machine"), new ParameterPanel(workbench_, this), Qt::RightDockWidgetArea);
  auto* layers = add_dock("layers", tr("Layers"), new LayerPanel(workbench_, this), Qt::BottomDockWidgetArea);
  auto* messages = add_dock("messages", tr("Messages"), new MessagePanel(workbench_, this), Qt::BottomDockWidgetArea);
  tabifyDockWidget(layers, messages);
  layers->raise();
  resizeDocks({network, machine}, {360, 290}, Qt::Horizontal);
  resizeDocks({layers}, {190}, Qt::Vertical);
}

void MainWindow::build_status_bar() {
  summary_ = new QLabel(this);
  summary_->setObjectName("summary");
  statusBar()->addWidget(summary_);
  statusBar()->addPermanentWidget(new ProgressStrip(workbench_, this));
}

void MainWindow::show_view(const QString& id) {
  if (auto* view = tabs_->findChild<QWidget*>("view-" + id)) tabs_->setCurrentWidget(view);
}

void MainWindow::greet() {
  if (recent_->paths().isEmpty() && WelcomePage::wanted_at_start()) welcome_->show();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!dragged_files(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QStringList files = dragged_files(event->mimeData());
  if (files.isEmpty()) return;
  event->acceptProposedAction();
  workbench_.open_first(files);
}

void MainWindow::apply_theme() {
  const Theme& theme = workbench_.theme();
  QApplication::setPalette(theme.palette());
  QApplication::setFont(theme.label_font());
  for (QWidget* widget : findChildren<QWidget*>()) widget->update();
  refresh_status();
}

void MainWindow::refresh_title() {
  const auto network = workbench_.network();
  setWindowTitle(network ? QString::fromStdString(network->name) + " – ConvScope" : QStringLiteral("ConvScope"));
}

void MainWindow::refresh_status() {
  if (summary_ == nullptr) return;
  const Snapshot& snapshot = workbench_.snapshot();
  QPalette palette = workbench_.theme().palette();
  palette.setColor(QPalette::Window, workbench_.theme().raised);
  notice_->setPalette(palette);
  notice_->setText(snapshot.message);
  notice_->setVisible(!snapshot.message.isEmpty() && workbench_.network());
  QStringList parts;
  if (const auto run = network_result(snapshot)) {
    parts << tr("%1 cycles").arg(count_text(static_cast<std::int64_t>(run->total.cycles.value)))
          << tr("utilization %1").arg(percent_text(run->total.utilization.value));
    if (run->coverage < 1) parts << tr("%1 of the MACs mapped").arg(percent_text(run->coverage));
  }
  const auto& messages = workbench_.messages();
  if (!messages.empty()) parts << message_summary(messages);
  summary_->setText(parts.join(QStringLiteral("   ")));
}

}  // namespace convscope::ui
