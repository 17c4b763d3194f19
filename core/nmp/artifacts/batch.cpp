#include "core/nmp/artifacts/batch.h"

#include <algorithm>
#include <optional>

#include "core/nmp/artifacts/layer_metrics.h"

namespace convscope::nmp {
namespace {

/// Equation 6 adds up terms, of which double buffering alone hides any.
bool adds_up(const Machine& machine, CostLevel level) {
  return !by_banks(level) && !machine.doubled.any() && (!machine.free_running || machine.double_buffering);
}

double weight_seconds(const Totals& totals, const Machine& machine) {
  return static_cast<double>(totals.weights.bytes) / machine.bandwidth +
         static_cast<double>(totals.weights.bursts) * machine.cas_seconds +
         static_cast<double>(totals.weights.commands) * machine.command_seconds +
         machine.ring.seconds(totals.ring_weights.bytes, totals.ring_weights.hops, machine.clock_hz);
}

double batch_seconds(const Solution& solution, const Machine& machine, std::int64_t images) {
  const auto count = static_cast<double>(images);
  const Seconds one = seconds_of(solution.totals, machine);
  const double mac = one.mac * count;
  const double rest = one.moves() * count - weight_seconds(solution.totals, machine) * (count - 1);
  return mac + rest - hidden_seconds(machine, mac, rest);
}

// More images are as many times this one; a search over more columns takes longer and finds little.
constexpr std::int64_t most_side_by_side = 1024;

/// Images of a fully connected layer as the pixels of one map, each input element a channel: a convolution by 1x1.
Convolution side_by_side(const Convolution& c, std::int64_t images) {
  Convolution all = c;
  all.channels = c.channels * c.taps();
  all.rows = {.in = 1, .out = 1};
  all.columns = {.in = static_cast<int>(images), .out = static_cast<int>(images)};
  all.zero_macs = c.zero_macs * images;
  all.operation = Operator::convolution;
  return all;
}

/// Nothing where it isn't a fully connected layer, or where that fits no memory.
std::optional<artifact::Metrics> metrics_together(const Convolution& c, const Machine& machine, CostLevel level,
                                                  std::int64_t images) {
  if (!is_fully_connected(c) || images < 2 || images > most_side_by_side) return std::nullopt;
  const Convolution all = side_by_side(c, images);
  target::NoCache cache;
  Machine as_for_one = machine;  // memories are doubled or not as they were for one image
  as_for_one.choose_doubled = false;
  const auto solution = solve(all, as_for_one, {level, {}, {}}, cache, {});
  if (!solution->reason.empty()) return std::nullopt;
  return layer_metrics(all, *solution, as_for_one, level);
}

artifact::BatchFigures of_one_tiling(const Convolution& convolution, const Machine& machine, CostLevel level,
                                     const Solution& solution, const artifact::Metrics& one, std::int64_t images) {
  if (!keeps_weights(convolution, machine, solution))
    return artifact::image_after_image(one, images, "tiles of weights are loaded anew for every image");
  if (adds_up(machine, level))
    return artifact::with_kept_weights(one, images, batch_seconds(solution, machine, images), machine.clock_hz,
                                       "tiles of weights stay while all images pass");
  return artifact::with_kept_weights(
      one, images, one.seconds.value * static_cast<double>(images), machine.clock_hz,
      "tiles of weights stay while all images pass (time saved by that is not estimated here)");
}

}  // namespace

bool keeps_weights(const Convolution& c, const Machine& machine, const Solution& solution) {
  if (solution.tiling.schedule != Schedule::input_stationary)
    return solution.tiling.schedule == Schedule::weight_stationary;
  const std::int64_t filters = tle_grid(solution.tiling.partition, machine.tles).filters;
  const std::int64_t of_tle = (c.units + filters - 1) / filters;
  const std::int64_t of_tlt = (of_tle + machine.tlts - 1) / machine.tlts;
  const std::int64_t shares = tle_grid(solution.tiling.partition, machine.tles).channels;
  return solution.occupancy.weights ==
         of_tlt * ((c.channels + shares - 1) / shares) * c.weights_per_unit() * machine.element_bytes;
}

artifact::BatchFigures batch_figures(const Convolution& convolution, const Machine& machine, CostLevel level,
                                     const Solution& solution, const artifact::Metrics& one, std::int64_t images) {
  if (!convolution.multiplies()) return artifact::image_after_image(one, images, {});
  const auto figures = of_one_tiling(convolution, machine, level, solution, one, images);
  const auto together = metrics_together(convolution, machine, level, images);
  if (!together || together->seconds.value >= figures.seconds.value) return figures;
  return artifact::side_by_side(one, *together, images, "images lie side by side as the pixels of one map");
}

}  // namespace convscope::nmp
