#pragma once
// The data RAM of each TLT: tables of what its loops run over, everything multiplied out, so that one code without
// multiplications serves all TLTs; biases behind them.

#include <cstdint>
#include <vector>

#include "core/nmp/generate/layer_plan.h"

namespace convscope::nmp {

/// Where a layer lies in DRAM: first bytes of its regions. Partial sums have one only if weight stationary splits
/// filters, a residual only if there is one.
struct LayerLayout {
  std::uint32_t input = 0, weights = 0, output = 0, partial_sums = 0, residual = 0;
  /// Of operands that are neither the input nor W: those behind the second of a sum, those behind the first of copies.
  std::vector<std::uint32_t> others = {};
  std::int64_t input_bytes = 0, weight_bytes = 0, output_bytes = 0, partial_sum_bytes = 0, residual_bytes = 0;
  std::int64_t end = 0;  ///< of the DRAM that is used
};
/// Inputs, weights, outputs, partial sums, residual one after the other, each from a multiple of 8 KiB on; several
/// inputs, or several second operands, side by side.
LayerLayout layout_of(const LayerPlan& plan);

/// Words of an entry by their place in it. Offsets are in bytes; `shifted` values stand in a word's upper half.
namespace group_entry {
enum : int { input, weights, output, bias, words };  // input and weights with the start of their region
}
namespace row_entry {
enum : int { input, output, input_rows, output_rows, zeros_shifted, later, words };
}
namespace column_entry {
enum : int {
  input,
  output,
  input_row_bytes,
  output_row_bytes,
  sums_row_bytes,
  input_columns_shifted,
  output_columns_shifted,
  zeros_shifted,
  later,
  words
};
}
namespace channel_entry {
enum : int { input, weights, local_weights, count, count_shifted, filter_bytes, filter_elements, flags, words };
}
namespace unit_entry {
enum : int {
  input,
  weights,
  output,
  filters_one_map,
  maps_shifted,
  units_shifted,
  bias,
  local_weights,
  local_output,
  in_tle,
  in_tlt,
  words
};
}
namespace part_entry {
enum : int { input, weights, mask, first_channels, end_channels, words };
}

/// Of a TLT: whether it loads what goes around the ring, for which TLEs, and whom it tells that its memory is free;
/// masks by bit. Where the ring isn't used there is none.
namespace ring_entry {
enum : int { loads_input, input_tles, input_loader, loads_weights, weights_tles, weights_loader, own_tlt, words };
}

/// Flags of a step's channels, and what a part leaves of them: the first start with the bias, and with a residual if
/// there is one, the last end the sum.
inline constexpr std::uint32_t first_channels = 1, last_channels = 2, with_residual = 4;

/// Bytes in the data RAM where each table begins, the same in all TLTs.
struct TablePlaces {
  int leader = 0;  ///< a word: 1 in the TLT that loads IN for its TLE
  int first = 0;   ///< byte of all of them
  int ring = 0, groups = 0, rows = 0, columns = 0, units = 0, parts = 0;
  std::vector<int> channels;  ///< of each part, with the end of the last
  int biases = 0;
  int function = 0;  ///< numbers of `table`
  std::int64_t end = 0;
};
inline constexpr int first_table_byte = 4;  ///< behind the leader's word
TablePlaces table_places(const LayerPlan& plan, int first_byte = first_table_byte);

/// The words of a TLT's tables from byte 0 on; what follows them, biases, is the host's.
std::vector<std::uint32_t> tables_of(const LayerPlan& plan, const LayerLayout& layout, const TablePlaces& places,
                                     int tle, int tlt);

}  // namespace convscope::nmp
