#include "ui/views/program/draft/draft_editing.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/base/cancellation.h"
#include "ui/views/program/draft/finished_text.h"
#include "ui/words/text.h"

namespace convscope::ui {
namespace {

constexpr double drag_distance = 4;      // pixels
constexpr std::size_t most_rules = 200;  // in the list

QToolButton* menu_button(QWidget* parent, const QString& name, const QString& text, const QString& help) {
  auto* button = new QToolButton(parent);
  button->setObjectName(name);
  button->setText(text);
  button->setToolTip(help);
  button->setAccessibleName(help);
  button->setPopupMode(QToolButton::InstantPopup);
  button->setMenu(new QMenu(button));
  return button;
}

}  // namespace

DraftEditing::DraftEditing(CanvasPanel& panel, DraftStore& store)
    : QObject(&panel), panel_(panel), store_(store), bar_(make_bar()), foot_(make_foot()) {
  panel_.add_tool(bar_);
  if (panel_.layout() != nullptr) panel_.layout()->addWidget(foot_);
  bar_->hide();
  foot_->hide();
  panel_.canvas().viewport()->installEventFilter(this);
  store_.on_change(this, [this] { refresh(); });
}

QWidget* DraftEditing::make_bar() {
  auto* bar = new QWidget(&panel_);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  auto* name = new QLabel(QStringLiteral("Interval"), bar);
  interval_ = new QSpinBox(bar);
  interval_->setObjectName(QStringLiteral("draft_interval"));
  interval_->setAccessibleName(QStringLiteral("Cycles from one iteration to the next"));
  interval_->setToolTip(QStringLiteral("Cycles from one iteration to the next (Ctrl+Up, Ctrl+Down)"));
  interval_->setRange(1, static_cast<int>(schedule::longest_interval));
  interval_->setKeyboardTracking(false);
  name->setBuddy(interval_);
  connect(interval_, &QSpinBox::valueChanged, this, [this](int value) { change_interval(value); });
  row->addWidget(name);
  row->addWidget(interval_);

  QToolButton* help = menu_button(bar, QStringLiteral("draft_help"), QStringLiteral("Help me"),
                                  QStringLiteral("Place the rest, prove that it can't be, the next better schedule"));
  help->menu()->addAction(QStringLiteral("Place the rest, or prove that it can't be (R)"), this,
                          [this] { place_rest(); });
  help->menu()->addAction(QStringLiteral("Next better schedule (B)"), this, [this] { next_better(); });
  row->addWidget(help);

  QToolButton* more = menu_button(bar, QStringLiteral("draft_menu"), QStringLiteral("Draft"),
                                  QStringLiteral("Begin anew, copy and paste drafts"));
  more->menu()->addAction(QStringLiteral("Begin with nothing placed"), this, [this] {
    if (painter())
      commit({schedule::empty_draft(board().tools().problem(), board().draft().interval()), {}},
             QStringLiteral("Empty draft"));
  });
  more->menu()->addAction(QStringLiteral("Begin with the compiler's schedule"), this, [this] {
    if (painter()) commit({board().tools().automatic(), {}}, QStringLiteral("The compiler's schedule"));
  });
  more->menu()->addSeparator();
  more->menu()->addAction(QStringLiteral("Copy the draft (a draft file's text)"), this, [this] { copy_draft(); });
  more->menu()->addAction(QStringLiteral("Paste a draft"), this, [this] { paste_draft(); });
  more->menu()->addAction(QStringLiteral("Copy the finished program's assembly"), this, [this] {
    if (assembly_.isEmpty()) return say(QStringLiteral("Nothing was finished yet."));
    QGuiApplication::clipboard()->setText(assembly_);
  });
  row->addWidget(more);

  auto* done = new QPushButton(QStringLiteral("Finish"), bar);
  done->setObjectName(QStringLiteral("draft_finish"));
  done->setToolTip(QStringLiteral("Make, verify and simulate the program (Ctrl+Return)"));
  connect(done, &QPushButton::clicked, this, [this] { finish(); });
  row->addWidget(done);

  pin_ = new QPushButton(QStringLiteral("Pin"), bar);
  pin_->setObjectName(QStringLiteral("draft_pin"));
  pin_->setToolTip(QStringLiteral("Compare with the finished schedule: pin it as a baseline (P)"));
  pin_->setEnabled(false);
  connect(pin_, &QPushButton::clicked, this, [this] { pin(); });
  row->addWidget(pin_);
  return bar;
}

QWidget* DraftEditing::make_foot() {
  auto* foot = new QWidget(&panel_);
  auto* column = new QVBoxLayout(foot);
  column->setContentsMargins(6, 3, 6, 3);
  column->setSpacing(2);
  figures_ = new QLabel(foot);
  figures_->setObjectName(QStringLiteral("draft_figures"));
  message_ = new QLabel(foot);
  message_->setObjectName(QStringLiteral("draft_message"));
  message_->setWordWrap(true);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  rules_ = new QListWidget(foot);
  rules_->setObjectName(QStringLiteral("draft_rules"));
  rules_->setAccessibleName(QStringLiteral("Rules that the draft breaks"));
  rules_->setMaximumHeight(88);
  connect(rules_, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
    if (item == nullptr || listing_ || !painter()) return;
    board().choose(item->data(Qt::UserRole).toInt());
    repaint();
  });
  column->addWidget(figures_);
  column->addWidget(message_);
  column->addWidget(rules_);
  return foot;
}

DraftPainter* DraftEditing::painter() const {
  return active_ ? dynamic_cast<DraftPainter*>(panel_.canvas().painter()) : nullptr;
}

DraftKey DraftEditing::key_of() const {
  const schedule::DraftOrigin& origin = board().origin();
  return {origin.network, origin.layer, origin.program, board().tools().problem()->hash()};
}

void DraftEditing::begin() {
  active_ = true;
  bar_->show();
  foot_->show();
  panel_.set_prepare([](const Snapshot& snapshot) { return make_draft_canvas(snapshot); });
}

void DraftEditing::end() {
  active_ = pressed_ = false;
  bar_->hide();
  foot_->hide();
}

void DraftEditing::take_painter() {
  bar_->setEnabled(painter() != nullptr);
  if (!painter()) {
    pressed_ = false;
    rules_->clear();
    figures_->clear();
    return;
  }
  // Another picture of the same loop, as runs in the background bring them, leaves the user's hands alone.
  if (shown_ && shown_->is_of(board())) {
    shown_->take_tools(board());
    painter()->take_board(shown_);
    return repaint();
  }
  shown_ = painter()->shared_board();
  pressed_ = false;
  assembly_.clear();
  finished_.reset();
  say(QStringLiteral(
      "Drag operations to their cycles; Left and Right choose one, Up and Down move it, Return places it, "
      "Delete takes it out, Space adds to the group, Insert and Backspace open and close a row."));
  refresh();
}

void DraftEditing::refresh() {
  if (!painter()) return;
  const std::int64_t first = board().first_cycle();
  const auto kept = store_.find(key_of());
  Diagnostics ignored;  // the key's hash is the problem's
  auto draft = kept ? schedule::draft_of(*kept, board().tools().problem(), {}, ignored) : std::nullopt;
  board().set_draft(draft ? *std::move(draft)
                          : schedule::empty_draft(board().tools().problem(), board().tools().problem()->bound()));
  const Viewport seen = painter()->viewport();
  if (seen.fit)
    panel_.canvas().fit();
  else
    panel_.canvas().scroll_to(seen.origin + QPointF(0, static_cast<double>(first - board().first_cycle())));
  {
    const QSignalBlocker quiet(interval_);
    interval_->setValue(static_cast<int>(board().draft().interval()));
  }
  list_rules();
  repaint();
}

void DraftEditing::repaint() {
  figures_->setText(to_text(board().figures_text()));
  pin_->setEnabled(may_pin());
  panel_.canvas().viewport()->update();
}

void DraftEditing::list_rules() {
  listing_ = true;
  rules_->clear();
  for (const schedule::DraftViolation& each : board().broken()) {
    if (rules_->count() == static_cast<int>(most_rules)) break;
    auto* item = new QListWidgetItem(to_text(schedule::violation_text(board().draft(), each)), rules_);
    item->setData(Qt::UserRole, each.operation);
  }
  rules_->setVisible(rules_->count() > 0);
  listing_ = false;
}

void DraftEditing::say(const QString& text) {
  message_->setText(text);
}

void DraftEditing::commit(const schedule::Edited& edited, const QString& text) {
  board().let_go();
  if (edited.draft) {
    store_.edit(key_of(), schedule::file_of(*edited.draft, board().origin()), text);
  } else {
    say(to_text(edited.refused));
  }
  repaint();
}

// Asks for the painter with the mouse's events only: others arrive while the canvas goes down, too.
bool DraftEditing::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  const bool down = type == QEvent::MouseButtonPress || type == QEvent::MouseButtonDblClick;
  if (!down && type != QEvent::MouseMove && type != QEvent::MouseButtonRelease)
    return QObject::eventFilter(watched, event);
  if (painter() == nullptr) return false;
  const auto& mouse = *static_cast<QMouseEvent*>(event);
  if (down) return press(mouse);
  return type == QEvent::MouseMove ? move(mouse) : release(mouse);
}

bool DraftEditing::press(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton) return false;
  panel_.canvas().setFocus();
  const auto spot = painter()->spot(event.position(), panel_.canvas().area());
  if (!spot || spot->operation < 0) return false;
  const bool others_too = event.modifiers().testFlag(Qt::ControlModifier);
  if (others_too || !board().is_chosen(spot->operation)) board().choose(spot->operation, others_too);
  pressed_ = true;
  pressed_at_ = event.position();
  pressed_cycle_ = spot->cycle;
  repaint();
  return true;
}

bool DraftEditing::move(const QMouseEvent& event) {
  if (!pressed_) return false;
  if (!board().is_carrying()) {
    if ((event.position() - pressed_at_).manhattanLength() < drag_distance) return true;
    board().pick_up(pressed_cycle_);
  }
  if (const auto spot = painter()->spot(event.position(), panel_.canvas().area())) {
    board().carry_to(spot->cycle - pressed_cycle_);
    repaint();
  }
  return true;
}

bool DraftEditing::release(const QMouseEvent& event) {
  if (!std::exchange(pressed_, false)) return false;
  const auto spot = painter()->spot(event.position(), panel_.canvas().area());
  if (board().is_carrying()) {
    put_down(spot && spot->column == static_cast<int>(board().tools().resources().size()));
  } else if (spot && spot->operation >= 0) {
    if (const auto ref = painter()->hit(event.position(), panel_.canvas().area())) panel_.host().select(*ref);
  }
  return true;
}

void DraftEditing::put_down(bool outside) {
  const QString name = to_text(board().name(board().current()));
  const auto group = schedule::with_tied(*board().draft().problem, board().chosen());
  if (outside) return commit(schedule::removed(board().draft(), group), QStringLiteral("Take out %1").arg(name));
  commit({board().shown(), {}}, QStringLiteral("Move %1").arg(name));
}

void DraftEditing::choose_next(int by) {
  const int count = board().draft().problem->operations();
  const int before = board().current();
  board().choose(before < 0 ? (by > 0 ? 0 : count - 1) : std::clamp(before + by, 0, count - 1));
  artifact::Ref ref = board().subject();
  ref.operation = board().tools().operations()[static_cast<std::size_t>(board().current())].key;
  if (const auto place = painter()->place_of(ref)) panel_.canvas().reveal(*place);
  say(to_text(board().reading(board().current())));
  repaint();
}

void DraftEditing::step(int by) {
  if (board().current() < 0) return choose_next(1);
  const auto group = schedule::with_tied(*board().draft().problem, board().chosen());
  commit(schedule::moved(board().draft(), group, by),
         QStringLiteral("Move %1").arg(to_text(board().name(board().current()))));
}

void DraftEditing::step_to_legal(int by) {
  if (board().current() < 0) return choose_next(1);
  board().pick_up(0);
  const auto shift = board().next_legal(0, by);
  if (!shift) {
    board().let_go();
    return say(QStringLiteral("There is no legal slot %1.").arg(by < 0 ? "above" : "below"));
  }
  board().carry_to(*shift);
  put_down(false);
}

void DraftEditing::place_first_legal() {
  if (board().current() < 0) return choose_next(1);
  if (board().draft().is_placed(board().current())) return choose_next(1);
  board().pick_up(0);
  // The nearest to the first cycle, later ones first.
  auto shift = board().is_legal(0) ? std::optional<std::int64_t>(0) : board().next_legal(0, 1);
  if (!shift) shift = board().next_legal(0, -1);
  if (!shift) {
    board().let_go();
    return say(QStringLiteral("There is no legal slot for it: others must move first."));
  }
  board().carry_to(*shift);
  put_down(false);
}

void DraftEditing::edit_row(bool insert) {
  const int held = board().current();
  if (held < 0 || !board().draft().is_placed(held)) return say(QStringLiteral("Choose an operation in the row first."));
  const schedule::Draft& draft = board().draft();
  const std::int64_t row = draft.row(draft.cycle(held));
  if (insert) return commit(schedule::with_row_inserted(draft, row), QStringLiteral("Open a row"));
  const std::int64_t before = draft.row(draft.cycle(held) - 1);
  commit(schedule::with_row_closed(draft, before), QStringLiteral("Close a row"));
}

void DraftEditing::change_interval(std::int64_t interval) {
  if (painter())
    commit(schedule::with_interval(board().draft(), interval), QStringLiteral("Interval %1").arg(interval));
}

bool DraftEditing::key(const QKeyEvent& event) {
  if (!painter()) return false;
  const bool control = event.modifiers().testFlag(Qt::ControlModifier);
  switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
      return choose_next(event.key() == Qt::Key_Left ? -1 : 1), true;
    case Qt::Key_Up:
    case Qt::Key_Down: {
      const int by = event.key() == Qt::Key_Up ? -1 : 1;
      if (control) return change_interval(board().draft().interval() - by), true;
      return step(by), true;
    }
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
      return step_to_legal(event.key() == Qt::Key_PageUp ? -1 : 1), true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return control ? finish() : place_first_legal(), true;
    case Qt::Key_Delete:
      return commit(schedule::removed(board().draft(), schedule::with_tied(*board().draft().problem, board().chosen())),
                    QStringLiteral("Take out")),
             true;
    case Qt::Key_Insert:
    case Qt::Key_Backspace:
      return edit_row(event.key() == Qt::Key_Insert), true;
    case Qt::Key_R:
      return place_rest(), true;
    case Qt::Key_B:
      return next_better(), true;
    case Qt::Key_P:
      return pin(), true;
    case Qt::Key_Escape:
      pressed_ = false;
      board().let_go();
      return repaint(), true;
    case Qt::Key_Space: {  // the next one joins those that are chosen
      const int next = board().current() + 1;
      if (next < board().draft().problem->operations()) board().choose(next, true);
      return repaint(), true;
    }
    default:
      return false;
  }
}

void DraftEditing::place_rest() {
  ask(schedule::place_rest, QStringLiteral("Placing the rest…"), QStringLiteral("Place the rest"));
}

void DraftEditing::next_better() {
  ask(schedule::next_better, QStringLiteral("Looking for the next better schedule…"),
      QStringLiteral("Next better schedule"));
}

void DraftEditing::ask(Question question, const QString& busy, const QString& text) {
  if (!painter()) return;
  say(busy);
  const schedule::Draft asked = board().draft();
  helping_.start<schedule::Help>(
      [asked, question](const std::stop_token& stop) {
        schedule::Budget budget(schedule::help_steps, stop);
        schedule::Help help = question(asked, budget);
        throw_if_stopped(stop);
        return help;
      },
      [this, asked, text](const schedule::Help& help) {
        // What was edited meanwhile is not overwritten.
        if (!painter() || !(board().draft() == asked)) return;
        say(to_text(help.text));
        for (std::size_t i = 0; i < help.conflict.size(); ++i) board().choose(help.conflict[i], i > 0);
        if (help.draft) commit({*help.draft, {}}, text);
        repaint();
      });
}

void DraftEditing::finish() {
  if (!painter()) return;
  say(QStringLiteral("Making and simulating the program…"));
  finishing_.start<FinishedText>(
      [tools = board().shared_tools(), draft = board().draft(), snapshot = panel_.host().snapshot()](
          const std::stop_token& stop) { return finished_text(*tools, draft, snapshot, stop); },
      [this, draft = board().draft()](const FinishedText& finished) {
        assembly_ = finished.assembly;
        finished_ = finished.fine ? std::optional(draft) : std::nullopt;
        say(finished.text);
        if (painter()) repaint();
      });
}

bool DraftEditing::may_pin() const {
  return painter() != nullptr && finished_ && *finished_ == board().draft();
}

void DraftEditing::pin() {
  if (!may_pin()) return say(QStringLiteral("Finish the schedule first: what is pinned is verified and simulated."));
  store_.pin(schedule::file_of(*finished_, board().origin()));
  say(QStringLiteral("Pinned: tables, charts and the view Compare set it beside the compiler's schedule."));
}

void DraftEditing::copy_draft() {
  if (!painter()) return;
  QGuiApplication::clipboard()->setText(
      to_text(schedule::write_draft_file(schedule::file_of(board().draft(), board().origin()))));
}

void DraftEditing::paste_draft() {
  if (!painter()) return;
  Diagnostics diagnostics;
  const auto file =
      schedule::read_draft_file(QGuiApplication::clipboard()->text().toStdString(), "clipboard", diagnostics);
  auto draft = file ? schedule::draft_of(*file, board().tools().problem(), "clipboard", diagnostics) : std::nullopt;
  if (draft) commit({std::move(draft), {}}, QStringLiteral("Paste a draft"));
  if (!diagnostics.empty()) say(to_text(diagnostics.items().front().text()));
}

}  // namespace convscope::ui
