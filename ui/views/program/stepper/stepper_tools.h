#pragma once
// Moves the stepper through its run: steps, runs at a pace, searches, breakpoints, the cycle to compare with. All of it
// ends in a selected cycle, which every other view marks as well.

#include <QObject>
#include <QTimer>
#include <optional>
#include <stop_token>

#include "ui/jobs/latest_job.h"
#include "ui/jobs/mailbox.h"
#include "ui/parts/canvas/canvas_panel.h"
#include "ui/views/program/stepper/stepper_keys.h"
#include "ui/views/program/stepper/stepper_painter.h"
#include "ui/views/program/stepper/stepper_search.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;

namespace convscope::ui {

class StepperTools : public QObject {
 public:
  explicit StepperTools(CanvasPanel& panel);

  void act(StepperAct act);
  /// Shows a cycle, as near as the run has it.
  void go_to(std::int64_t cycle);
  bool running() const { return run_.isActive(); }
  bool searching() const { return search_.running(); }
  const std::optional<StepperPick>& picked() const { return picked_; }
  void pick(std::optional<StepperPick> pick);
  const std::optional<StepperStop>& breakpoint() const { return stop_; }
  void set_breakpoint(std::optional<StepperStop> stop);
  /// The cycle that others are compared with; -1: none.
  std::int64_t compared() const { return setting_.compared; }
  /// How the program is run: the target's trace options by name.
  void set_run(const TraceSettings& run);
  /// What was said last.
  QString told() const;

 private:
  /// Null while there is nothing to step through.
  StepperPainter* painter() const { return dynamic_cast<StepperPainter*>(panel_.canvas().painter()); }
  /// The cycle that is selected, even if its picture isn't there yet.
  std::int64_t cycle() const;
  void add_tools();
  QToolButton* add_button(const QString& name, const QString& text, StepperAct act);
  QToolButton* add_menu(const QString& name, const QString& text, const QString& help);
  void list_places(QMenu& menu);
  void list_stops(QMenu& menu);
  void prepare();
  void tell_of_opening(const std::stop_source& opening);
  void painter_shown();
  void go_to_typed();
  void run(int by);
  void stand();
  void advance();
  void search(const StepperSearch& wanted);
  void found(const StepperSearch& wanted, std::optional<std::int64_t> cycle);
  void compare();
  void pick_touched();
  void move_pick(int across, int down);
  void drop();
  void tell(const QString& words);
  void show_run_dialog();

  CanvasPanel& panel_;
  QLineEdit* place_ = nullptr;
  QComboBox* pace_ = nullptr;
  QLabel* told_ = nullptr;
  QToolButton* give_up_ = nullptr;
  StepperSetting setting_;
  std::shared_ptr<TraceShelf> shelf_ = std::make_shared<TraceShelf>();
  std::optional<StepperPick> picked_;
  std::optional<StepperStop> stop_;
  artifact::Ref subject_;  ///< whose picks and breakpoints these are
  QTimer run_;
  int by_ = 1;                               ///< direction of the run
  std::int64_t begun_at_ = -1;               ///< cycle from which it runs
  std::optional<std::stop_source> opening_;  ///< of a run that is not there yet
  LatestJob search_;
  Mailbox mailbox_;
};

}  // namespace convscope::ui
