#pragma once
// Which points of a space are looked at, and where results go.

#include <QGroupBox>

#include "ui/document/exploration/sweep_setup.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace convscope::ui {

class StrategyBox : public QGroupBox {
  Q_OBJECT
 public:
  explicit StrategyBox(QWidget* parent);

  void show_setup(const SweepSetup& setup);
  void fill(SweepSetup& setup) const;

 signals:
  void edited();

 private:
  void choose_file();
  void refresh();

  QComboBox* kind_ = nullptr;
  QSpinBox *budget_ = nullptr, *seed_ = nullptr;
  QLabel *budget_label_ = nullptr, *seed_label_ = nullptr, *meaning_ = nullptr, *file_meaning_ = nullptr;
  QLineEdit* file_ = nullptr;
};

}  // namespace convscope::ui
