#include "core/nmp/cost/transfers.h"

#include <algorithm>
#include <cassert>

#include "core/base/integers.h"

namespace convscope::nmp {
namespace {

std::uint64_t aligned(std::int64_t bytes) {
  return static_cast<std::uint64_t>(divide_up(bytes, 8192)) * 8192;
}

}  // namespace

const Traffic& traffic_of(const Totals& totals, Moved moved) {
  switch (moved) {
    case Moved::input:
      return totals.in;
    case Moved::weights:
      return totals.weights;
    case Moved::output:
      return totals.out;
    case Moved::partial_load:
      return totals.partial_loads;
    case Moved::residual:
      return totals.residual;
    case Moved::partial_store:
      break;
  }
  return totals.partial_stores;
}

TransferList::TransferList(const CostModel& model, const Tiling& tiling)
    : model_(model), c_(model.convolution()), m_(model.machine()), t_(tiling), sharing_(model.sharing(tiling)) {
  ws_ = t_.schedule == Schedule::weight_stationary;
  is_ = t_.schedule == Schedule::input_stationary;
  resident_ = is_ && model_.weights_resident(t_.partition);
  const auto& share = model_.sums().of(t_.partition);
  chunk_ = model_.channel_limit(t_.partition, t_.schedule);
  chunks_ = model_.chunks(t_.partition, t_.schedule);
  shares_ = static_cast<int>(divide_up(c_.channels, share.channels));
  row_trips_ = divide_up(share.slice_rows, t_.rows);
  column_trips_ = divide_up(c_.columns.out, t_.columns);
  unit_trips_ = divide_up(share.tlt_units, t_.units);
  channel_trips_ = divide_up(chunk_, t_.channels);
  steps_ = c_.repeats * row_trips_ * column_trips_ * unit_trips_ * channel_trips_ * chunks_;
  const std::int64_t in_maps = std::int64_t{c_.depthwise ? c_.units : c_.channels} * c_.repeats;
  const std::int64_t maps = std::int64_t{c_.units} * c_.maps_per_unit * c_.repeats;
  weights_at_ = aligned(in_maps * c_.rows.in * c_.columns.in * m_.element_bytes);
  sums_bytes_ = aligned(maps * c_.rows.out * c_.columns.out * m_.partial_sum_bytes);
  outputs_at_ = weights_at_ + aligned(maps * c_.channels * c_.weights_per_map() * m_.element_bytes);
  residual_at_ = outputs_at_ + static_cast<std::uint64_t>(shares_) * sums_bytes_;
}

TransferList::Range TransferList::part(Range whole, int size, std::int64_t i) {
  const auto begin = static_cast<int>(std::min<std::int64_t>(whole.size, i * size));
  return {whole.begin + begin, std::min(size, whole.size - begin)};
}

// The tile plan's loops: what changes last stays longest.
TransferList::Position TransferList::position(std::int64_t step) const {
  Position p;
  const auto take = [&](std::int64_t trips) {
    const std::int64_t index = step % trips;
    step /= trips;
    return index;
  };
  if (is_) p.units = take(unit_trips_);
  p.channels = take(channel_trips_);
  if (t_.schedule == Schedule::output_stationary) p.units = take(unit_trips_);
  p.columns = take(column_trips_);
  p.rows = take(row_trips_);
  if (ws_) {
    p.chunk = take(chunks_);
    p.units = take(unit_trips_);
  }
  p.group = step;
  return p;
}

TransferList::Range TransferList::channels_of(int share) const {
  return part({0, c_.channels}, model_.sums().of(t_.partition).channels, share);
}

TransferList::Range TransferList::channels_at(const Position& p, int share) const {
  return part(part(channels_of(share), chunk_, p.chunk), t_.channels, p.channels);
}

TransferList::Range TransferList::held_channels(const Position& p, int share) const {
  if (resident_) return channels_of(share);
  return ws_ ? part(channels_of(share), chunk_, p.chunk) : channels_at(p, share);
}

TransferList::Range TransferList::tlt_units(int filter_slice, int tlt) const {
  const int filters = model_.sums().of(t_.partition).grid.filters;
  const Range mine = part({0, c_.units}, static_cast<int>(divide_up(c_.units, filters)), filter_slice);
  const int low = mine.size / m_.tlts, extra = mine.size % m_.tlts;
  return {mine.begin + tlt * low + std::min(tlt, extra), low + (tlt < extra ? 1 : 0)};
}

bool TransferList::last_channels(const Position& p, int share, Range channels) const {
  const Range chunk = part(channels_of(share), chunk_, p.chunk);
  return channels.begin + channels.size == chunk.begin + chunk.size;
}

void TransferList::add(std::int64_t step, std::vector<Transfer>& transfers) const {
  assert(step >= 0 && step < steps_);
  const Position p = position(step);
  const TleGrid grid = model_.sums().of(t_.partition).grid;
  std::vector<Transfer> stores;
  for (int row = 0; row < grid.rows; ++row)
    for (int filter = 0; filter < grid.filters; ++filter)
      for (int share = shares_ - 1; share >= 0; --share) add_tle(p, {row, filter, share}, transfers, stores);
  transfers.insert(transfers.end(), stores.begin(), stores.end());
}

// Sums of all shares but the first are stored; the first one's TLE, which comes last, loads them and stores the
// outputs.
void TransferList::add_sums(const Box& out, int share, std::vector<Transfer>& transfers) const {
  if (share > 0) return move(transfers, Moved::partial_store, out, share);
  for (int other = 1; other < shares_; ++other) move(transfers, Moved::partial_load, out, other);
  move(transfers, Moved::output, out);
}

void TransferList::add_tle(const Position& p, Share of, std::vector<Transfer>& loads,
                           std::vector<Transfer>& stores) const {
  const int slice_rows = model_.sums().of(t_.partition).slice_rows;
  const Range rows = part(part({0, c_.rows.out}, slice_rows, of.rows), t_.rows, p.rows);
  const Range columns = part({0, c_.columns.out}, t_.columns, p.columns);
  const Range channels = channels_at(p, of.channels), held = held_channels(p, of.channels);
  if (rows.size == 0) return;
  if (channels.size == 0) return;  // of the last share, which may have fewer tiles
  const auto group = static_cast<int>(p.group);
  const auto first = [](const Axis& axis, int out) { return std::max(0, axis.first_input(out)); };
  const bool first_visit = p.rows == 0 && p.columns == 0 && p.channels == 0;
  const bool loads_weights = (!ws_ && !resident_) || first_visit;
  bool loads_input = (!is_ || p.units == 0) && !(sharing_.input && of.filters > 0);
  for (int tlt = 0; tlt < m_.tlts; ++tlt) {
    const Range units = part(tlt_units(of.filters, tlt), t_.units, p.units);
    if (units.size == 0) continue;
    const Range in_maps = c_.depthwise ? units : Range{group * c_.channels + channels.begin, channels.size};
    if (c_.depthwise || loads_input)
      move(loads, Moved::input,
           {{in_maps.begin, first(c_.rows, rows.begin), first(c_.columns, columns.begin)},
            {in_maps.size, c_.rows.needs(rows.begin, rows.size), c_.columns.needs(columns.begin, columns.size)}});
    loads_input = false;
    const std::int64_t map = (std::int64_t{group} * c_.units + units.begin) * c_.maps_per_unit;
    const std::int64_t maps = std::int64_t{units.size} * c_.maps_per_unit;
    if (loads_weights && !(sharing_.weights && of.rows > 0))
      move(loads, Moved::weights, {{map, held.begin, 0}, {maps, held.size, c_.weights_per_map()}});
    const Box out{{map, rows.begin, columns.begin}, {maps, rows.size, columns.size}};
    if (p.channels == 0 && p.chunk > 0) move(loads, Moved::partial_load, out);
    if (c_.residual && p.channels == 0 && p.chunk == 0 && of.channels == 0) move(loads, Moved::residual, out);
    if (!last_channels(p, of.channels, channels)) continue;
    if (shares_ > 1)
      add_sums(out, of.channels, stores);
    else
      move(stores, !ws_ || p.chunk + 1 == chunks_ ? Moved::output : Moved::partial_store, out);
  }
}

// Rows that lie end to end are one run, and so are maps.
void TransferList::move(std::vector<Transfer>& transfers, Moved moved, const Box& box, int set) const {
  const bool weights = moved == Moved::weights, input = moved == Moved::input;
  const bool partial = moved == Moved::partial_load || moved == Moved::partial_store;
  const std::int64_t bytes = partial ? m_.partial_sum_bytes : m_.element_bytes;
  const std::int64_t height = weights ? c_.channels : input ? c_.rows.in : c_.rows.out;
  const std::int64_t width = weights ? c_.weights_per_map() : input ? c_.columns.in : c_.columns.out;
  const std::int64_t first = ((box.begin[0] * height + box.begin[1]) * width + box.begin[2]) * bytes;
  dram::Pattern pattern;
  const std::uint64_t tensor = input                      ? 0
                               : weights                  ? weights_at_
                               : moved == Moved::residual ? residual_at_
                                                          : outputs_at_;
  pattern.start = tensor + static_cast<std::uint64_t>(first);
  if (set > 0) pattern.start += static_cast<std::uint64_t>(set) * sums_bytes_;
  pattern.maps = box.size[0];
  pattern.runs = box.size[1];
  pattern.bytes = box.size[2] * bytes;
  pattern.pitch = width * bytes;
  pattern.map_pitch = height * width * bytes;
  if (box.size[2] == width) {
    pattern.bytes *= pattern.runs;
    pattern.runs = 1;
    if (box.size[1] == height) {
      pattern.bytes *= pattern.maps;
      pattern.maps = 1;
    }
  }
  pattern.write = moved == Moved::output || moved == Moved::partial_store;
  if (!pattern.empty()) transfers.push_back({moved, pattern});
}

}  // namespace convscope::nmp
