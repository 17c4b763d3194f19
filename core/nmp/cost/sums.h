#pragma once
// Sums over all tiles of one dimension, for each tile size. A tiling's totals are products of them, so that no
// evaluation ever walks over tiles. `bursts` sums count per row of a map unless a name says otherwise: "part" rows
// that do not take the full width, "strip" rows of full width that merge, "whole" maps that merge too.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/nmp/architecture/machine.h"
#include "core/nmp/cost/convolution.h"
#include "core/nmp/cost/tiling.h"

namespace convscope::nmp {

struct ColumnSums {
  std::int64_t tiles = 0, in = 0, out = 0;
  std::int64_t in_full = 0, out_full = 0;  ///< tiles of full width
  std::int64_t in_part_bursts = 0, out_part_bursts = 0, partial_part_bursts = 0;
  int widest_in = 0;
  std::int64_t mac_tiles = 0, mac_rest = 0;  ///< full tiles of the busiest TLT, and outputs of the one after them
};

/// Over all row slices of a partition.
struct RowSums {
  std::int64_t tiles = 0, in = 0, out = 0;
  std::int64_t in_whole = 0, out_whole = 0;  ///< tiles of full height
  std::int64_t in_strip_bursts = 0, out_strip_bursts = 0, partial_strip_bursts = 0;
  int tallest_in = 0;
  std::int64_t mac_tiles = 0, mac_rest = 0;  ///< of the busiest slice
};

struct ChannelSums {
  std::int64_t tiles = 0, channels = 0;
  std::int64_t in_whole_bursts = 0;  ///< sum of ceil(tile channels x whole map / burst)
  std::int64_t weight_bursts = 0;    ///< sum of ceil(tile channels of one unit / burst)
  std::int64_t dot_steps = 0;     ///< of the busiest TLE, fully connected: sum of ceil(tile channels with taps / MACs)
  std::int64_t mac_channels = 0;  ///< of the busiest TLE
};

/// Over all filter slices of a partition and all their TLTs.
struct UnitSums {
  std::int64_t passes = 0;  ///< steps of a TLE, summed over filter slices
  std::int64_t slices = 0;  ///< filter slices with work
  std::int64_t tiles = 0, units = 0;
  std::int64_t in_whole_bursts = 0;  ///< depthwise: sum of ceil(tile units x whole map / burst)
  std::int64_t out_whole_bursts = 0, partial_whole_bursts = 0;
  std::int64_t weight_whole_bursts = 0;  ///< sum of ceil(tile units with all channels / burst)
  std::int64_t mac_units = 0;            ///< of the busiest TLT
};

/// How TLEs may share out a convolution: the paper's partitions; and its channels, where the machine allows it and each
/// TLE gets one.
std::span<const Partition> partitions_of(const Convolution& convolution, const TilingMachine& machine);

/// All tables of one convolution on one machine; index: tile size (0 unused).
struct Sums {
  struct OfPartition {
    TleGrid grid;
    int slice_rows = 0;              ///< TLE_R
    int tlt_units = 0;               ///< filters of the busiest TLT
    int tile_units = 0;              ///< most that a tile may have
    std::int64_t row_slices = 0;     ///< with work
    std::int64_t filter_slices = 0;  ///< with work
    int active_tlts = 0;             ///< of a TLE
    int channels = 0;                ///< of a TLE: all, or its share
    int channel_slices = 1;          ///< whose partial sums make an output
    std::vector<RowSums> rows;
    std::vector<UnitSums> units;
  };
  std::vector<ColumnSums> columns;
  std::vector<ChannelSums> channels;
  int chunk = 0;   ///< channels of a stationary filter that fit MB1 together; all of them if possible, 0 if not one
  int chunks = 1;  ///< pieces into which weight stationary then divides the channels
  std::vector<ChannelSums> chunked;  ///< channels, divided so; the same table if chunks is 1
  std::vector<ChannelSums> split;    ///< channels shared out among TLEs, over all shares; empty if no partition does so
  OfPartition partition[4];
  ChannelSums least_channels;  ///< as if all channels were one tile; trip counts are not filled in
  ChannelSums least_split;     ///< the same where TLEs share them out
  UnitSums least_units;        ///< as if all units were one tile; nor here

  /// Throws Cancelled.
  Sums(const Convolution& convolution, const Machine& machine, const std::stop_token& stop);
  const OfPartition& of(Partition p) const { return partition[static_cast<int>(p)]; }
};

}  // namespace convscope::nmp
