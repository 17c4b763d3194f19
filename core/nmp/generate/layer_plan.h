#pragma once
// What a tiling says of one layer, as its program needs it: loop trips, and which part of which axis a TLE or a TLT has
// (Algorithms 1 to 3, with the true sizes of border tiles).

#include <cstdint>

#include "core/nmp/architecture/machine.h"
#include "core/nmp/cost/convolution.h"
#include "core/nmp/cost/tiling.h"
#include "core/nmp/generate/computing.h"
#include "core/nmp/generate/number_format.h"

namespace convscope::nmp {

/// Consecutive positions along an axis.
struct Range {
  int begin = 0, size = 0;
  int end() const { return begin + size; }
};

/// Piece `index` of a range cut into pieces of `size`; empty beyond its end.
Range piece_of(Range whole, int size, std::int64_t index);

/// The input positions that outputs need, padding left out, and how many zeros stand before them.
struct InputRange {
  Range range;
  int zeros = 0;
};
InputRange input_of(const Axis& axis, Range outputs);

/// Images that a layer computes together: its rows are those of the first, then those of the next, so that weights that
/// stay do so for all.
struct Images {
  int first = 0, count = 1;  ///< of the batch
  std::int64_t input_pitch = 0,
               output_pitch = 0;  ///< elements from one to the next; of sums and residual as of outputs
};

class LayerPlan {
 public:
  /// `tiling` must be in range and fit the machine's memories.
  LayerPlan(const Convolution& convolution, const Machine& machine, const Tiling& tiling, const NumberFormat& format,
            const Images& images = {}, const Computing& computing = {});

  const Convolution& convolution() const { return c_; }
  const Machine& machine() const { return m_; }
  const Tiling& tiling() const { return t_; }
  const NumberFormat& format() const { return format_; }
  const Images& images() const { return images_; }
  const Computing& computing() const { return computing_; }
  /// How often the layer goes over its tiles: once for each group, or for each operand behind the first.
  int passes() const { return c_.repeats; }
  /// Groups of maps that lie one after the other.
  int groups() const { return c_.combines() ? 1 : c_.repeats; }

  bool input_stationary() const { return t_.schedule == Schedule::input_stationary; }
  bool weight_stationary() const { return t_.schedule == Schedule::weight_stationary; }
  bool resident() const { return resident_; }  ///< input stationary keeps all filters of a TLT
  bool keeps_weights() const { return resident_ || weight_stationary(); }  ///< for all rows and columns
  bool sums_split() const { return t_.channels < c_.channels; }            ///< OUT holds partial sums between steps
  int chunk() const { return chunk_; }  ///< channels of a part of a stationary filter
  int parts() const { return parts_; }
  int row_trips() const { return row_trips_ * images_.count; }  ///< of all images
  int image_row_trips() const { return row_trips_; }
  int column_trips() const { return column_trips_; }
  int unit_trips() const { return unit_trips_; }
  int tles() const { return grid_.filters * grid_.rows; }

  /// TLEs that get a tile around the ring: those with the same rows IN, those with the same filters W. The first of
  /// them, which has the most tiles, loads it; all take part in each, whether they need it in that step or not.
  struct Sharers {
    int count = 1;           ///< the same for all TLEs with work; 1: the ring isn't used
    std::uint32_t tles = 0;  ///< by bit, with the one asked about; none if that one has no work
    int first = 0;
    bool operator==(const Sharers&) const = default;
  };
  Sharers input_sharers(int tle) const;
  Sharers weights_sharers(int tle) const;
  bool rings_input() const { return input_sharers_ > 1; }
  bool rings_weights() const { return weights_sharers_ > 1; }
  /// Some TLE gets filters in steps in which it has no rows, as others of its sharers have some.
  bool rings_weights_without_rows() const;

  /// Output rows of a TLE, which TLEs share out filters first.
  Range rows_of(int tle) const;
  /// Filters (groups, if depthwise) of a TLT; "the remaining filters are spread among the TLTs which have the lowest
  /// IDs" (section IV-C).
  Range units_of(int tle, int tlt) const;
  Range part(int index) const { return piece_of({0, c_.channels}, chunk_, index); }
  int channel_trips(int part_index) const;

  /// Bytes of the tile of all filters of a TLT that a step's OUT starts after, if input stationary adds up channels.
  std::int64_t output_stride() const;

 private:
  Convolution c_;
  Machine m_;
  Tiling t_;
  NumberFormat format_;
  Images images_;
  Computing computing_;
  TleGrid grid_;
  bool resident_ = false;
  int slice_rows_ = 0, slice_units_ = 0, chunk_ = 0, parts_ = 1;
  int row_trips_ = 1, column_trips_ = 1, unit_trips_ = 1;
  int filter_slices_ = 1, row_slices_ = 1;  // with work
  int input_sharers_ = 1, weights_sharers_ = 1;
};

}  // namespace convscope::nmp
