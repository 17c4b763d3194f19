#include "core/nmp/generate/layer_plan.h"

#include <algorithm>

#include "core/base/integers.h"

namespace convscope::nmp {
namespace {

int trips(int length, int size) {
  return static_cast<int>(divide_up(length, size));
}

}  // namespace

Range piece_of(Range whole, int size, std::int64_t index) {
  const auto begin = static_cast<int>(std::min<std::int64_t>(whole.size, index * size));
  return {whole.begin + begin, std::min(size, whole.size - begin)};
}

InputRange input_of(const Axis& axis, Range outputs) {
  if (outputs.size == 0) return {};
  const int needed = axis.needs(outputs.begin, outputs.size);
  return {{needed > 0 ? std::max(0, axis.first_input(outputs.begin)) : 0, needed}, axis.before(outputs.begin)};
}

LayerPlan::LayerPlan(const Convolution& convolution, const Machine& machine, const Tiling& tiling,
                     const NumberFormat& format, const Images& images, const Computing& computing)
    : c_(convolution),
      m_(machine),
      t_(tiling),
      format_(format),
      images_(images),
      computing_(computing),
      grid_(tle_grid(tiling.partition, machine.tles)) {
  slice_rows_ = trips(c_.rows.out, grid_.rows);
  slice_units_ = trips(c_.units, grid_.filters);
  const int tlt_units = trips(slice_units_, m_.tlts);
  const std::int64_t channel_bytes = c_.weights_per_unit() * m_.element_bytes;
  resident_ = input_stationary() && tlt_units * channel_bytes * c_.channels <= m_.weight_bytes;
  chunk_ = c_.channels;
  if (weight_stationary() && channel_bytes > 0) {
    const auto most = static_cast<int>(std::min<std::int64_t>(c_.channels, m_.weight_bytes / channel_bytes));
    chunk_ = trips(c_.channels, trips(c_.channels, most));  // parts as equal as can be
  }
  parts_ = trips(c_.channels, chunk_);
  row_trips_ = trips(slice_rows_, t_.rows);
  column_trips_ = trips(c_.columns.out, t_.columns);
  unit_trips_ = trips(tlt_units, t_.units);
  filter_slices_ = trips(c_.units, slice_units_);
  row_slices_ = trips(c_.rows.out, slice_rows_);
  if (!m_.ring.on) return;
  if (!c_.depthwise) input_sharers_ = filter_slices_;
  if (c_.has_weights()) weights_sharers_ = row_slices_;
}

// TLEs lie row slice after row slice.
LayerPlan::Sharers LayerPlan::input_sharers(int tle) const {
  const int row = tle / grid_.filters;
  Sharers sharers{input_sharers_, 0, row * grid_.filters};
  if (row >= row_slices_ || tle % grid_.filters >= filter_slices_) return sharers;
  for (int i = 0; i < input_sharers_; ++i) sharers.tles |= std::uint32_t{1} << (sharers.first + i);
  return sharers;
}

LayerPlan::Sharers LayerPlan::weights_sharers(int tle) const {
  Sharers sharers{weights_sharers_, 0, tle % grid_.filters};
  if (tle / grid_.filters >= row_slices_ || sharers.first >= filter_slices_) return sharers;
  for (int i = 0; i < weights_sharers_; ++i) sharers.tles |= std::uint32_t{1} << (sharers.first + i * grid_.filters);
  return sharers;
}

// Filters that stay come with the first rows, which all with work have.
bool LayerPlan::rings_weights_without_rows() const {
  if (!rings_weights() || keeps_weights()) return false;
  return trips(c_.rows.out - (row_slices_ - 1) * slice_rows_, t_.rows) < row_trips_;
}

Range LayerPlan::rows_of(int tle) const {
  return piece_of({0, c_.rows.out}, slice_rows_, tle / grid_.filters);
}

Range LayerPlan::units_of(int tle, int tlt) const {
  const Range mine = piece_of({0, c_.units}, slice_units_, tle % grid_.filters);
  const int low = mine.size / m_.tlts, extra = mine.size % m_.tlts;
  return {mine.begin + tlt * low + std::min(tlt, extra), low + (tlt < extra ? 1 : 0)};
}

int LayerPlan::channel_trips(int part_index) const {
  return trips(part(part_index).size, t_.channels);
}

std::int64_t LayerPlan::output_stride() const {
  if (!input_stationary() || !sums_split()) return 0;
  return std::int64_t{t_.units} * c_.maps_per_unit * t_.rows * t_.columns * m_.partial_sum_bytes;
}

}  // namespace convscope::nmp
