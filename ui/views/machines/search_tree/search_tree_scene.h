#pragma once
// A decision tree along one path, as rows of values.

#include <memory>
#include <vector>

#include "core/artifact/decision_tree.h"
#include "ui/model/view.h"

namespace convscope::ui {

class SearchTreeScene {
 public:
  struct Chip {
    int value = 0;  ///< index in its level
    QString text;
    double left = 0, width = 0;  ///< content units
    int others = 0;              ///< it stands for so many rejected values, from `value` on; 0: for itself
  };
  struct Row {
    QString name;
    std::vector<Chip> chips;       ///< what may be chosen first, by weight; then what is rejected
    int values = 0, rejected = 0;  ///< of the level
  };

  SearchTreeScene(std::shared_ptr<const artifact::DecisionTree> tree, QString layer);

  const artifact::DecisionTree& tree() const { return *tree_; }
  const QString& layer() const { return layer_; }
  const std::vector<Row>& rows() const { return rows_; }
  const artifact::DecisionValue& value(std::size_t row, const Chip& chip) const;
  bool taken(std::size_t row, const Chip& chip) const { return tree_->levels[row].taken == chip.value; }
  double width() const { return width_; }
  /// The value, its chance, or why it is rejected.
  QString reading(std::size_t row, const Chip& chip) const;
  std::string csv() const;

 private:
  std::shared_ptr<const artifact::DecisionTree> tree_;
  QString layer_;
  std::vector<Row> rows_;
  double width_ = 0;
};

inline constexpr double search_tree_names = 150;  ///< width of the levels' names, content units

}  // namespace convscope::ui
