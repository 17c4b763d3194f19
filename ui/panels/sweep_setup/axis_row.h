#pragma once
// A parameter of a space: a list of values, a range, or what follows from others.

#include <optional>

#include "core/arch/parameters.h"
#include "core/explore/space/space_draft.h"
#include "ui/panels/sweep_setup/setup_row.h"

class QComboBox;
class QStackedWidget;

namespace convscope::ui {

class AxisRow : public SetupRow {
  Q_OBJECT
 public:
  /// `description` may be null: the target has no such parameter.
  AxisRow(const ViewHost& host, const explore::DraftParameter& parameter, const arch::ParameterDescription* description,
          QWidget* parent);

  explore::DraftParameter value() const;
  /// How many values it takes; nothing as long as it is not known.
  void show_count(std::optional<std::size_t> count);

 private:
  void build_forms(const arch::ParameterDescription* description);
  QLineEdit* add_to(QWidget& page, const QString& name, const QString& title, const QString& placeholder, int width);

  std::string name_;
  QComboBox* form_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  QLineEdit* values_ = nullptr;
  QLineEdit *from_ = nullptr, *to_ = nullptr, *step_ = nullptr;
  QComboBox* step_kind_ = nullptr;
  QLineEdit* equals_ = nullptr;
  QLabel* count_ = nullptr;
};

}  // namespace convscope::ui
