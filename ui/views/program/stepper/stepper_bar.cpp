#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <algorithm>

#include "ui/views/program/stepper/stepper_tools.h"

namespace convscope::ui {
namespace {

QString with_key(StepperAct act) {
  return QStringLiteral("%1 (%2)").arg(act_text(act), key_text(act));
}

}  // namespace

void StepperTools::add_tools() {
  add_button(QStringLiteral("stepper_first"), QStringLiteral("|◀"), StepperAct::first);
  add_button(QStringLiteral("stepper_run_back"), QStringLiteral("◀"), StepperAct::run_back);
  add_button(QStringLiteral("stepper_back"), QStringLiteral("‹"), StepperAct::step_back);
  place_ = new QLineEdit(&panel_);
  place_->setObjectName(QStringLiteral("stepper_cycle"));
  place_->setAccessibleName(QStringLiteral("Cycle that is shown"));
  place_->setToolTip(QStringLiteral("Cycle that is shown: type another and press Return"));
  place_->setMaximumWidth(90);
  place_->setAlignment(Qt::AlignRight);
  connect(place_, &QLineEdit::returnPressed, this, &StepperTools::go_to_typed);
  panel_.add_tool(place_);
  add_button(QStringLiteral("stepper_step"), QStringLiteral("›"), StepperAct::step);
  add_button(QStringLiteral("stepper_run"), QStringLiteral("▶"), StepperAct::run);
  add_button(QStringLiteral("stepper_last"), QStringLiteral("▶|"), StepperAct::last);
  pace_ = new QComboBox(&panel_);
  pace_->setObjectName(QStringLiteral("stepper_pace"));
  pace_->setAccessibleName(QStringLiteral("Pace of the run"));
  pace_->setToolTip(QStringLiteral("Pace of the run"));
  for (const int pace : {1, 4, 16})
    pace_->addItem(QStringLiteral("%1 cycle%2/s").arg(pace).arg(pace == 1 ? "" : "s"), pace);
  pace_->addItem(QStringLiteral("as fast as the screen"), 0);
  pace_->setCurrentIndex(1);
  connect(pace_, &QComboBox::currentIndexChanged, this, [this] {
    if (running()) run(by_);
  });
  panel_.add_tool(pace_);
  auto* places =
      add_menu(QStringLiteral("stepper_go"), QStringLiteral("Go to"), QStringLiteral("Go to where something happens"));
  connect(places->menu(), &QMenu::aboutToShow, this, [this, places] { list_places(*places->menu()); });
  auto* stops = add_menu(QStringLiteral("stepper_stop"), QStringLiteral("Stop at"),
                         QStringLiteral("Choose a breakpoint, then press B, or run"));
  connect(stops->menu(), &QMenu::aboutToShow, this, [this, stops] { list_stops(*stops->menu()); });
  auto* input = new QToolButton(&panel_);
  input->setObjectName(QStringLiteral("stepper_input"));
  input->setText(QStringLiteral("Input…"));
  input->setToolTip(QStringLiteral("What the program is run on"));
  input->setAccessibleName(input->toolTip());
  input->setAutoRaise(true);
  connect(input, &QToolButton::clicked, this, &StepperTools::show_run_dialog);
  panel_.add_tool(input);
  told_ = new QLabel(&panel_);
  told_->setObjectName(QStringLiteral("stepper_told"));
  told_->setMinimumWidth(1);  // long words don't make the window wider; the tooltip has them whole
  panel_.add_tool(told_);
  give_up_ = new QToolButton(&panel_);
  give_up_->setObjectName(QStringLiteral("stepper_give_up"));
  give_up_->setText(QStringLiteral("✕"));
  give_up_->setAutoRaise(true);
  give_up_->setToolTip(QStringLiteral("Give up (Esc)"));
  give_up_->setAccessibleName(QStringLiteral("Give up what is being looked for"));
  give_up_->hide();
  connect(give_up_, &QToolButton::clicked, this, &StepperTools::drop);
  panel_.add_tool(give_up_);
}

QToolButton* StepperTools::add_button(const QString& name, const QString& text, StepperAct wanted) {
  auto* button = new QToolButton(&panel_);
  button->setObjectName(name);
  button->setText(text);
  button->setToolTip(with_key(wanted));
  button->setAccessibleName(act_text(wanted));
  button->setAutoRaise(true);
  connect(button, &QToolButton::clicked, this, [this, wanted] { act(wanted); });
  panel_.add_tool(button);
  return button;
}

QToolButton* StepperTools::add_menu(const QString& name, const QString& text, const QString& help) {
  auto* button = new QToolButton(&panel_);
  button->setObjectName(name);
  button->setText(text);
  button->setToolTip(help);
  button->setAccessibleName(help);
  button->setAutoRaise(true);
  button->setPopupMode(QToolButton::InstantPopup);
  button->setMenu(new QMenu(button));
  panel_.add_tool(button);
  return button;
}

void StepperTools::list_places(QMenu& menu) {
  menu.clear();
  for (const StepperKey& key : stepper_keys()) {
    auto* action = menu.addAction(key.text + QChar('\t') + key_text(key.act));
    action->setEnabled(painter() != nullptr);
    connect(action, &QAction::triggered, this, [this, wanted = key.act] { act(wanted); });
  }
}

void StepperTools::list_stops(QMenu& menu) {
  menu.clear();
  auto* none = menu.addAction(QStringLiteral("No breakpoint"));
  none->setCheckable(true);
  none->setChecked(!stop_);
  connect(none, &QAction::triggered, this, [this] { set_breakpoint(std::nullopt); });
  std::vector<StepperStop> stops = painter() ? stepper_stops(painter()->scene(), picked_) : std::vector<StepperStop>();
  const auto chosen = [&](const StepperStop& stop) { return stop_ && stop.name == stop_->name; };
  if (stop_ && std::none_of(stops.begin(), stops.end(), chosen)) stops.insert(stops.begin(), *stop_);
  for (const StepperStop& stop : stops) {
    auto* action = menu.addAction(stop.name);
    action->setCheckable(true);
    action->setChecked(chosen(stop));
    connect(action, &QAction::triggered, this, [this, stop] { set_breakpoint(stop); });
  }
}

}  // namespace convscope::ui
