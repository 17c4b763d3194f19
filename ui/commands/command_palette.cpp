#include "ui/commands/command_palette.h"

#include <QCoreApplication>
#include <QFrame>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMainWindow>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/commands/command_model.h"

namespace convscope::ui {
namespace {

constexpr QSize palette_size(620, 420);
constexpr int distance_from_top = 80;

}  // namespace

CommandPalette::CommandPalette(QMainWindow& window, Workbench& workbench)
    : QDialog(&window, Qt::Popup),
      window_(window),
      model_(new CommandModel(this)),
      field_(new QLineEdit(this)),
      list_(new QTreeView(this)) {
  setObjectName("command-palette");
  setAttribute(Qt::WA_DeleteOnClose);
  setAccessibleName(tr("Command palette"));
  auto commands = menu_commands(window);
  auto more = workbench_commands(window, workbench);
  commands.insert(commands.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  model_->set_commands(std::move(commands));
  build();
  select_first();
}

void CommandPalette::build() {
  field_->setObjectName("command-search");
  field_->setAccessibleName(tr("Search commands, parameters and layers"));
  field_->setPlaceholderText(tr("Command, parameter or layer"));
  field_->installEventFilter(this);
  list_->setObjectName("command-list");
  list_->setAccessibleName(tr("Commands"));
  list_->setModel(model_);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAllColumnsShowFocus(true);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setHeaderHidden(true);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(CommandModel::title, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(CommandModel::place, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(CommandModel::keys, QHeaderView::ResizeToContents);
  auto* around = new QVBoxLayout(this);
  around->setContentsMargins(0, 0, 0, 0);
  auto* frame = new QFrame(this);  // else it would run into the window below
  frame->setFrameShape(QFrame::Box);
  around->addWidget(frame);
  auto* layout = new QVBoxLayout(frame);
  layout->setContentsMargins(8, 8, 8, 8);
  layout->addWidget(field_);
  layout->addWidget(list_);
  connect(field_, &QLineEdit::textChanged, this, [this](const QString& typed) {
    model_->search(typed);
    select_first();
  });
  connect(list_, &QTreeView::clicked, this, &CommandPalette::run_current);
  connect(field_, &QLineEdit::returnPressed, this, &CommandPalette::run_current);
  field_->setFocus();  // a popup hands what is typed to its focus widget, if it has one
  resize(palette_size);
  move(window_.mapToGlobal(QPoint((window_.width() - width()) / 2, distance_from_top)));
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == field_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    for (const int moving : {Qt::Key_Up, Qt::Key_Down, Qt::Key_PageUp, Qt::Key_PageDown}) {
      if (key == moving) return QCoreApplication::sendEvent(list_, event);
    }
  }
  return QDialog::eventFilter(watched, event);
}

void CommandPalette::select_first() {
  list_->setCurrentIndex(model_->index(0, 0));
}

void CommandPalette::run_current() {
  const QModelIndex current = list_->currentIndex();
  if (!current.isValid()) return;
  // After the palette is gone: the command may open a dialog or give the keyboard to a field.
  QTimer::singleShot(0, &window_, model_->command(current.row()).run);
  close();
}

}  // namespace convscope::ui
