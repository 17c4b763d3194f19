#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "core/figures/winograd/winograd_figures.h"
#include "core/winograd/equations/ways.h"
#include "core/winograd/error/error.h"
#include "core/winograd/matrices/transform.h"

namespace convscope::figures {
namespace {

using namespace convscope::winograd;

std::optional<Transform> transform_of(int m, int r, const std::string& points, Diagnostics& diagnostics) {
  const auto parsed = parse_points(points, m, r, diagnostics);
  return parsed ? make_transform(m, r, *parsed, diagnostics) : std::nullopt;
}

Cell operations_cell(const Operations& operations) {
  return text_cell(fmt::format("{}/{}", operations.additions, operations.multiplications));
}

struct ErrorRow {
  int m, r;
  const char* points;
  int channels, chain;
};

constexpr ErrorRow error_rows[] = {
    {2, 3, "usual", 64, 0},           {4, 3, "usual", 64, 0},     {4, 3, "0,1,-1,1/2,-2", 64, 0},
    {4, 3, "accurate", 64, 0},        {6, 3, "usual", 64, 0},     {2, 5, "usual", 64, 0},
    {8, 3, "usual", 64, 0},           {2, 3, "usual", 512, 0},    {4, 3, "usual", 512, 0},
    {4, 3, "0,1,-1,1/2,-2", 512, 64}, {4, 3, "accurate", 512, 0}, {4, 3, "accurate", 512, 64},
    {6, 3, "usual", 512, 64}};

/// Section 6.5.1 speaks of tiles above 8 x 8 alone.
std::optional<double> claimed_digits(const Transform& transform) {
  constexpr int largest_tile = 8;
  constexpr double digits = 2;
  return transform.n() > largest_tile ? std::optional(digits) : std::nullopt;
}

Cell error_cell(double error) {
  Cell cell = number_cell(error, "", Origin::measured, 9);
  return cell;
}

}  // namespace

std::optional<Figure> winograd_operations(const Environment& environment, Diagnostics& diagnostics) {
  Figure figure{"cpu-winograd-operations", "Additions and multiplications of Winograd's transforms", "", {}, {}, {}};
  figure.columns = {"F(m, r)", "transform", "plain", "thesis", "pairs", "nested", "additions printed, shared"};
  struct Row {
    int m, r;
    Operand operand;
  };
  for (const auto& [m, r, operand] : {Row{2, 3, Operand::kernel},
                                      {2, 3, Operand::input},
                                      {2, 3, Operand::output},
                                      {4, 3, Operand::input},
                                      {4, 3, Operand::output},
                                      {6, 3, Operand::input},
                                      {6, 3, Operand::output},
                                      {2, 5, Operand::input}}) {
    const auto transform = transform_of(m, r, "usual", diagnostics);
    if (!transform) return std::nullopt;
    const Transform counted = with_integral_input(*transform);
    const std::string name = fmt::format("F({},{})", m, r);
    std::vector<Cell> cells = {text_cell(name), text_cell(std::string(operand_name(operand)))};
    for (const Way way : ways) {
      const auto forms = share(matrix_of(counted, operand), way, environment.stop, diagnostics);
      cells.push_back(forms ? operations_cell(count_operations(*forms)) : text_cell(""));
    }
    cells.push_back(number_cell(
        environment.published->find(figure.id, "Winograd", name, std::string(operand_name(operand)) + "_additions"), "",
        Origin::published, 0));
    figure.rows.push_back(std::move(cells));
  }
  figure.notes = {
      "Points 0, ±1, ±2, then ±1/2; rows of B^T made integral. Terms of equal coefficients are multiplied once.",
      "Fig. 6-31 is said to have 27 additions; as it is listed it has 25, and so has the thesis's way here."};
  return figure;
}

std::optional<Figure> winograd_errors(const Environment& environment, Diagnostics& diagnostics) {
  Figure figure{"cpu-winograd-error", "Error of Winograd convolution in float32", "", {}, {}, {}};
  figure.columns = {"F(m, r)",
                    "points",
                    "channels",
                    "sums",
                    "|e| / |y|",
                    "max |e| / rms(y)",
                    "digits here, at worst",
                    "digits as the thesis has them"};
  for (const ErrorRow& row : error_rows) {
    const auto transform = transform_of(row.m, row.r, row.points, diagnostics);
    if (!transform) return std::nullopt;
    const ErrorSetup setup{row.channels, 16, 16, row.chain, 1};
    const MeasuredError error = ErrorTrial(row.m, row.r, setup).of(*transform, environment.stop);
    figure.rows.push_back({text_cell(fmt::format("F({},{})", row.m, row.r)), text_cell(text(transform->points)),
                           number_cell(row.channels, "", Origin::derived, 0),
                           text_cell(row.chain ? fmt::format("blocks of {}", row.chain) : "one chain"),
                           error_cell(error.l2), error_cell(error.largest),
                           number_cell(-std::log10(error.largest), "", Origin::measured, 1),
                           number_cell(claimed_digits(*transform), "", Origin::published, 0)});
  }
  figure.notes = {
      "Two dimensions, uniform data in [-1, 1] (seed 1), 16 tiles and kernels, nested programs with fused "
      "multiplications, "
      "kernels transformed in double, against double. The largest error grows slowly with the number of outputs.",
      "Section 6.5.1: above inputs of 8 x 8 two digits remain. Here F(8,3), 10 x 10 on its usual "
      "points, keeps three on the whole and two at worst."};
  return figure;
}

}  // namespace convscope::figures
