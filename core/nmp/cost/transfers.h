#pragma once
// The transfers of a tiling one by one, in the order in which they are given, with their addresses: what the tile plan
// draws, as a DRAM sees it. TLEs in lockstep; border tiles with their true boxes.

#include <cstdint>
#include <vector>

#include "core/dram/pattern/pattern.h"
#include "core/nmp/cost/cost_model.h"

namespace convscope::nmp {

enum class Moved { input, weights, output, partial_load, partial_store, residual };
inline constexpr int moved_kinds = 6;

struct Transfer {
  Moved moved = Moved::input;
  dram::Pattern pattern;
};

/// Of a kind, the traffic that the cost model counts.
const Traffic& traffic_of(const Totals& totals, Moved moved);

/// Tensors lie one after the other: inputs, weights, outputs, a residual, maps of rows of elements, each from a
/// multiple of 8 KiB on.
class TransferList {
 public:
  TransferList(const CostModel& model, const Tiling& tiling);
  std::int64_t steps() const { return steps_; }
  /// Appends the transfers of a step, loads first; 0 <= step < steps().
  void add(std::int64_t step, std::vector<Transfer>& transfers) const;

 private:
  struct Range {
    int begin = 0, size = 0;
  };
  struct Position {
    std::int64_t group = 0, units = 0, chunk = 0, rows = 0, columns = 0, channels = 0;
  };
  struct Box {
    std::int64_t begin[3], size[3];
  };

  static Range part(Range whole, int size, std::int64_t i);
  Position position(std::int64_t step) const;
  /// Of a TLE: all, or its share.
  Range channels_of(int share) const;
  Range channels_at(const Position& p, int share) const;
  Range held_channels(const Position& p, int share) const;
  Range tlt_units(int filter_slice, int tlt) const;
  bool last_channels(const Position& p, int share, Range channels) const;
  struct Share {
    int rows = 0, filters = 0, channels = 0;  ///< which one of a TLE
  };
  void add_tle(const Position& p, Share of, std::vector<Transfer>& loads, std::vector<Transfer>& stores) const;
  void add_sums(const Box& out, int share, std::vector<Transfer>& transfers) const;
  /// `set`: of partial sums, whose.
  void move(std::vector<Transfer>& transfers, Moved moved, const Box& box, int set = 0) const;

  const CostModel& model_;
  const Convolution& c_;
  const Machine& m_;
  Tiling t_;
  bool ws_ = false, is_ = false, resident_ = false;
  Sharing sharing_;
  int chunk_ = 0, shares_ = 1;
  std::int64_t row_trips_ = 1, column_trips_ = 1, unit_trips_ = 1, channel_trips_ = 1, chunks_ = 1, steps_ = 1;
  std::uint64_t weights_at_ = 0, outputs_at_ = 0, sums_bytes_ = 0, residual_at_ = 0;
};

}  // namespace convscope::nmp
