#pragma once
// A layer as the search sees it: sizes only, so that equal layers are solved once.

#include <cstdint>
#include <optional>
#include <string>

#include "core/network/network.h"

namespace convscope::nmp {

/// One dimension of the image: `out` positions from `in` ones.
struct Axis {
  int in = 0, out = 0;
  int kernel = 1, stride = 1, dilation = 1;
  int padding = 0;  ///< before the first position
  int repeat = 1;   ///< outputs that each input is for; kernel and stride are 1 then, the padding 0
  /// The first input that an output sees, or would see but for padding.
  int first_input(int output) const { return repeat > 1 ? output / repeat : output * stride - padding; }
  /// What stands before an output in its tile: zeros, or outputs of the same input.
  int before(int output) const;
  /// Input positions that outputs [first, first + count) need, padding left out.
  int needs(int first, int count) const;
  /// Equation 1, limited to what there is: input positions of a tile somewhere in the middle.
  int full_tile(int count) const;
  bool operator==(const Axis&) const = default;
};

/// What a TLT does with its tiles.
enum class Operator {
  convolution,
  fully_connected,  ///< to one pixel, by `percept`: MACs lie along the inputs of a filter, not along its outputs
  pool,             ///< depthwise and without weights: the greatest or the sum of the taps
  pairs,            ///< depthwise: each output of an element of IN and the one of W at the same place
  spread            ///< depthwise: each output of an element of IN and the one of W for its map
};

/// A convolution, dense or one of equal groups run one after the other; or, if `depthwise`, one whose groups have one
/// input map each: then groups are spread over the TLTs as filters are, and `channels` is 1. A table of connections is
/// dense here, with weights of zero where it has none: all filters of a TLE get the same input tile.
struct Convolution {
  Axis rows, columns;
  int channels = 0;       ///< N: input maps of one filter
  int units = 0;          ///< what is spread over TLEs and TLTs: filters (M), or groups if depthwise
  int maps_per_unit = 1;  ///< output maps of a unit
  int repeats = 1;        ///< groups run one after the other
  bool depthwise = false;
  std::int64_t zero_macs = 0;  ///< of macs(), those by weights that the table of connections doesn't have
  Operator operation = Operator::convolution;
  bool residual = false;   ///< sums begin from as many elements as there are outputs, which are loaded like these
  bool scattered = false;  ///< units lie apart in DRAM: each is a tile of its own

  int taps() const { return rows.kernel * columns.kernel; }
  bool multiplies() const { return operation == Operator::convolution || operation == Operator::fully_connected; }
  /// Of two operands, element by element.
  bool combines() const { return operation == Operator::pairs || operation == Operator::spread; }
  /// Whether tiles of W are loaded: weights, or the second operand.
  bool has_weights() const { return operation != Operator::pool; }
  /// Elements of W for one output map and one input map of it.
  int weights_per_map() const {
    if (operation == Operator::spread) return 1;
    return operation == Operator::pairs ? rows.out * columns.out : multiplies() ? taps() : 0;
  }
  std::int64_t weights_per_unit() const { return std::int64_t{weights_per_map()} * maps_per_unit; }
  /// That are computed and paid for; steps of MACs that add or compare count as such.
  std::int64_t macs() const;
  std::int64_t useful_macs() const { return multiplies() ? macs() - zero_macs : 0; }
  std::string key() const;
  bool operator==(const Convolution&) const = default;
};

/// Whether it is dense, to one pixel, and reads every input once; however it is computed.
bool is_fully_connected(const Convolution& convolution);

/// The convolution of a layer; nothing, with the reason, if it is none that can be sliced.
std::optional<Convolution> convolution_of(const network::Layer& layer, std::string& reason);

}  // namespace convscope::nmp
