#include "ui/views/program/stepper/stepper_tools.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <algorithm>

#include "core/base/cancellation.h"
#include "ui/parts/canvas/message_painter.h"
#include "ui/views/program/stepper/stepper_run_dialog.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

constexpr int screen_milliseconds = 16;

}  // namespace

StepperTools::StepperTools(CanvasPanel& panel) : QObject(&panel), panel_(panel) {
  add_tools();
  connect(&run_, &QTimer::timeout, this, &StepperTools::advance);
  panel_.on_painter = [this] { painter_shown(); };
  panel_.canvas().on_key = [this](const QKeyEvent& event) {
    const auto wanted = painter() || opening_ ? stepper_act(event) : std::nullopt;
    if (wanted) act(*wanted);
    return wanted.has_value();
  };
  panel_.canvas().on_click = [this](QPointF point) {
    const auto at = painter() ? painter()->pick_at(point, panel_.canvas().area()) : std::nullopt;
    if (at) pick(at);
    return at.has_value();
  };
  prepare();
}

void StepperTools::prepare() {
  // It may still work when this is gone: it holds what it needs.
  panel_.set_prepare([setting = setting_, shelf = shelf_, say = mailbox_.sender(), this](
                         const Snapshot& snapshot, const std::stop_token& stop) -> std::unique_ptr<CanvasPainter> {
    std::stop_source opening;
    const std::stop_callback superseded(stop, [&opening] { opening.request_stop(); });
    const auto source = trace_source(snapshot);
    if (source && shelf->must_run(*source, setting.run)) say([this, opening] { tell_of_opening(opening); });
    try {
      return make_stepper_canvas(snapshot, setting, shelf.get(), opening.get_token());
    } catch (const Cancelled&) {
      if (stop.stop_requested()) throw;
      return std::make_unique<MessagePainter>(
          QStringLiteral("The run was given up. Select another cycle, layer or program to begin again."));
    }
  });
}

void StepperTools::tell_of_opening(const std::stop_source& opening) {
  opening_ = opening;
  tell(QStringLiteral("The program is run once, so that every cycle can be looked at…"));
  give_up_->show();
}

void StepperTools::painter_shown() {
  opening_.reset();
  give_up_->setVisible(search_.running());
  if (!search_.running()) tell({});
  StepperPainter* shown = painter();
  if (!shown) return stand();
  const artifact::Ref subject = shown->subject();
  if (subject != subject_) {  // another program: what was picked there means nothing here
    subject_ = subject;
    picked_.reset();
    stop_.reset();
    search_.forget();
    give_up_->hide();
    stand();
    if (setting_.compared >= 0) {
      setting_.compared = -1;
      prepare();
    }
  }
  shown->pick(picked_);
  if (!place_->hasFocus() || !place_->isModified()) place_->setText(count_text(shown->scene().cycle));
  const bool stops =
      running() && stop_ && shown->scene().cycle != begun_at_ && stop_->predicate.holds(shown->scene().changes);
  if (stops) {
    stand();
    tell(QStringLiteral("Stopped: %1.").arg(stop_->name));
  }
}

std::int64_t StepperTools::cycle() const {
  const StepperScene& scene = painter()->scene();
  const std::int64_t selected = panel_.host().snapshot().selection.cycle;
  return selected < 0 ? scene.cycle : shown_cycle(*scene.trace, nullptr, selected);
}

void StepperTools::go_to(std::int64_t wanted) {
  if (!painter()) return;
  artifact::Ref ref = painter()->subject();
  ref.cycle = std::clamp<std::int64_t>(wanted, 0, painter()->scene().trace->cycles() - 1);
  panel_.host().select(ref);
}

void StepperTools::go_to_typed() {
  QString text = place_->text();
  bool is_number = false;
  const qlonglong wanted = text.remove(',').remove(' ').toLongLong(&is_number);
  place_->setModified(false);
  if (!is_number || !painter()) {
    tell(QStringLiteral("A cycle is a number."));
    return;
  }
  panel_.canvas().setFocus();
  go_to(wanted);
}

void StepperTools::act(StepperAct wanted) {
  if (wanted == StepperAct::drop) return drop();
  if (!painter()) return;
  switch (wanted) {
    case StepperAct::step:
      return go_to(cycle() + 1);
    case StepperAct::step_back:
      return go_to(cycle() - 1);
    case StepperAct::first:
      return go_to(0);
    case StepperAct::last:
      return go_to(painter()->scene().trace->cycles() - 1);
    case StepperAct::run:
      return running() ? stand() : run(1);
    case StepperAct::run_back:
      return running() ? stand() : run(-1);
    case StepperAct::compare:
      return compare();
    case StepperAct::pick_touched:
      return pick_touched();
    case StepperAct::pick_left:
      return move_pick(-1, 0);
    case StepperAct::pick_right:
      return move_pick(1, 0);
    case StepperAct::pick_up:
      return move_pick(0, -1);
    case StepperAct::pick_down:
      return move_pick(0, 1);
    default:
      if (const auto asked = stepper_search(wanted, painter()->scene(), picked_, stop_)) search(*asked);
  }
}

void StepperTools::run(int by) {
  by_ = by;
  begun_at_ = cycle();
  const int pace = pace_->currentData().toInt();
  run_.start(pace > 0 ? 1000 / pace : screen_milliseconds);
}

void StepperTools::stand() {
  run_.stop();
}

/// One cycle on, as soon as the one before is on the screen.
void StepperTools::advance() {
  if (!panel_.isVisible() || !painter()) return stand();
  if (!panel_.idle()) return;
  const std::int64_t next = cycle() + by_;
  if (next < 0 || next >= painter()->scene().trace->cycles()) return stand();
  go_to(next);
}

void StepperTools::search(const StepperSearch& wanted) {
  if (!wanted.impossible.isEmpty()) return tell(wanted.impossible);
  stand();
  tell(QStringLiteral("Looking…"));
  give_up_->show();
  search_.start<std::optional<std::int64_t>>(
      [wanted, trace = painter()->scene().trace](const std::stop_token& stop) {
        return trace->next(wanted.predicate, wanted.from, wanted.direction, stop);
      },
      [this, wanted](std::optional<std::int64_t> cycle) { found(wanted, cycle); });
}

void StepperTools::found(const StepperSearch& wanted, std::optional<std::int64_t> at) {
  give_up_->hide();
  tell({});
  if (!at) return tell(wanted.missing);
  if (*at == cycle()) return tell(QStringLiteral("This cycle itself."));
  go_to(*at);
}

void StepperTools::compare() {
  setting_.compared = setting_.compared >= 0 ? -1 : cycle();
  prepare();
}

void StepperTools::set_run(const TraceSettings& run) {
  if (run == setting_.run) return;
  setting_.run = run;
  setting_.compared = -1;
  search_.forget();
  give_up_->hide();
  prepare();
}

void StepperTools::show_run_dialog() {
  const auto source = trace_source(panel_.host().snapshot());
  if (!source) return tell(QStringLiteral("Nothing is run here."));
  auto* dialog = new StepperRunDialog(*source->tools->trace_options(), setting_.run, &panel_);
  dialog->on_run = [this](const TraceSettings& run) { set_run(run); };
  dialog->show();
}

void StepperTools::pick(std::optional<StepperPick> pick) {
  picked_ = pick;
  if (!painter()) return;
  painter()->pick(picked_);
  if (picked_) {
    const QRectF place = painter()->layout().box_of(painter()->scene(), *picked_);
    if (!place.isNull()) panel_.canvas().reveal(place);
    tell(painter()->scene().name(*picked_));
  }
  panel_.canvas().viewport()->update();
}

void StepperTools::pick_touched() {
  const std::vector<StepperPick> touched = painter()->scene().touched();
  if (touched.empty()) return tell(QStringLiteral("This cycle reads and writes nothing that is shown."));
  auto at = picked_ ? std::find(touched.begin(), touched.end(), *picked_) : touched.end();
  if (at != touched.end()) ++at;
  pick(at == touched.end() ? touched.front() : *at);
}

void StepperTools::move_pick(int across, int down) {
  const StepperScene& scene = painter()->scene();
  if (!picked_) return pick_touched();
  StepperPick next = *picked_;
  if (next.block < 0) {
    next.index = std::clamp<std::int64_t>(next.index + down, 0, static_cast<std::int64_t>(scene.units.size()) - 1);
  } else {
    const auto block = std::find_if(scene.blocks.begin(), scene.blocks.end(),
                                    [&](const StepperBlock& each) { return each.block == next.block; });
    const std::int64_t line = block == scene.blocks.end() ? scene.schema(next.block).columns : block->across;
    next.index += across + down * line;
  }
  // What isn't shown can't be picked.
  if (!painter()->layout().box_of(scene, next).isNull()) pick(next);
}

void StepperTools::drop() {
  if (opening_) {
    opening_->request_stop();
    return;
  }
  if (search_.running()) {
    search_.forget();
    give_up_->hide();
    return tell(QStringLiteral("Given up."));
  }
  if (running()) return stand();
  pick(std::nullopt);
  tell({});
}

void StepperTools::set_breakpoint(std::optional<StepperStop> stop) {
  stop_ = std::move(stop);
  tell(stop_ ? QStringLiteral("Breakpoint: %1. B goes on to it, Shift+B back.").arg(stop_->name) : QString());
}

QString StepperTools::told() const {
  return told_->text();
}

void StepperTools::tell(const QString& words) {
  told_->setText(words);
  told_->setToolTip(words);
}

}  // namespace convscope::ui
