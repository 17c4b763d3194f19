#include "ui/window/labs_menu.h"

#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QKeySequence>
#include <utility>

#include "core/base/resources.h"
#include "ui/labs/lab_panel.h"
#include "ui/window/main_window.h"
#include "ui/window/view_list.h"

namespace convscope::ui {
namespace {

/// "first-mac" -> "First mac".
QString lab_title(QString name) {
  name.replace('-', ' ');
  if (!name.isEmpty()) name[0] = name[0].toUpper();
  return name;
}

}  // namespace

bool is_lab_file(const QString& path) {
  return path.section('/', -1) == QStringLiteral("lab.xml");
}

LabsMenu::LabsMenu(Workbench& workbench, MainWindow& window, QWidget* parent)
    : QMenu(tr("&Labs"), parent), window_(window), work_(workbench) {
  setObjectName("labs-menu");
  connect(add("open-lab", tr("&Open lab…")), &QAction::triggered, this, [this] {
    const QString path = QFileDialog::getOpenFileName(&window_, tr("Open lab"), {}, tr("Labs (lab.xml)"));
    if (!path.isEmpty()) open(path);
  });
  add_samples();
  addSeparator();
  go_to_ = add("go-to-lab", tr("&Go to the lab"));
  go_to_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_L));  // a link to a view leaves the keyboard there
  go_to_->setEnabled(false);
  connect(go_to_, &QAction::triggered, this, &LabsMenu::go_to_lab);
  hand_in_ = add("hand-in-lab", tr("&Hand in…"));
  hand_in_->setEnabled(false);
  connect(hand_in_, &QAction::triggered, this, [this] { panel_->hand_in(); });
  connect(&work_, &LabWork::opened, this, [this] {
    hand_in_->setEnabled(true);
    go_to_->setEnabled(true);
    if (std::exchange(asked_for_, false)) go_to_lab();
  });
  connect(&work_, &LabWork::view_wanted, this, [this](const QString& id) {
    if (find_view(id) != nullptr) window_.show_view(id);
  });
}

QAction* LabsMenu::add(const QString& name, const QString& text) {
  QAction* action = addAction(text);
  action->setObjectName(name);
  return action;
}

void LabsMenu::add_samples() {
  addSeparator();
  const QDir folder(QString::fromStdString(sample_path("labs")));
  for (const QFileInfo& lab : folder.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
    connect(add("lab-" + lab.fileName(), lab_title(lab.fileName())), &QAction::triggered, this,
            [this, path = lab.filePath()] { open(path); });
}

void LabsMenu::go_to_lab() {
  if (!work_.lab()) return;
  show_panel();
  panel_->read_on();
}

void LabsMenu::open(const QString& path) {
  show_panel();
  asked_for_ = true;
  work_.open(path);
}

// A lab that comes with the program is found by its name wherever the program lies.
std::map<std::string, std::string> LabsMenu::session_state() const {
  if (!work_.lab()) return {};
  const QFileInfo folder(QString::fromStdString(work_.lab()->folder));
  const QFileInfo samples(QString::fromStdString(sample_path("labs")));
  const bool is_sample = folder.absolutePath() == samples.absoluteFilePath();
  return {{"lab", (is_sample ? folder.fileName() : folder.absoluteFilePath()).toStdString()},
          {"lab-work", work_.record()}};
}

void LabsMenu::restore(const std::map<std::string, std::string>& state) {
  const auto lab = state.find("lab"), done = state.find("lab-work");
  if (lab == state.end()) return;
  const bool is_sample = lab->second.find('/') == std::string::npos;
  show_panel();
  work_.resume(QString::fromStdString(is_sample ? sample_path("labs/" + lab->second) : lab->second),
               done == state.end() ? std::string() : done->second);
}

void LabsMenu::show_panel() {
  auto* dock = window_.findChild<QDockWidget*>("dock-lab");
  if (dock == nullptr) {
    dock = new QDockWidget(tr("Lab"), &window_);
    dock->setObjectName("dock-lab");
    panel_ = new LabPanel(work_, dock);
    dock->setWidget(panel_);
    window_.addDockWidget(Qt::LeftDockWidgetArea, dock);
    if (auto* network = window_.findChild<QDockWidget*>("dock-network")) window_.tabifyDockWidget(network, dock);
  }
  dock->show();
  dock->raise();
}

}  // namespace convscope::ui
