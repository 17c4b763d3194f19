#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/figures/tso/tso_figures.h"
#include "core/figures/tso/tso_networks.h"
#include "core/nmp/artifacts/plan.h"

namespace convscope::figures {
namespace {

constexpr std::array levels = {nmp::CostLevel::volume, nmp::CostLevel::burst, nmp::CostLevel::banked};

/// What the levels choose for one convolution.
struct Choices {
  std::array<nmp::Tiling, levels.size()> tilings;
  std::array<double, levels.size()> seconds{};  ///< by the walk

  bool differ() const {
    return std::any_of(tilings.begin(), tilings.end(), [&](const nmp::Tiling& t) { return t != tilings[0]; });
  }
};

Choices choices_of(const nmp::Convolution& convolution, const nmp::Machine& machine, const Environment& environment) {
  Choices choices;
  const nmp::CostModel model(convolution, machine, environment.stop);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto solution = nmp::solve(convolution, machine, {levels[i], {}, {}}, *environment.cache, environment.stop);
    choices.tilings[i] = solution->tiling;
    const auto same =
        std::find(choices.tilings.begin(), choices.tilings.begin() + static_cast<std::ptrdiff_t>(i), solution->tiling) -
        choices.tilings.begin();
    choices.seconds[i] =
        static_cast<std::size_t>(same) < i
            ? choices.seconds[static_cast<std::size_t>(same)]
            : nmp::shown_seconds(model, solution->tiling, solution->totals, nmp::CostLevel::walk, environment.stop)
                  .total();
  }
  return choices;
}

Cell microseconds_of(double seconds) {
  return number_cell(seconds * 1e6, "us", Origin::estimate, 1);
}

std::vector<Cell> row_of(const std::string& network, const std::string& layer, const Choices& choices) {
  std::vector<Cell> row{text_cell(network), text_cell(layer), text_cell(choices.differ() ? "differ" : "agree")};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    row.push_back(text_cell(nmp::tiling_text(choices.tilings[i])));
    row.push_back(microseconds_of(choices.seconds[i]));
  }
  row.push_back(difference_cell(choices.seconds[1], choices.seconds[2]));
  return row;
}

std::string note_of(const std::string& network, const std::vector<Choices>& all) {
  const auto differing = std::count_if(all.begin(), all.end(), [](const Choices& c) { return c.differ(); });
  std::array<double, levels.size()> sums{};
  for (const Choices& c : all)
    for (std::size_t i = 0; i < levels.size(); ++i) sums[i] += c.seconds[i] * 1e6;
  return fmt::format(
      "{}: levels disagree on {} of {} convolutions; by the walk their choices take {:.0f}, {:.0f} and {:.0f} us.",
      network, differing, all.size(), sums[0], sums[1], sums[2]);
}

}  // namespace

std::optional<Figure> nmp_levels(const Environment& environment, Diagnostics& diagnostics) {
  const auto machine = tso_machine(environment, diagnostics);
  const std::vector<TsoNetwork> networks = tso_networks(environment, diagnostics);
  if (!machine || networks.empty()) return std::nullopt;
  Figure figure{"nmp-levels", "Tilings of all cost levels side by side", "", {}, {}, {}};
  figure.columns = {"network", "layer",          "levels", "volume",          "volume, us walk",
                    "burst",   "burst, us walk", "banked", "banked, us walk", "burst over banked"};
  for (const TsoNetwork& network : networks) {
    std::vector<Choices> all(network.convolutions.size());
    environment.executor->parallel_for(static_cast<int>(all.size()), [&](int i) {
      const auto at = static_cast<std::size_t>(i);
      all[at] = choices_of(network.convolutions[at], *machine, environment);
    });
    std::size_t next = 0;
    for (const network::Layer& layer : network.network->layers)
      if (layer.operator_name == "Conv") {
        figure.rows.push_back(row_of(network.network->name, layer.name, all[next]));
        ++next;
      }
    figure.notes.push_back(note_of(network.network->name, all));
    if (environment.progress)
      environment.progress(static_cast<double>(figure.notes.size()) / static_cast<double>(networks.size()),
                           network.network->name);
  }
  figure.notes.emplace_back("Preset nmp-board. Level walk chooses as level banked does; all times are by the walk.");
  return figure;
}

}  // namespace convscope::figures
