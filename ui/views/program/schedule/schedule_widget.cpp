#include <QComboBox>
#include <QKeyEvent>
#include <QMenu>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "ui/parts/canvas/canvas_panel.h"
#include "ui/parts/drawing.h"
#include "ui/views/program/draft/draft_editing.h"
#include "ui/views/program/schedule/schedule_painter.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

/// Mode of the schedule, and the way to its sections: prologue, steady state, epilogue.
class ScheduleTools : public QObject {
 public:
  explicit ScheduleTools(CanvasPanel& panel)
      : QObject(&panel), panel_(panel), mode_(new QComboBox(&panel)), sections_(new QToolButton(&panel)) {
    mode_->setObjectName(QStringLiteral("schedule_mode"));
    mode_->setAccessibleName(QStringLiteral("What is shown of the run"));
    // What repeats is what one wants to see first; the run's start is a long list of initial writes.
    mode_->addItem(QStringLiteral("Steady state"));
    mode_->addItem(QStringLiteral("Whole run"));
    if (DraftStore* store = draft_store(panel.host())) {
      editing_ = new DraftEditing(panel, *store);
      mode_->addItem(QStringLiteral("By hand"));
    }
    connect(mode_, &QComboBox::currentIndexChanged, this, [this] { prepare(); });
    panel.add_tool(mode_);

    sections_->setObjectName(QStringLiteral("schedule_sections"));
    sections_->setText(QStringLiteral("Go to"));
    sections_->setAccessibleName(QStringLiteral("Go to a section of the run"));
    sections_->setToolTip(
        QStringLiteral("Go to prologue, steady state or epilogue ([ and ]: the one before, the next)"));
    sections_->setPopupMode(QToolButton::InstantPopup);
    sections_->setAutoRaise(true);
    sections_->setMenu(new QMenu(sections_));
    connect(sections_->menu(), &QMenu::aboutToShow, this, [this] { list_sections(); });
    panel.add_tool(sections_);
    panel.canvas().on_key = [this](const QKeyEvent& event) { return key(event); };
    panel.on_painter = [this] { by_hand() ? editing_->take_painter() : go_on(); };
  }

  void prepare() {
    sections_->setEnabled(mode_->currentIndex() != hand_mode);
    if (mode_->currentIndex() == hand_mode) return editing_->begin();
    if (editing_ != nullptr) editing_->end();
    const ScheduleMode mode = mode_->currentIndex() == 0 ? ScheduleMode::steady_state : ScheduleMode::unrolled;
    panel_.set_prepare([mode](const Snapshot& snapshot) { return make_schedule_canvas(snapshot, mode); });
  }

 private:
  SchedulePainter* painter() const { return dynamic_cast<SchedulePainter*>(panel_.canvas().painter()); }
  const artifact::Timeline& timeline() const { return painter()->scene().timeline(); }

  void list_sections() {
    sections_->menu()->clear();
    if (!painter()) return;
    for (int s = 0; s < static_cast<int>(timeline().sections().size()); ++s) {
      const auto& section = timeline().sections()[static_cast<std::size_t>(s)];
      if (section.length * section.repeats <= 0) continue;
      auto* action = sections_->menu()->addAction(
          QStringLiteral("%1, from cycle %2").arg(to_text(section.name), count_text(timeline().section_start(s))));
      action->setObjectName(QStringLiteral("go_to_section_%1").arg(s));
      connect(action, &QAction::triggered, this, [this, s] { go_to(s); });
    }
  }

  /// Sections are places of the whole run: that comes first, if it isn't shown.
  void go_to(int section) {
    if (painter() && painter()->mode() == ScheduleMode::unrolled) {
      panel_.canvas().scroll_to(QPointF(0, static_cast<double>(timeline().section_start(section))));
      return;
    }
    wanted_ = section;
    mode_->setCurrentIndex(1);
  }

  void go_on() {
    if (wanted_ < 0 || !painter() || painter()->mode() != ScheduleMode::unrolled) return;
    const int section = std::min(wanted_, static_cast<int>(timeline().sections().size()) - 1);
    wanted_ = -1;
    go_to(section);
  }

  bool by_hand() const { return editing_ != nullptr && editing_->active(); }

  bool key(const QKeyEvent& event) {
    if (by_hand()) return editing_->key(event);
    const int by = event.key() == Qt::Key_BracketLeft ? -1 : event.key() == Qt::Key_BracketRight ? 1 : 0;
    if (by == 0 || !painter()) return false;
    int section = timeline().steady_state();
    if (painter()->mode() == ScheduleMode::unrolled) {
      const QRectF area = panel_.canvas().area();
      const double top = place(painter()->geometry(area), painter()->viewport()).origin.y();
      section = timeline().section_at(std::llround(top));
    }
    const int last = static_cast<int>(timeline().sections().size()) - 1;
    do section += by;
    while (section > 0 && section < last && timeline().section_start(section) == timeline().section_start(section + 1));
    if (section >= 0 && section <= last) go_to(section);
    return true;
  }

  static constexpr int hand_mode = 2;

  CanvasPanel& panel_;
  DraftEditing* editing_ = nullptr;  ///< null: nobody keeps drafts
  QComboBox* mode_;
  QToolButton* sections_;
  int wanted_ = -1;  ///< section to show as soon as the whole run is there
};

}  // namespace

QWidget* make_schedule_widget(ViewHost& host, QWidget* parent) {
  const auto prepare = [](const Snapshot& snapshot) {
    return make_schedule_canvas(snapshot, ScheduleMode::steady_state);
  };
  auto* panel = new CanvasPanel(host, parent, prepare, ComparedArtifact::schedule);
  new ScheduleTools(*panel);
  return panel;
}

}  // namespace convscope::ui
