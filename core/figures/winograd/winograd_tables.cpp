#include <string>

#include <fmt/format.h>

#include "core/cpu/layers/layer_problem.h"
#include "core/figures/winograd/winograd_figures.h"
#include "core/winograd/sizes/sizes.h"

namespace convscope::figures {
namespace {

using winograd::ConvolutionSize;
using winograd::WinogradSize;

constexpr const char* published_network = "Winograd";

Cell printed(const Environment& environment, const Figure& figure, const std::string& row, const char* metric,
             int decimals) {
  return number_cell(environment.published->find(figure.id, published_network, row, metric), "", Origin::published,
                     decimals);
}

Cell ratio(std::int64_t whole, std::int64_t part) {
  return number_cell(static_cast<double>(whole) / static_cast<double>(part), "", Origin::derived, 4);
}

bool has_source(const Figure& figure, const Environment& environment, Diagnostics& diagnostics) {
  if (environment.published->source(figure.id)) return true;
  diagnostics.error({}, fmt::format("there are no published figures of '{}'", figure.id));
  return false;
}

Cell bytes(std::int64_t numbers) {
  constexpr double float_bytes = 4;
  return number_cell(float_bytes * static_cast<double>(numbers), "byte", Origin::derived, 0);
}

/// Of those that are published, whose kernel is square and larger than 1.
std::vector<cpu::Problem> convolutions(const Environment& environment, Diagnostics& diagnostics) {
  std::vector<cpu::Problem> result;
  for (const analysis::PublishedFigure& figure : environment.published->figures()) {
    if (figure.source != "cpu-table4.1" || figure.metric != "temp_bytes") continue;
    const auto problem = cpu::parse_problem(figure.layer, diagnostics);
    if (problem && problem->kernel_height > 1 && problem->kernel_height == problem->kernel_width)
      result.push_back(*problem);
  }
  if (result.empty()) diagnostics.error({}, "there are no published figures of 'cpu-table4.1'");
  return result;
}

}  // namespace

std::optional<Figure> winograd_reductions(const Environment& environment, Diagnostics& diagnostics) {
  Figure figure{"cpu-table6.1", "Memory of Winograd convolution, two dimensions over one", "", {}, {}, {}};
  if (!has_source(figure, environment, diagnostics)) return std::nullopt;
  figure.columns = {"F(m, r)",       "kernel here",  "kernel printed", "tiles here",
                    "tiles printed", "outputs here", "outputs printed"};
  for (const auto& [m, r] : {std::pair{2, 3}, {3, 3}, {4, 3}, {2, 5}, {3, 5}, {4, 5}}) {
    const std::string name = fmt::format("F({},{})", m, r);
    const ConvolutionSize size{m, m, 1, 1, r};
    const WinogradSize two = two_dimensional(size, m), one = sum_of_one_dimensional(size, m);
    figure.rows.push_back(
        {text_cell(name), ratio(two.kernel, one.kernel), printed(environment, figure, name, "kernel_reduction", 4),
         ratio(two.tiles * (m + r - 1), one.tiles * m), printed(environment, figure, name, "tiles_reduction", 4),
         ratio(two.products, one.products), printed(environment, figure, name, "outputs_reduction", 4)});
  }
  figure.notes = {
      "Here: n/K for kernels, n/m for tiles and outputs, n = m + K - 1, as section 6.12.7 derives them; the rows above "
      "and "
      "below the image are left out, as there. The printed F(4,3), F(2,5), F(3,5) and F(4,5) contradict these "
      "formulas."};
  return figure;
}

std::optional<Figure> winograd_multiplications(const Environment& environment, Diagnostics& diagnostics) {
  Figure figure{"cpu-table6.2", "Multiplications saved by F(2,3), in two dimensions and in one", "", {}, {}, {}};
  if (!has_source(figure, environment, diagnostics)) return std::nullopt;
  figure.columns = {"height and width",       "direct here",        "direct printed",       "two dimensions here",
                    "two dimensions printed", "one dimension here", "one dimension printed"};
  for (const int side : {13, 14, 27, 28, 56, 96, 127, 192, 227}) {
    const ConvolutionSize size{side, side, 1, 1, 3};
    const std::int64_t direct = direct_multiplications(size);
    const std::string name = std::to_string(side);
    figure.rows.push_back({text_cell(name), number_cell(static_cast<double>(direct), "", Origin::derived, 0),
                           printed(environment, figure, name, "multiplications", 0),
                           ratio(direct, two_dimensional(size, 2).multiplications),
                           printed(environment, figure, name, "reduction_2d", 3),
                           ratio(direct, sum_of_one_dimensional(size, 2).multiplications),
                           printed(environment, figure, name, "reduction_1d", 3)});
  }
  figure.notes = {"Digits are cut in print, not rounded."};
  return figure;
}

std::optional<Figure> winograd_memory(const Environment& environment, Diagnostics& diagnostics) {
  Figure figure{"cpu-winograd-memory", "Memory of Winograd convolution beside im2col's", "", {}, {}, {}};
  const auto problems = convolutions(environment, diagnostics);
  if (problems.empty()) return std::nullopt;
  figure.columns = {"convolution", "F(m, r)", "tiles and outputs, 2D", "tiles and outputs, 1D",
                    "im2col",      "kernels", "kernels, 2D",           "kernels, 1D"};
  for (const cpu::Problem& p : problems) {
    const ConvolutionSize size{p.out_height(), p.out_width(), p.channels, p.kernels, p.kernel_height};
    const int m = p.kernel_height == 3 ? 4 : 2;
    const WinogradSize two = two_dimensional(size, m), one = sum_of_one_dimensional(size, m);
    figure.rows.push_back({text_cell(cpu::text(p)), text_cell(fmt::format("F({},{})", m, p.kernel_height)),
                           bytes(two.tiles + two.products), bytes(one.tiles + one.products), bytes(im2col_size(size)),
                           bytes(size.channels * size.kernels * size.kernel_size * size.kernel_size), bytes(two.kernel),
                           bytes(one.kernel)});
  }
  figure.notes = {
      "Whole tensors, as section 6.12.7 has them; programs that are fused by blocks of tiles or rows keep a part of "
      "them."};
  return figure;
}

}  // namespace convscope::figures
