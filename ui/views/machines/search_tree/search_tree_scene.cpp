#include "ui/views/machines/search_tree/search_tree_scene.h"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "ui/parts/drawing.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

constexpr double letter_width = 7.3, chip_padding = 16, chip_gap = 6, narrowest = 44;
constexpr int most_rejected = 12;  ///< shown one by one: a row of a hundred hides what could be taken

SearchTreeScene::Row row_of(const artifact::DecisionLevel& level) {
  SearchTreeScene::Row row{to_text(level.name), {}, 0};
  std::vector<int> order(level.values.size());
  std::iota(order.begin(), order.end(), 0);
  const auto value = [&](int index) -> const artifact::DecisionValue& {
    return level.values[static_cast<std::size_t>(index)];
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const bool out_a = !value(a).rejected.empty(), out_b = !value(b).rejected.empty();
    return out_a != out_b ? out_b : value(a).weight > value(b).weight;
  });
  // What was taken comes first: of many values it would be out of sight.
  if (const auto taken = std::find(order.begin(), order.end(), level.taken); taken != order.end())
    std::rotate(order.begin(), taken, taken + 1);
  row.values = static_cast<int>(order.size());
  row.rejected = static_cast<int>(
      std::count_if(order.begin(), order.end(), [&](int index) { return !value(index).rejected.empty(); }));
  double left = search_tree_names;
  const auto add = [&](int index, const QString& text, int others) {
    const double width = std::max(narrowest, static_cast<double>(text.size()) * letter_width + chip_padding);
    row.chips.push_back({index, text, left, width, others});
    left += width + chip_gap;
  };
  const int hidden = row.rejected > most_rejected + 1 ? row.rejected - most_rejected : 0;
  for (std::size_t i = 0; i + static_cast<std::size_t>(hidden) < order.size(); ++i)
    add(order[i], to_text(value(order[i]).value), 0);
  if (hidden > 0)
    add(order[order.size() - static_cast<std::size_t>(hidden)], QStringLiteral("%1 more").arg(hidden), hidden);
  return row;
}

}  // namespace

SearchTreeScene::SearchTreeScene(std::shared_ptr<const artifact::DecisionTree> tree, QString layer)
    : tree_(std::move(tree)), layer_(std::move(layer)), width_(search_tree_names) {
  for (const artifact::DecisionLevel& level : tree_->levels) {
    rows_.push_back(row_of(level));
    if (rows_.back().chips.empty()) continue;
    const Chip& last = rows_.back().chips.back();
    width_ = std::max(width_, last.left + last.width + chip_gap);
  }
}

const artifact::DecisionValue& SearchTreeScene::value(std::size_t row, const Chip& chip) const {
  return tree_->levels[row].values[static_cast<std::size_t>(chip.value)];
}

QString SearchTreeScene::reading(std::size_t row, const Chip& chip) const {
  const artifact::DecisionValue& v = value(row, chip);
  if (chip.others > 0)
    return QStringLiteral("%1: %2 more are rejected, like %3: %4")
        .arg(rows_[row].name, count_text(chip.others), to_text(v.value), to_text(v.rejected));
  QString text = QStringLiteral("%1: %2").arg(rows_[row].name, chip.text);
  if (!v.rejected.empty()) return text + QStringLiteral("\nrejected: %1").arg(to_text(v.rejected));
  text += QStringLiteral("\ndrawn with a chance of %1").arg(percent_text(v.weight));
  if (taken(row, chip)) text += QStringLiteral("\non the path that is shown");
  return text;
}

std::string SearchTreeScene::csv() const {
  std::ostringstream out;
  out << "level,value,chance,taken,rejected\n";
  for (const artifact::DecisionLevel& level : tree_->levels)
    for (std::size_t i = 0; i < level.values.size(); ++i)
      out << csv_field(level.name) << ',' << csv_field(level.values[i].value) << ',' << level.values[i].weight << ','
          << (static_cast<int>(i) == level.taken ? "yes" : "no") << ',' << csv_field(level.values[i].rejected) << '\n';
  return out.str();
}

}  // namespace convscope::ui
