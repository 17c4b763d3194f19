#pragma once
// The time of a tiling (equations 1 to 9), as products of sums: exact for its border model, O(1) for each tiling.

#include <cstdint>
#include <string>

#include "core/dram/parameters/address.h"
#include "core/nmp/cost/array_fit.h"
#include "core/nmp/cost/sums.h"

namespace convscope::nmp {

/// What one kind of data moves.
struct Traffic {
  std::int64_t bytes = 0, bursts = 0, commands = 0;
  Traffic& operator+=(const Traffic& other) {
    bytes += other.bytes;
    bursts += other.bursts;
    commands += other.commands;
    return *this;
  }
  Traffic times(std::int64_t n) const { return {bytes * n, bursts * n, commands * n}; }
  bool operator==(const Traffic&) const = default;
};

/// What one kind of data moves around the ring, after it has come from DRAM.
struct RingTraffic {
  std::int64_t bytes = 0, hops = 0;  ///< hops: of each tile from the TLE that loads it to the last one that needs it
  bool operator==(const RingTraffic&) const = default;
};

/// Everything that equation 6 adds up, counted: whole layer, all TLEs.
struct Totals {
  Traffic in, weights, out;
  Traffic partial_loads, partial_stores;  ///< of weight-stationary tilings whose filters are split by channels
  Traffic residual;                       ///< what sums begin from
  RingTraffic ring_in, ring_weights;      ///< of `in` and `weights`
  std::int64_t mac_cycles = 0;            ///< of the busiest TLT, at full efficiency
  /// Commands for IN, for W and for OUT, if all that can take part; 0 without doubled memories.
  int loads_of_a_step = 0, weights_of_a_step = 0, shares_of_a_step = 0;
  bool operator==(const Totals&) const = default;
  Traffic all() const {
    return {in.bytes + weights.bytes + out.bytes + partial_loads.bytes + partial_stores.bytes + residual.bytes,
            in.bursts + weights.bursts + out.bursts + partial_loads.bursts + partial_stores.bursts + residual.bursts,
            in.commands + weights.commands + out.commands + partial_loads.commands + partial_stores.commands +
                residual.commands};
  }
  RingTraffic ring() const { return {ring_in.bytes + ring_weights.bytes, ring_in.hops + ring_weights.hops}; }
};

/// Seconds by term: T_MAC, T_DRAM with its CAS latencies, the commands, and what travels around the ring.
struct Seconds {
  double mac = 0, transfer = 0, latency = 0, commands = 0;
  double hidden = 0;  ///< of MACs or transfers behind the other, with double buffering
  double ring = 0;
  double dram() const { return transfer + latency; }
  /// All that brings data, with the DRAM's time as some other level has it.
  double moves(double dram_seconds) const { return dram_seconds + commands + ring; }
  double moves() const { return moves(dram()); }
  double total() const { return mac + transfer + latency + commands + ring - hidden; }
};

/// What double buffering hides: the lesser of MACs and everything else.
inline double hidden_seconds(const Machine& machine, double mac, double rest) {
  return machine.double_buffering ? (mac < rest ? mac : rest) : 0;
}

/// What memories that hold two tiles hide: MACs or their transfers, commands included, whichever take less time, but
/// for the first loads and the last stores. Nothing if that is more.
/// `dram_scale`: of DRAM time to that by bursts.
double hidden_by_doubled(const Totals& totals, const Machine& machine, double mac, double dram_scale = 1);

inline Seconds seconds_of(const Totals& totals, const Machine& machine) {
  const Traffic all = totals.all();
  Seconds s{static_cast<double>(totals.mac_cycles) / (machine.clock_hz * machine.mac_efficiency),
            static_cast<double>(all.bytes) / machine.bandwidth, static_cast<double>(all.bursts) * machine.cas_seconds,
            static_cast<double>(all.commands) * machine.command_seconds};
  const RingTraffic ring = totals.ring();
  s.ring = machine.ring.seconds(ring.bytes, ring.hops, machine.clock_hz);
  s.hidden =
      machine.doubled.any() ? hidden_by_doubled(totals, machine, s.mac) : hidden_seconds(machine, s.mac, s.moves());
  return s;
}

/// What TSO-noburst minimizes: MACs and bytes alone.
inline double volume_seconds(const Totals& totals, const Machine& machine) {
  const Seconds s = seconds_of(totals, machine);
  return s.mac + s.transfer - hidden_seconds(machine, s.mac, s.transfer);
}

/// Bytes that a tiling holds in MB0, MB1 and MB2 of a TLT (equation 2; outputs at the width of partial sums where
/// channels are split, else at their own).
struct Occupancy {
  std::int64_t input = 0, weights = 0, output = 0;
  bool fits(const TilingMachine& m) const {
    return input <= m.input_room() && weights <= m.weight_bytes && output <= m.output_room() &&
           (!m.joint_memory || input + output <= m.input_room());
  }
};

/// Which tiles of a step are fetched once for all TLEs that need them, and reach these through the shared buffer or
/// around the ring.
struct Sharing {
  bool input = false, weights = false;
};

class CostModel {
 public:
  /// Builds tables; throws Cancelled if stopped meanwhile.
  CostModel(const Convolution& convolution, const Machine& machine, const std::stop_token& stop = {})
      : c_(convolution),
        m_(machine),
        sums_(c_, m_, stop),
        dram_(dram_of(machine.dram)),
        addresses_(dram_.organization),
        unit_bytes_(c_.weights_per_unit() * m_.element_bytes) {}

  const Convolution& convolution() const { return c_; }
  const Machine& machine() const { return m_; }
  const Sums& sums() const { return sums_; }
  /// Of levels banked and walk.
  const dram::Parameters& dram() const { return dram_; }
  const dram::AddressMap& addresses() const { return addresses_; }

  /// Whether input stationary keeps all filters of a TLT in MB1, so that they are loaded once.
  bool weights_resident(Partition partition) const;
  std::span<const Partition> partitions() const { return partitions_of(c_, m_); }
  /// Channels over which T_N runs: fewer where a stationary filter is split, and where TLEs share them out.
  int channel_limit(Partition partition, Schedule schedule) const;
  /// Pieces into which weight stationary divides the channels of a TLE; else 1.
  int chunks(Partition partition, Schedule schedule) const;
  /// Whether the tile sizes lie inside the slice; others have no meaning.
  bool in_range(const Tiling& tiling) const;
  Occupancy occupancy(const Tiling& tiling) const;
  /// In lockstep, TLEs with the same rows ask for the same IN tile at the same time, TLEs with the same filters for the
  /// same W tiles. Such a tile is fetched once, by one command, if it fits the shared buffer; a larger one, and with
  /// depthwise convolutions IN, is fetched for each TLE.
  Sharing sharing(const Tiling& tiling) const;
  /// How often the input of all row slices is fetched; `units` of this tiling.
  std::int64_t input_fetches(const Tiling& tiling, const UnitSums& units, Sharing sharing) const;
  /// How often all filters are fetched; `tiles`: of the image, in all row slices.
  std::int64_t weight_fetches(const Tiling& tiling, std::int64_t row_tiles, std::int64_t column_tiles,
                              Sharing sharing) const;
  /// Empty if the tiling fits; else the memory that it overruns, and by how much.
  std::string violation(const Tiling& tiling) const;
  /// Totals of a tiling in range; `violation` may hold.
  Totals evaluate(const Tiling& tiling) const;

  /// At most the totals of every tiling with these rows and columns, at most `units` and `channels`: for pruning.
  Totals lower_bound(const Tiling& largest, bool units_known) const;

 private:
  int output_bytes(const Tiling& tiling) const;
  Sharing ring_sharing(Partition partition) const;
  std::int64_t filter_slices(Partition partition) const;
  void add_ring(Partition partition, Sharing sharing, Totals& totals) const;
  std::int64_t held_of(const Tiling& tiling) const;
  TltWork work_of(const Tiling& tiling) const;
  /// Only memories that hold two tiles ask for them.
  void count_commands_of_a_step(Partition partition, Sharing sharing, Totals& totals) const;
  Totals combine(const Tiling& tiling, const RowSums& rows, const ColumnSums& columns, const ChannelSums& channels,
                 const UnitSums& units, Sharing sharing) const;
  /// Of the busiest TLT, over all tiles, for one filter of a fully connected layer or with shares of the channels.
  std::int64_t unusual_steps(const RowSums& rows, const ColumnSums& columns, const ChannelSums& channels,
                             const Tiling& tiling) const;
  const ChannelSums& kept_channels(const Tiling& tiling) const;
  Traffic input_pass(const RowSums& rows, const ColumnSums& columns, const ChannelSums& channels,
                     const UnitSums& units) const;
  const ChannelSums& channel_sums(const Tiling& tiling) const;

  Convolution c_;
  Machine m_;
  Sums sums_;
  dram::Parameters dram_;
  dram::AddressMap addresses_;
  std::int64_t unit_bytes_ = 0;  ///< of W for one channel of a unit
};

}  // namespace convscope::nmp
