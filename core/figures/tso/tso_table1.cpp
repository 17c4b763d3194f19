#include <algorithm>
#include <cmath>

#include "core/figures/tso/tso_figures.h"
#include "core/figures/tso/tso_networks.h"

namespace convscope::figures {
namespace {

Cell microseconds(std::optional<double> seconds, Origin origin) {
  if (seconds) *seconds *= 1e6;
  return number_cell(seconds, "us", origin, 0);
}

struct Errors {
  double sum = 0, largest = 0;
  int count = 0;
  double mean() const { return count == 0 ? 0 : sum / count; }
};

Errors errors_of(const std::vector<TsoTimes>& times, std::size_t column) {
  Errors errors;
  for (const TsoTimes& row : times) {
    if (!row.ours[column] || !row.published[column]) continue;
    const double error = std::abs(*row.ours[column] / *row.published[column] - 1);
    errors.sum += error;
    errors.largest = std::max(errors.largest, error);
    ++errors.count;
  }
  return errors;
}

void add_errors(Figure& figure, const std::vector<TsoColumn>& columns, const std::vector<TsoTimes>& times) {
  for (const char* kind : {"mean error", "largest error"})
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Errors errors = errors_of(times, c);
      const double value = std::string(kind) == "mean error" ? errors.mean() : errors.largest;
      figure.rows.push_back(
          {text_cell(kind), text_cell(columns[c].title), {}, {}, number_cell(value, "%", Origin::derived, 2)});
    }
}

}  // namespace

std::optional<Figure> tso_table1(const Environment& environment, Diagnostics& diagnostics) {
  const std::vector<TsoColumn> columns = tso_columns();
  const std::vector<TsoTimes> times = tso_times(columns, environment, diagnostics);
  if (times.empty()) return std::nullopt;
  Figure figure{"tso-table1", "Time of all convolutions, by strategy", "", {}, {}, {}};
  figure.columns = {"network", "strategy", "us here", "us published", "error"};
  for (const TsoTimes& row : times)
    for (std::size_t c = 0; c < columns.size(); ++c)
      figure.rows.push_back(
          {text_cell(row.network), text_cell(columns[c].title), microseconds(row.ours[c], Origin::estimate),
           microseconds(row.published[c], Origin::published), difference_cell(row.ours[c], row.published[c])});
  add_errors(figure, columns, times);
  figure.notes = {
      "Preset nmp-board, level burst, full tiles; convolutions only. Bandwidth and cost of a command were fitted",
      "to the TSO column (`convscope-cli calibrate`); the other seven columns were not fitted.",
      "YOLO: the paper does not describe its network, so there is none to compare."};
  return figure;
}

}  // namespace convscope::figures
