#include "core/nmp/cost/floors.h"

#include <algorithm>
#include <limits>

#include "core/base/integers.h"

namespace convscope::nmp {
namespace {

/// Input positions of an axis that any output needs.
std::int64_t needed(const Axis& axis) {
  return std::min(axis.needs(0, axis.out), axis.out * axis.kernel);
}

}  // namespace

std::int64_t bytes_once(const Convolution& c, const Machine& m) {
  const std::int64_t maps = std::int64_t{c.units} * c.maps_per_unit;
  const std::int64_t in = needed(c.rows) * needed(c.columns) * (c.depthwise ? c.units : c.channels);
  const std::int64_t out = maps * c.rows.out * c.columns.out;
  return (in + maps * c.channels * c.weights_per_map() + (c.residual ? 2 : 1) * out) * c.repeats * m.element_bytes;
}

double dram_peak(const Machine& m, CostLevel level) {
  return by_banks(level) ? dram_of(m.dram).organization.peak() : m.bandwidth;
}

std::int64_t least_mac_cycles(const CostModel& model) {
  const Convolution& c = model.convolution();
  const std::int64_t macs = model.machine().macs_per_cycle;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const Partition p : model.partitions()) {
    const auto& part = model.sums().of(p);
    const bool dots = c.operation == Operator::fully_connected;
    const std::int64_t map =
        dots ? divide_up(std::int64_t{part.channels} * c.taps(), macs)
             : (std::int64_t{part.slice_rows} * c.columns.out * c.taps() + macs - 1) / macs * part.channels;
    const std::int64_t depth = std::int64_t{part.tlt_units} * c.maps_per_unit * c.repeats;
    // An array works on several filters and channels at a time.
    least = std::min(
        least, model.machine().array.kind == ArrayKind::pooled
                   ? map * depth
                   : divide_up(std::int64_t{part.slice_rows} * c.columns.out * c.taps() * c.channels * depth, macs));
  }
  return least;
}

double floor_seconds(const Convolution& c, const Machine& m, CostLevel level) {
  const double mac = static_cast<double>(c.macs()) / m.reached_peak();
  const double transfer = static_cast<double>(bytes_once(c, m)) / dram_peak(m, level);
  return m.overlaps() ? std::max(mac, transfer) : mac + transfer;
}

}  // namespace convscope::nmp
