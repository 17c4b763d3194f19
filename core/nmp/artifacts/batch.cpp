#include "core/nmp/artifacts/batch.h"

#include <algorithm>

namespace convscope::nmp {
namespace {

/// Equation 6 adds up terms, of which double buffering alone hides any.
bool adds_up(const Machine& machine, CostLevel level) {
  return !by_banks(level) && !machine.doubled.any() && (!machine.free_running || machine.double_buffering);
}

double weight_seconds(const Totals& totals, const Machine& machine) {
  return static_cast<double>(totals.weights.bytes) / machine.bandwidth +
         static_cast<double>(totals.weights.bursts) * machine.cas_seconds +
         static_cast<double>(totals.weights.commands) * machine.command_seconds;
}

double batch_seconds(const Solution& solution, const Machine& machine, std::int64_t images) {
  const auto count = static_cast<double>(images);
  const Seconds one = seconds_of(solution.totals, machine);
  const double mac = one.mac * count;
  const double rest = (one.dram() + one.commands) * count - weight_seconds(solution.totals, machine) * (count - 1);
  return mac + rest - hidden_seconds(machine, mac, rest);
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
  if (!keeps_weights(convolution, machine, solution))
    return artifact::image_after_image(one, images, "tiles of weights are loaded anew for every image");
  if (adds_up(machine, level))
    return artifact::with_kept_weights(one, images, batch_seconds(solution, machine, images), machine.clock_hz,
                                       "tiles of weights stay while all images pass");
  return artifact::with_kept_weights(
      one, images, one.seconds.value * static_cast<double>(images), machine.clock_hz,
      "tiles of weights stay while all images pass (time saved by that is not estimated here)");
}

}  // namespace convscope::nmp
