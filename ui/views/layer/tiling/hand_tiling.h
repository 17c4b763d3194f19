#pragma once
// A tiling typed in: a strategy, its sizes, and what becomes of it.

#include <QWidget>
#include <functional>
#include <vector>

#include "core/target/tilings.h"
#include "ui/theme/theme.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QSpinBox;
class QToolButton;

namespace convscope::ui {

class HandTiling : public QWidget {
  Q_OBJECT
 public:
  explicit HandTiling(QWidget* parent);

  /// What can be chosen among, the sizes to begin with, and what tilings are compared by besides time and bytes;
  /// nothing is asked for.
  void offer(const std::vector<target::Alternative>& alternatives, const target::Alternative& start,
             std::vector<artifact::FigureDescription> figures);
  /// Sets strategy and sizes, e.g. by a drag in the picture; asks for the tiling if anything changes and `ask` is set.
  void set(const std::string& strategy, const std::vector<std::int64_t>& sizes, bool ask);
  std::string strategy() const;
  std::vector<std::int64_t> sizes() const;
  /// What became of it, beside the chosen one.
  void show_result(const target::Alternative& result, const target::Alternative* chosen);
  void clear_result();
  void set_theme(const Theme& theme);

  std::function<void(const std::string& strategy, const std::vector<std::int64_t>& sizes)> on_asked;
  std::function<void()> on_reset;

 private:
  void ask();
  void make_boxes(const std::vector<target::TileSize>& sizes);
  void show_ranges();
  void colour_result();

  QComboBox* strategies_;
  QFormLayout* form_;
  QLabel* result_;
  QToolButton* reset_;
  std::vector<QSpinBox*> boxes_;
  std::vector<target::Alternative> alternatives_;
  std::vector<artifact::FigureDescription> figures_;
  const Theme* theme_ = &light_theme();
  bool setting_ = false, refused_ = false;
};

}  // namespace convscope::ui
