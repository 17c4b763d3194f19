#pragma once
// Walks through the steps of a plan: slider, single steps, playing at a speed, jumps to the next load of a tensor.

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <cstdint>
#include <functional>

#include "core/artifact/tile_plan.h"

class QAction;
class QComboBox;
class QHBoxLayout;
class QKeyEvent;
class QLabel;
class QSlider;

namespace convscope::ui {

class TilingPlayback : public QWidget {
  Q_OBJECT
 public:
  explicit TilingPlayback(QWidget* parent);

  /// Another plan; the step is clamped. Tells nobody.
  void set_steps(std::int64_t steps, std::int64_t step);
  std::int64_t step() const { return step_; }
  std::int64_t steps() const { return steps_; }
  /// Goes to a step, clamped, and tells.
  void go_to(std::int64_t step);
  bool playing() const { return timer_.isActive(); }
  void play(bool on);
  /// Space, arrows, Home, End; false for other keys. With Ctrl an arrow goes a hundredth of the way.
  bool take_key(const QKeyEvent& event);

  std::function<void(std::int64_t step)> on_step;
  /// Asked for the next load of a tensor.
  std::function<void(artifact::TileTensor tensor)> on_next_load;

 protected:
  void hideEvent(QHideEvent* event) override;
  /// Keys of the slider: one step each, however many steps a position of it stands for.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QAction* add_action(QHBoxLayout& row, const QString& name, const QString& text, const QString& help,
                      std::function<void()> run);
  void slide(int position);
  void advance();
  void show_step();
  double steps_per_second() const;

  QSlider* slider_;
  QComboBox* speed_;
  QLabel* label_;
  QAction* play_ = nullptr;
  QTimer timer_;
  QElapsedTimer since_;
  double rest_ = 0;  ///< of a step that is due
  std::int64_t step_ = 0, steps_ = 1;
  bool showing_ = false;
};

}  // namespace convscope::ui
