#include "ui/published_figures/figure_chart.h"

#include <QSet>
#include <algorithm>
#include <map>

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

/// Columns of one title share a chart. Counts of different things have no unit in common; where bars of a column stand
/// side by side for its rows, no other column has room.
QString series_title(const Figure& figure, std::size_t column, const Cell& sample) {
  const QString name = to_text(figure.columns[column]), unit = to_text(sample.unit);
  if (figure.crossed) return unit.isEmpty() || name.contains(unit) ? name : QStringLiteral("%1 (%2)").arg(name, unit);
  return unit.isEmpty() ? name.section(' ', 0, 0) : unit;
}

/// The second column's things side by side for each of the first one's.
void fill_crossed(BarChart& bars, const Figure& figure, std::size_t column) {
  std::map<std::string, std::size_t> category_of, stack_of;  // with their places
  for (const auto& row : figure.rows) {
    if (category_of.try_emplace(row[0].text, category_of.size()).second)
      bars.categories.push_back({to_text(row[0].text), static_cast<int>(bars.categories.size())});
    const auto next = static_cast<int>(stack_of.size());
    if (!stack_of.try_emplace(row[1].text, stack_of.size()).second) continue;
    const QString name = to_text(row[1].text);
    bars.stacks.push_back({name, row[column].origin, false, false, {{name, {BarFill::Kind::series, next}, {}}}});
  }
  for (BarStack& stack : bars.stacks) stack.parts.front().values.assign(bars.categories.size(), no_bar);
  for (std::size_t r = 0; r < figure.rows.size(); ++r) {
    const auto& row = figure.rows[r];
    bars.stacks[stack_of.at(row[1].text)].parts.front().values[category_of.at(row[0].text)] =
        value_at(figure, r, column);
  }
}

}  // namespace

std::vector<FigureSeries> figure_series(const Figure& figure) {
  std::vector<FigureSeries> found;
  // A first column of numbers only counts the rows.
  for (std::size_t c = 1; c < figure.columns.size(); ++c) {
    const Cell* sample = sample_of(figure, c);
    if (!sample || sample->unit == "±%") continue;
    const QString title = series_title(figure, c, *sample);
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

std::shared_ptr<const Chart> make_figure_chart(const Figure& figure, const FigureSeries& series,
                                               FigureChartPlace place) {
  const std::vector<std::size_t> rows = drawn_rows(figure, series);
  auto bars = std::make_shared<BarChart>();
  bars->value_label = series.title;
  bars->category_label = QString();
  bars->unit = to_text(series.unit);
  bars->above_another = place == FigureChartPlace::above_another;
  bars->aligned = place != FigureChartPlace::alone;
  if (figure.crossed) {
    fill_crossed(*bars, figure, series.columns.front());
    return bars;
  }
  const QStringList names = row_names(figure, rows);
  for (std::size_t r = 0; r < rows.size(); ++r)
    bars->categories.push_back({names[static_cast<qsizetype>(r)], static_cast<int>(rows[r])});
  for (std::size_t i = 0; i < series.columns.size(); ++i)
    bars->stacks.push_back(stack_of(figure, series.columns[i], rows, static_cast<int>(i)));
  if (rows.size() * series.columns.size() <= most_bars) return bars;
  return std::make_shared<LineChart>(std::move(*bars));
}

}  // namespace convscope::ui
