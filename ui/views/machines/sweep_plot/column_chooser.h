#pragma once
// A list of a sweep's columns to choose among, with its title beside it.

#include <QComboBox>
#include <QWidget>
#include <functional>
#include <string>

#include "core/explore/results/sweep_table.h"

namespace convscope::ui {

class ColumnChooser : public QWidget {
 public:
  enum class Offers { all, numbers_or_none, all_or_none };

  ColumnChooser(QWidget* parent, const QString& name, const QString& title, Offers offers);

  /// Offers the table's columns, and shows the chosen one. Null: no columns.
  void show(const explore::SweepTable* table, const std::string& chosen);
  /// Called when the user chooses; empty for none.
  std::function<void(const std::string& column)> on_choice;

 private:
  Offers offers_;
  QComboBox* box_;
  QStringList keys_;
};

}  // namespace convscope::ui
