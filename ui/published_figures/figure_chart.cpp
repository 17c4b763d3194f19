#include "ui/published_figures/figure_chart.h"

#include <QSet>
#include <algorithm>

#include "ui/parts/drawing.h"
#include "ui/plot/bar_chart.h"
#include "ui/published_figures/line_chart.h"

namespace convscope::ui {
namespace {

using figures::Cell;
using figures::Figure;

constexpr std::size_t most_bars = 240;
constexpr qsizetype longest_name = 28;

double scale_of(const std::string& unit) {
  return unit == "%" ? 100 : 1;
}

/// The first cell of a column that has a number, or null.
const Cell* sample_of(const Figure& figure, std::size_t column) {
  for (const auto& row : figure.rows)
    if (column < row.size() && row[column].value) return &row[column];
  return nullptr;
}

/// Words before the first number, as many columns as it takes to tell rows apart: what rows are about.
QStringList row_names(const Figure& figure, const std::vector<std::size_t>& rows) {
  QStringList names(static_cast<qsizetype>(rows.size()));
  for (std::size_t c = 0; c < figure.columns.size() && !sample_of(figure, c); ++c) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto& cells = figure.rows[rows[r]];
      if (c >= cells.size() || cells[c].text.empty()) continue;
      QString& name = names[static_cast<qsizetype>(r)];
      name += (name.isEmpty() ? QString() : QStringLiteral(" · ")) + to_text(cells[c].text);
    }
    if (QSet<QString>(names.begin(), names.end()).size() == names.size()) break;
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    QString& name = names[static_cast<qsizetype>(r)];
    if (name.isEmpty()) name = QString::number(rows[r] + 1);
    if (name.size() > longest_name) name = name.left(longest_name - 1) + QStringLiteral("…");
  }
  return names;
}

double value_at(const Figure& figure, std::size_t row, std::size_t column) {
  const auto& cells = figure.rows[row];
  if (column >= cells.size() || !cells[column].value) return no_bar;
  return *cells[column].value * scale_of(cells[column].unit);
}

std::vector<std::size_t> drawn_rows(const Figure& figure, const FigureSeries& series) {
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < figure.rows.size(); ++r) {
    const bool any = std::any_of(series.columns.begin(), series.columns.end(),
                                 [&](std::size_t c) { return c < figure.rows[r].size() && figure.rows[r][c].value; });
    if (any) rows.push_back(r);
  }
  return rows;
}

BarStack stack_of(const Figure& figure, std::size_t column, const std::vector<std::size_t>& rows, int number) {
  const Origin origin = sample_of(figure, column)->origin;
  const QString name = to_text(figure.columns[column]);
  BarStack stack{name, origin, false, false, {}};
  BarFill fill{BarFill::Kind::series, number};
  if (origin == Origin::published) fill.kind = BarFill::Kind::baseline;
  BarPart part{name, fill, {}};
  for (const std::size_t row : rows) part.values.push_back(value_at(figure, row, column));
  stack.parts.push_back(std::move(part));
  return stack;
}

}  // namespace

std::vector<FigureSeries> figure_series(const Figure& figure) {
  std::vector<FigureSeries> found;
  // A first column of numbers only counts the rows.
  for (std::size_t c = 1; c < figure.columns.size(); ++c) {
    const Cell* sample = sample_of(figure, c);
    if (!sample || sample->unit == "±%") continue;
    // Counts of different things have no unit in common.
    const QString title = sample->unit.empty() ? to_text(figure.columns[c]).section(' ', 0, 0) : to_text(sample->unit);
    const auto same = std::find_if(found.begin(), found.end(), [&](const auto& each) { return each.title == title; });
    if (same == found.end())
      found.push_back({title, sample->unit, {c}});
    else
      same->columns.push_back(c);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.columns.size() > b.columns.size(); });
  return found;
}

std::shared_ptr<const Chart> make_figure_chart(const Figure& figure, const FigureSeries& series) {
  const std::vector<std::size_t> rows = drawn_rows(figure, series);
  auto bars = std::make_shared<BarChart>();
  bars->value_label = series.title;
  bars->category_label = QString();
  bars->unit = to_text(series.unit);
  const QStringList names = row_names(figure, rows);
  for (std::size_t r = 0; r < rows.size(); ++r)
    bars->categories.push_back({names[static_cast<qsizetype>(r)], static_cast<int>(rows[r])});
  for (std::size_t i = 0; i < series.columns.size(); ++i)
    bars->stacks.push_back(stack_of(figure, series.columns[i], rows, static_cast<int>(i)));
  if (rows.size() * series.columns.size() <= most_bars) return bars;
  return std::make_shared<LineChart>(std::move(*bars));
}

}  // namespace convscope::ui
