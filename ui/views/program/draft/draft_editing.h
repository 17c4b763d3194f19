#pragma once
// Manual mode of the schedule view: mouse and keys edit the draft that the document keeps, 'help me' and 'finish' run
// in the background.

#include <QObject>
#include <QString>
#include <memory>
#include <optional>

#include "core/schedule/draft/help.h"
#include "ui/jobs/latest_job.h"
#include "ui/model/draft_store.h"
#include "ui/parts/canvas/canvas_panel.h"
#include "ui/views/program/draft/draft_painter.h"

class QKeyEvent;
class QLabel;
class QListWidget;
class QMouseEvent;
class QPushButton;
class QSpinBox;

namespace convscope::ui {

class DraftEditing : public QObject {
 public:
  /// Adds its tools to the panel, hidden until `begin`.
  DraftEditing(CanvasPanel& panel, DraftStore& store);

  /// The panel shows the draft of whatever program is selected, until `end`.
  void begin();
  void end();
  bool active() const { return active_; }
  /// A new picture is there: it gets the document's draft.
  void take_painter();
  /// True if the key was one of manual mode's.
  bool key(const QKeyEvent& event);
  /// Nothing runs.
  bool idle() const { return !helping_.running() && !finishing_.running(); }

  /// Gives the other operations their cycles, or says why they can't have any.
  void place_rest();
  void next_better();
  /// Makes, verifies and simulates the program, and says how it compares.
  void finish();
  /// Compares everything with the schedule that was finished last, if it still stands.
  void pin();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  using Question = schedule::Help (*)(const schedule::Draft&, schedule::Budget&);

  DraftPainter* painter() const;
  DraftBoard& board() const { return painter()->board(); }
  DraftKey key_of() const;
  QWidget* make_bar();
  QWidget* make_foot();

  bool press(const QMouseEvent& event);
  bool move(const QMouseEvent& event);
  bool release(const QMouseEvent& event);
  void put_down(bool outside);

  /// What the document has now.
  void refresh();
  void repaint();
  void commit(const schedule::Edited& edited, const QString& text);
  void step(int by);
  void step_to_legal(int by);
  void choose_next(int by);
  void place_first_legal();
  void edit_row(bool insert);
  void change_interval(std::int64_t interval);
  void ask(Question question, const QString& busy, const QString& text);
  void list_rules();
  void copy_draft();
  void paste_draft();
  bool may_pin() const;
  void say(const QString& text);

  CanvasPanel& panel_;
  DraftStore& store_;
  QSpinBox* interval_ = nullptr;
  QLabel *figures_ = nullptr, *message_ = nullptr;
  QPushButton* pin_ = nullptr;
  QListWidget* rules_ = nullptr;
  QWidget *bar_ = nullptr, *foot_ = nullptr;
  bool active_ = false, pressed_ = false, listing_ = false;
  QPointF pressed_at_;
  std::int64_t pressed_cycle_ = 0;
  std::shared_ptr<DraftBoard> shown_;        ///< by the picture before
  QString assembly_;                         ///< of the program that was finished last
  std::optional<schedule::Draft> finished_;  ///< the schedule of a program that is right
  LatestJob helping_, finishing_;
};

}  // namespace convscope::ui
