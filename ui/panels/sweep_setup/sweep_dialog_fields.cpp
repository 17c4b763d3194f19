// The dialog's widgets, and what adds and removes lines of them.

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/resources.h"
#include "core/target/presets.h"
#include "ui/panels/sweep_setup/machines_box.h"
#include "ui/panels/sweep_setup/network_row.h"
#include "ui/panels/sweep_setup/objective_box.h"
#include "ui/panels/sweep_setup/strategy_box.h"
#include "ui/panels/sweep_setup/sweep_dialog.h"
#include "ui/parts/file_to_write.h"

namespace convscope::ui {
namespace {

constexpr QSize initial_size(900, 760);

QLineEdit* add_field(QHBoxLayout& row, const QString& name, const QString& title, int stretch, QWidget* parent) {
  auto* label = new QLabel(title, parent);
  auto* field = new QLineEdit(parent);
  field->setObjectName(name);
  field->setAccessibleName(title);
  label->setBuddy(field);
  row.addWidget(label);
  row.addWidget(field, stretch);
  return field;
}

QString folder_of_samples() {
  return QString::fromStdString(sample_path("spaces"));
}

}  // namespace

void SweepDialog::build() {
  setObjectName("sweep-dialog");
  setWindowTitle(tr("Sweep"));
  resize(initial_size);
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->addWidget(build_networks());
  column->addLayout(machines_.layout());
  auto* more = new QPushButton(tr("Add the current machine"), content);
  more->setObjectName("add-machines");
  more->setToolTip(tr("Machines of several targets are compared on one front"));
  column->addWidget(more, 0, Qt::AlignLeft);
  connect(more, &QPushButton::clicked, this, [this] {
    add_machines(machines_for(workbench_.settings()));
    edited();
  });
  objectives_ = new ObjectiveBox(content);
  strategy_ = new StrategyBox(content);
  column->addWidget(objectives_);
  column->addWidget(strategy_);
  column->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidget(content);
  auto* all = new QVBoxLayout(this);
  all->addWidget(build_head());
  all->addWidget(scroll, 1);
  all->addWidget(build_foot());
  connect(objectives_, &ObjectiveBox::edited, this, &SweepDialog::edited);
  connect(strategy_, &StrategyBox::edited, this, &SweepDialog::edited);
}

QWidget* SweepDialog::build_head() {
  auto* head = new QWidget(this);
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(0, 0, 0, 0);
  name_ = add_field(*row, "space-name", tr("Name"), 1, head);
  title_ = add_field(*row, "space-title", tr("Title"), 2, head);
  file_ = new QLabel(head);
  file_->setObjectName("space-file");
  row->addWidget(file_);
  connect(name_, &QLineEdit::textEdited, this, &SweepDialog::edited);
  connect(title_, &QLineEdit::textEdited, this, &SweepDialog::edited);
  connect(add_tool_button(*row, "new-space", tr("From this machine"), head), &QToolButton::clicked, this, [this] {
    reset();
    edited();
  });
  auto* open = add_tool_button(*row, "open-space", tr("Open space…"), head);
  open->setPopupMode(QToolButton::MenuButtonPopup);
  auto* samples = new QMenu(open);
  for (const QFileInfo& file : QDir(folder_of_samples()).entryInfoList({"*.xml"}, QDir::Files, QDir::Name)) {
    QAction* action = samples->addAction(file.completeBaseName().replace('_', ' '));
    action->setObjectName("sample-space-" + file.completeBaseName());
    connect(action, &QAction::triggered, this, [this, path = file.filePath()] { open_space(path); });
  }
  open->setMenu(samples);
  connect(open, &QToolButton::clicked, this, &SweepDialog::ask_for_space);
  connect(add_tool_button(*row, "save-space", tr("Save space…"), head), &QToolButton::clicked, this,
          &SweepDialog::ask_for_file);
  return head;
}

QWidget* SweepDialog::build_networks() {
  auto* box = new QGroupBox(tr("Networks"), this);
  auto* column = new QVBoxLayout(box);
  column->setSpacing(4);
  column->addLayout(networks_.layout());
  auto* row = new QHBoxLayout;
  connect(add_tool_button(*row, "add-open-network", tr("Add the open network"), box), &QToolButton::clicked, this,
          &SweepDialog::add_open_network);
  connect(add_tool_button(*row, "add-networks", tr("Add files…"), box), &QToolButton::clicked, this,
          &SweepDialog::ask_for_networks);
  row->addStretch(1);
  column->addLayout(row);
  return box;
}

QWidget* SweepDialog::build_foot() {
  auto* foot = new QWidget(this);
  auto* row = new QHBoxLayout(foot);
  row->setContentsMargins(0, 0, 0, 0);
  status_ = new QLabel(foot);
  status_->setObjectName("sweep-status");
  status_->setWordWrap(true);
  status_->setTextFormat(Qt::PlainText);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, foot);
  start_ = buttons->addButton(tr("&Start"), QDialogButtonBox::ActionRole);
  start_->setObjectName("start-sweep");
  start_->setDefault(true);
  row->addWidget(status_, 1);
  row->addWidget(buttons);
  connect(start_, &QPushButton::clicked, this, &SweepDialog::start);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  return foot;
}

void SweepDialog::show_networks(const std::vector<explore::DraftNetwork>& networks) {
  networks_.clear();
  for (const explore::DraftNetwork& each : networks) add_network(each);
}

void SweepDialog::show_machines(const std::vector<explore::DraftMachines>& machines) {
  machines_.clear();
  for (const explore::DraftMachines& each : machines) add_machines(each);
}

void SweepDialog::add_network(const explore::DraftNetwork& network) {
  networks_.add(new NetworkRow(workbench_, network, networks_made_++, this), [this] { edited(); });
}

void SweepDialog::add_machines(const explore::DraftMachines& machines) {
  auto* box = new MachinesBox(workbench_, machines, machines_made_++, this);
  const auto presets = presets_.find(machines.target);
  if (presets != presets_.end()) box->offer_presets(presets->second);
  machines_.add(box, [this] { edited(); });
}

void SweepDialog::add_open_network() {
  const SweepSetup now = setup_of_fields();
  const auto open = workbench_.network();
  if (!open) return show_status(tr("No network is open."), true);
  const SweepSetup of_open =
      setup_for(workbench_.settings(), QString::fromStdString(open->source_file), workbench_.input_sizes());
  add_network(explore::moved(of_open.draft, {}, now.folder()).networks.front());
  edited();
}

void SweepDialog::ask_for_networks() {
  const SweepSetup now = setup_of_fields();
  for (const QString& path : QFileDialog::getOpenFileNames(this, tr("Add networks"))) {
    explore::SpaceDraft draft;
    draft.networks.push_back({path.toStdString(), {}, {}, {}});
    add_network(explore::moved(draft, {}, now.folder()).networks.front());
  }
  edited();
}

void SweepDialog::ask_for_space() {
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Open a space"), folder_of_samples(), tr("Spaces (*.xml)"));
  if (!path.isEmpty()) open_space(path);
}

void SweepDialog::ask_for_file() {
  const QString suggestion = setup_.file.isEmpty() ? name_->text() + ".xml" : setup_.file;
  const QString path = ask_for_file_to_write(this, tr("Save the space"), suggestion, tr("Spaces (*.xml)"), "xml");
  if (!path.isEmpty()) save_space(path);
}

void SweepDialog::load_presets() {
  using Presets = std::map<std::string, QStringList>;
  listing_presets_.start<Presets>(
      [targets = workbench_.targets()](const std::stop_token&) {
        Presets presets;
        for (const auto& target : targets) {
          for (const std::string& name : target::preset_names(*target))
            presets[target->id()] << QString::fromStdString(name);
        }
        return presets;
      },
      [this](const Presets& presets) {
        presets_ = presets;
        for (MachinesBox* box : machines_) {
          const auto found = presets_.find(box->value().target);
          if (found != presets_.end()) box->offer_presets(found->second);
        }
      });
}

}  // namespace convscope::ui
