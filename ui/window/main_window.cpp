#include "ui/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QSettings>
#include <QStatusBar>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/model/shown_run.h"
#include "ui/panels/layers/layer_panel.h"
#include "ui/panels/messages/message_panel.h"
#include "ui/panels/network/network_panel.h"
#include "ui/panels/parameters/parameter_panel.h"
#include "ui/panels/sweep_results/sweep_panel.h"
#include "ui/panels/sweep_results/sweep_strip.h"
#include "ui/session/autosave.h"
#include "ui/session/session_actions.h"
#include "ui/session/session_keeper.h"
#include "ui/window/input_size_bar.h"
#include "ui/window/labs_menu.h"
#include "ui/window/machine_bar.h"
#include "ui/window/progress_strip.h"
#include "ui/window/recent_files.h"
#include "ui/window/run_summary.h"
#include "ui/window/view_area.h"
#include "ui/window/welcome.h"

namespace convscope::ui {
namespace {

constexpr QSize initial_size(1400, 860);
// Of saveState: raised when docks are renamed, so that states of before are refused.
constexpr int layout_version = 1;

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

MainWindow::MainWindow(Workbench& workbench, QWidget* parent)
    : QMainWindow(parent),
      workbench_(workbench),
      system_theme_(workbench.theme().dark),
      theme_choice_([&workbench](const QString& name) { workbench.set_theme(name); }, system_theme_) {
  setObjectName("main-window");
  apply_theme();
  recent_ = new RecentFiles(this);
  build_views();
  addToolBar(new MachineBar(workbench_, this));
  build_docks();
  build_status_bar();
  build_session_actions();
  build_menus();
  resize(initial_size);
  first_layout_ = layout();
  setAcceptDrops(true);
  on_change(workbench, this, Change::theme, [this] { apply_theme(); });
  connect(&workbench, &Workbench::network_opened, this, &MainWindow::refresh_title);
  on_change(workbench, this, shown_in_tables, [this] { refresh_status(); });
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
  views_ = new ViewArea(workbench_, centre);
  input_sizes_ = new InputSizeBar(workbench_, centre);
  welcome_ = new WelcomePage(workbench_, centre);
  connect(welcome_, &WelcomePage::view_wanted, this, &MainWindow::show_view);
  connect(welcome_, &WelcomePage::lab_wanted, this, &MainWindow::open_file);
  layout->addWidget(welcome_);
  layout->addWidget(notice_);
  layout->addWidget(input_sizes_);
  layout->addWidget(views_, 1);
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
  auto* sweep = add_dock("sweep", tr("Sweep"), new SweepPanel(workbench_, this), Qt::BottomDockWidgetArea);
  tabifyDockWidget(layers, sweep);
  tabifyDockWidget(layers, messages);
  layers->raise();
  resizeDocks({network, machine}, {330, 290}, Qt::Horizontal);
  resizeDocks({layers}, {190}, Qt::Vertical);
}

void MainWindow::build_status_bar() {
  summary_ = new QLabel(this);
  summary_->setObjectName("summary");
  statusBar()->addWidget(summary_);
  statusBar()->addPermanentWidget(new SweepStrip(workbench_, this));
  statusBar()->addPermanentWidget(new ProgressStrip(workbench_, this));
}

void MainWindow::show_view(const QString& id) {
  views_->show_view(id);
}

std::map<std::string, std::string> MainWindow::layout() const {
  return {{"geometry", saveGeometry().toBase64().toStdString()},
          {"docks", saveState(layout_version).toBase64().toStdString()},
          {"views", views_->state().toStdString()}};
}

void MainWindow::restore_layout(const std::map<std::string, std::string>& layout) {
  const auto text = [&](const char* name) {
    const auto found = layout.find(name);
    return found == layout.end() ? QByteArray() : QByteArray::fromStdString(found->second);
  };
  if (!text("geometry").isEmpty()) restoreGeometry(QByteArray::fromBase64(text("geometry")));
  if (!text("docks").isEmpty()) restoreState(QByteArray::fromBase64(text("docks")), layout_version);
  views_->restore(QString::fromUtf8(text("views")));
}

void MainWindow::reset_layout() {
  auto first = first_layout_;
  first.erase("geometry");  // panels return to their places, the window stays in its own
  restore_layout(first);
}

void MainWindow::remember_layout() {
  remembers_layout_ = true;
  const QSettings settings;
  std::map<std::string, std::string> layout;
  for (const auto& [name, unused] : first_layout_) {
    layout[name] = settings.value("layout/" + QString::fromStdString(name)).toString().toStdString();
  }
  restore_layout(layout);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!session_actions_->may_discard()) return event->ignore();
  if (remembers_layout_) {
    QSettings settings;
    for (const auto& [name, value] : layout()) {
      settings.setValue("layout/" + QString::fromStdString(name), QString::fromStdString(value));
    }
  }
  QMainWindow::closeEvent(event);
}

void MainWindow::greet() {
  if (recent_->paths().isEmpty() && WelcomePage::wanted_at_start()) welcome_->show();
}

void MainWindow::follow_desktop_theme() {
  theme_choice_.restore();
  system_theme_.listen();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!dragged_files(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QStringList files = dragged_files(event->mimeData());
  if (files.isEmpty()) return;
  event->acceptProposedAction();
  const auto lab = std::find_if(files.begin(), files.end(), is_lab_file);
  lab == files.end() ? workbench_.open_first(files) : open_file(*lab);
}

void MainWindow::open_file(const QString& path) {
  auto* labs = findChild<LabsMenu*>("labs-menu");
  labs != nullptr&& is_lab_file(path) ? labs->open(path) : workbench_.open_network(path);
}

bool MainWindow::settled() const {
  return workbench_.settled() && views_->titles_settled();
}

void MainWindow::apply_theme() {
  const Theme& theme = workbench_.theme();
  QApplication::setPalette(theme.palette());
  QApplication::setFont(theme.label_font());
  for (QWidget* widget : findChildren<QWidget*>()) widget->update();
  refresh_status();
}

void MainWindow::refresh_title() {
  QStringList parts;
  if (const auto network = workbench_.network()) parts << QString::fromStdString(network->name);
  if (!session_->path().isEmpty()) parts << session_->name();
  parts << QStringLiteral("ConvScope");
  parts.front() += QStringLiteral("[*]");
  setWindowTitle(parts.join(QStringLiteral(" – ")));
  setWindowModified(session_->modified());
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
  const auto run = network_result(snapshot);
  if (run) parts = figures_in_summary(snapshot, *run);
  summary_->setToolTip(run ? summary_tip(snapshot, *run) : QString());
  const auto& messages = workbench_.messages();
  if (!messages.empty()) parts << message_summary(messages);
  summary_->setText(parts.join(QStringLiteral("   ")));
}

}  // namespace convscope::ui
