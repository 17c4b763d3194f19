#include "core/nmp/cost/cost_model.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/integers.h"

namespace convscope::nmp {
namespace {

// Equation 7's rounding, over all tiles of the busiest TLT. In the innermost loop of every search.
[[gnu::always_inline]] inline std::int64_t mac_steps(const RowSums& rows, const ColumnSums& columns, const Tiling& t,
                                                     int taps, int macs) {
  const auto steps = [&](std::int64_t r, std::int64_t c) { return divide_up(r * c * taps, macs); };
  std::int64_t sum = rows.mac_tiles * columns.mac_tiles * steps(t.rows, t.columns);
  if (columns.mac_rest > 0) sum += rows.mac_tiles * steps(t.rows, columns.mac_rest);
  if (rows.mac_rest > 0) {
    sum += columns.mac_tiles * steps(rows.mac_rest, t.columns);
    if (columns.mac_rest > 0) sum += steps(rows.mac_rest, columns.mac_rest);
  }
  return sum;
}

}  // namespace

double hidden_by_doubled(const Totals& totals, const Machine& m, double mac, double dram_scale) {
  double doubled = 0, exposed = 0;
  const auto add = [&](const Traffic& t, int commands_of_a_step, const RingTraffic& ring) {
    if (t.commands == 0) return;
    const auto commands = static_cast<double>(t.commands);
    const double time =
        (static_cast<double>(t.bytes) / m.bandwidth + static_cast<double>(t.bursts) * m.cas_seconds) * dram_scale +
        commands * m.command_seconds + m.ring.seconds(ring.bytes, ring.hops, m.clock_hz);
    doubled += time;
    exposed += time * std::min(1.0, commands_of_a_step / commands);
  };
  if (m.doubled.input) add(totals.in, totals.loads_of_a_step, totals.ring_in);
  if (m.doubled.weights) add(totals.weights, totals.weights_of_a_step, totals.ring_weights);
  if (m.doubled.output)
    for (const Traffic* t : {&totals.out, &totals.partial_loads, &totals.partial_stores, &totals.residual})
      add(*t, totals.shares_of_a_step, {});
  return std::max(0.0, std::min(mac, doubled) - exposed);
}

bool CostModel::weights_resident(Partition partition) const {
  const auto& part = sums_.of(partition);
  return std::int64_t{part.tlt_units} * part.channels * unit_bytes_ <= m_.weight_bytes;
}

// Channels that TLEs share out are not split once more.
int CostModel::channel_limit(Partition partition, Schedule schedule) const {
  const bool chunked = schedule == Schedule::weight_stationary && partition != Partition::channels;
  return chunked ? sums_.chunk : sums_.of(partition).channels;
}

int CostModel::chunks(Partition partition, Schedule schedule) const {
  return schedule == Schedule::weight_stationary && partition != Partition::channels ? sums_.chunks : 1;
}

bool CostModel::in_range(const Tiling& t) const {
  const auto& part = sums_.of(t.partition);
  return t.rows >= 1 && t.rows <= part.slice_rows && t.columns >= 1 && t.columns <= c_.columns.out && t.channels >= 1 &&
         t.channels <= channel_limit(t.partition, t.schedule) && t.units >= 1 && t.units <= part.tile_units;
}

const ChannelSums& CostModel::channel_sums(const Tiling& t) const {
  const auto& table = t.partition == Partition::channels          ? sums_.split
                      : t.schedule == Schedule::weight_stationary ? sums_.chunked
                                                                  : sums_.channels;
  return table[static_cast<std::size_t>(t.channels)];
}

/// With which filters that stay are loaded: all that there are, or those of a chunk.
const ChannelSums& CostModel::kept_channels(const Tiling& t) const {
  return t.partition == Partition::channels ? sums_.split.back() : sums_.chunked[static_cast<std::size_t>(sums_.chunk)];
}

Occupancy CostModel::occupancy(const Tiling& t) const {
  const auto& part = sums_.of(t.partition);
  const std::int64_t in_pixels = std::int64_t{part.rows[static_cast<std::size_t>(t.rows)].tallest_in} *
                                 sums_.columns[static_cast<std::size_t>(t.columns)].widest_in;
  // Input stationary accumulates all filters of the TLT while it goes through the channels.
  const bool all_units = t.schedule == Schedule::input_stationary && t.channels < part.channels;
  const bool whole = t.schedule == Schedule::input_stationary && weights_resident(t.partition);
  const std::int64_t held_units = whole ? part.tlt_units : t.units;
  const std::int64_t held_channels = whole ? part.channels : held_of(t);
  // A TLE's partial sums beside those of another.
  const std::int64_t arriving = part.channel_slices > 1 ? t.units : 0;
  return {
      in_pixels * t.channels * (c_.depthwise ? t.units : 1) * m_.element_bytes,
      held_units * held_channels * unit_bytes_,
      ((all_units ? part.tlt_units : t.units) + arriving) * c_.maps_per_unit * t.rows * t.columns * output_bytes(t)};
}

/// Channels of a tile of weights that doesn't stay for the whole layer.
std::int64_t CostModel::held_of(const Tiling& t) const {
  return t.schedule == Schedule::weight_stationary ? channel_limit(t.partition, t.schedule) : t.channels;
}

// Outputs that are complete after one step are never kept as partial sums.
int CostModel::output_bytes(const Tiling& t) const {
  return t.channels < c_.channels ? m_.partial_sum_bytes : m_.element_bytes;
}

std::int64_t CostModel::filter_slices(Partition partition) const {
  const auto& part = sums_.of(partition);
  return m_.borders == Borders::exact ? part.filter_slices : part.grid.filters;
}

// TLEs of one row of the grid have the same rows, those of one column the same filters.
Sharing CostModel::ring_sharing(Partition partition) const {
  return {!c_.depthwise && filter_slices(partition) > 1, c_.has_weights() && sums_.of(partition).row_slices > 1};
}

Sharing CostModel::sharing(const Tiling& t) const {
  if (m_.ring.on) return ring_sharing(t.partition);
  if (m_.shared_bytes == 0) return {};
  const auto& part = sums_.of(t.partition);
  const bool whole = t.schedule == Schedule::input_stationary && weights_resident(t.partition);
  const std::int64_t held = whole ? part.channels : held_of(t);
  const std::int64_t weights = t.units * held * unit_bytes_;
  return {!c_.depthwise && part.grid.filters > 1 && occupancy(t).input <= m_.shared_bytes,
          part.grid.rows > 1 && weights <= m_.shared_bytes};
}

std::int64_t CostModel::input_fetches(const Tiling& t, const UnitSums& units, Sharing sharing) const {
  if (c_.depthwise) return 1;
  const bool stays = t.schedule == Schedule::input_stationary;
  if (sharing.input) return stays ? 1 : divide_up(sums_.of(t.partition).tlt_units, t.units);
  return stays ? units.slices : units.passes;
}

std::int64_t CostModel::weight_fetches(const Tiling& t, std::int64_t row_tiles, std::int64_t column_tiles,
                                       Sharing sharing) const {
  const auto& part = sums_.of(t.partition);
  const bool stay = t.schedule == Schedule::weight_stationary ||
                    (t.schedule == Schedule::input_stationary && weights_resident(t.partition));
  if (stay) return sharing.weights ? 1 : part.row_slices;
  return (sharing.weights ? divide_up(part.slice_rows, t.rows) : row_tiles) * column_tiles;
}

std::string CostModel::violation(const Tiling& t) const {
  const Occupancy o = occupancy(t);
  const auto over = [](const char* memory, const char* what, std::int64_t need, std::int64_t have) {
    return fmt::format("{} ({}) needs {} bytes and has {}: {} too many", memory, what, need, have, need - have);
  };
  if (o.weights > m_.weight_bytes) return over("MB1", "W", o.weights, m_.weight_bytes);
  if (m_.joint_memory)
    return o.fits(m_) ? std::string() : over("MB0 + MB2", "IN and OUT", o.input + o.output, m_.input_room());
  if (o.input > m_.input_bytes) return over("MB0", "IN", o.input, m_.input_bytes);
  if (o.output > m_.output_bytes) return over("MB2", "OUT", o.output, m_.output_bytes);
  return {};
}

// All input tiles once: rows of a tile are runs in DRAM that merge where it takes the full width, then full height.
Traffic CostModel::input_pass(const RowSums& rows, const ColumnSums& columns, const ChannelSums& channels,
                              const UnitSums& units) const {
  const std::int64_t maps = c_.depthwise ? units.units : channels.channels;
  const std::int64_t tiles = c_.depthwise ? units.tiles : channels.tiles;
  const std::int64_t whole = c_.depthwise ? units.in_whole_bursts : channels.in_whole_bursts;
  return {maps * rows.in * columns.in * m_.element_bytes,
          maps * (rows.in * columns.in_part_bursts + columns.in_full * rows.in_strip_bursts) +
              columns.in_full * rows.in_whole * whole,
          tiles * rows.tiles * columns.tiles};
}

void CostModel::count_commands_of_a_step(Partition partition, Sharing sharing, Totals& totals) const {
  const auto& part = sums_.of(partition);
  const auto slices = static_cast<int>(filter_slices(partition)), row_slices = static_cast<int>(part.row_slices);
  const int tles = row_slices * slices * part.channel_slices;
  totals.shares_of_a_step = tles * (m_.borders == Borders::exact ? part.active_tlts : m_.tlts);
  totals.loads_of_a_step = c_.depthwise ? totals.shares_of_a_step : tles;
  totals.weights_of_a_step = totals.shares_of_a_step;
  if (!m_.ring.on) return;
  if (sharing.input) totals.loads_of_a_step /= slices;
  if (sharing.weights) totals.weights_of_a_step /= row_slices;
}

// TLEs lie on the ring row of the grid after row: the next filters are a hop away, the next rows as many hops as there
// are slices of filters.
void CostModel::add_ring(Partition partition, Sharing sharing, Totals& totals) const {
  const auto& part = sums_.of(partition);
  if (sharing.input) totals.ring_in = {totals.in.bytes, totals.in.commands * (filter_slices(partition) - 1)};
  if (sharing.weights)
    totals.ring_weights = {totals.weights.bytes, totals.weights.commands * (part.row_slices - 1) * part.grid.filters};
}

Totals CostModel::combine(const Tiling& t, const RowSums& rows, const ColumnSums& columns, const ChannelSums& channels,
                          const UnitSums& units, Sharing sharing) const {
  const bool ws = t.schedule == Schedule::weight_stationary, is = t.schedule == Schedule::input_stationary;
  const bool resident = is && weights_resident(t.partition);
  Totals totals;

  totals.in = input_pass(rows, columns, channels, units).times(input_fetches(t, units, sharing) * c_.repeats);

  const std::int64_t filter = unit_bytes_;
  const ChannelSums& kept = ws || resident ? kept_channels(t) : channels;
  const Traffic weight_pass{units.units * kept.channels * filter,
                            kept.tiles == 1 ? units.weight_whole_bursts : units.units * kept.weight_bursts,
                            units.tiles * kept.tiles};
  if (c_.has_weights())
    totals.weights = weight_pass.times(weight_fetches(t, rows.tiles, columns.tiles, sharing) * c_.repeats);

  const std::int64_t maps = units.units * c_.maps_per_unit;
  totals.out = Traffic{maps * rows.out * columns.out * m_.element_bytes,
                       maps * (rows.out * columns.out_part_bursts + columns.out_full * rows.out_strip_bursts) +
                           columns.out_full * rows.out_whole * units.out_whole_bursts,
                       units.tiles * rows.tiles * columns.tiles}
                   .times(c_.repeats);
  // Each tile of outputs has one of the residual where it will be, of the same width.
  if (c_.residual) totals.residual = totals.out;
  // A chunk after another, or a TLE's sums after another's.
  const int more_sums = std::max(chunks(t.partition, t.schedule), sums_.of(t.partition).channel_slices) - 1;
  if (more_sums > 0) {
    totals.partial_stores =
        Traffic{maps * rows.out * columns.out * m_.partial_sum_bytes,
                maps * (rows.out * columns.partial_part_bursts + columns.out_full * rows.partial_strip_bursts) +
                    columns.out_full * rows.out_whole * units.partial_whole_bursts,
                units.tiles * rows.tiles * columns.tiles}
            .times(std::int64_t{c_.repeats} * more_sums);
    totals.partial_loads = totals.partial_stores;
  }
  if (m_.array.kind == ArrayKind::pooled) {
    const bool usual = c_.operation != Operator::fully_connected && t.partition != Partition::channels;
    totals.mac_cycles = units.mac_units * c_.maps_per_unit * c_.repeats *
                        (usual ? channels.channels * mac_steps(rows, columns, t, c_.taps(), m_.macs_per_cycle)
                               : unusual_steps(rows, columns, channels, t));
  }
  if (m_.ring.on) add_ring(t.partition, sharing, totals);
  if (m_.doubled.any()) count_commands_of_a_step(t.partition, sharing, totals);
  return totals;
}

// A `percept` takes T_M ceil(T_N / MACs): the MACs of one filter's inputs lie side by side. One TLE adds up the sums of
// all shares of the channels.
std::int64_t CostModel::unusual_steps(const RowSums& rows, const ColumnSums& columns, const ChannelSums& channels,
                                      const Tiling& t) const {
  const std::int64_t steps = c_.operation == Operator::fully_connected
                                 ? channels.dot_steps
                                 : channels.mac_channels * mac_steps(rows, columns, t, c_.taps(), m_.macs_per_cycle);
  return steps + (sums_.of(t.partition).channel_slices - 1) * mac_steps(rows, columns, t, 1, m_.macs_per_cycle);
}

TltWork CostModel::work_of(const Tiling& t) const {
  const auto& part = sums_.of(t.partition);
  return {part.slice_rows, part.tlt_units, channel_limit(t.partition, t.schedule), chunks(t.partition, t.schedule)};
}

Totals CostModel::evaluate(const Tiling& t) const {
  const auto& part = sums_.of(t.partition);
  Totals totals =
      combine(t, part.rows[static_cast<std::size_t>(t.rows)], sums_.columns[static_cast<std::size_t>(t.columns)],
              channel_sums(t), part.units[static_cast<std::size_t>(t.units)], sharing(t));
  if (m_.array.kind != ArrayKind::pooled) totals.mac_cycles = array_cycles(c_, m_, t, work_of(t));
  return totals;
}

// Trip counts fall with the tile size; bursts of a sum are at most the sum of bursts; no tile goes unused; whatever can
// be shared is, with a ring in any case.
Totals CostModel::lower_bound(const Tiling& t, bool units_known) const {
  const auto& part = sums_.of(t.partition);
  const Sharing sharing =
      m_.ring.on ? ring_sharing(t.partition)
                 : Sharing{m_.shared_bytes > 0 && part.grid.filters > 1, m_.shared_bytes > 0 && part.grid.rows > 1};
  ChannelSums channels = t.partition == Partition::channels ? sums_.least_split : sums_.least_channels;
  channels.tiles = channel_sums(t).tiles;
  const UnitSums& known = part.units[static_cast<std::size_t>(t.units)];
  UnitSums least;
  if (!units_known) {
    least = sums_.least_units;
    least.passes = known.passes;
    least.slices = known.slices;
    least.tiles = known.tiles;
    least.mac_units = part.tlt_units;
  }
  Totals totals =
      combine(t, part.rows[static_cast<std::size_t>(t.rows)], sums_.columns[static_cast<std::size_t>(t.columns)],
              channels, units_known ? known : least, sharing);
  if (m_.array.kind != ArrayKind::pooled) totals.mac_cycles = least_array_cycles(c_, m_, t, work_of(t));
  return totals;
}

}  // namespace convscope::nmp
