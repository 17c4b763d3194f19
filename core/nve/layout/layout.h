#pragma once
// How a host may lay out a layer's pixels so that programs, which know strips of rows alone, take layers that they
// otherwise couldn't, or fill their lanes. Layouts move pixels and weights; sums and results stay what they are.
//
//   flat:   the pixels of a 1x1 kernel's map in sequence, as many to a column as there are lanes (design 03b, 'flat'):
//           pixel n of the output, row by row, is row n mod lanes of column n / lanes.
//   phases: output rows whose inputs lie whole dilations apart make a part, a layer without vertical dilation, which
//   the
//           programs run on by itself: with dilation d, stride s and p = d / gcd(d, s), part f has rows f, f + p, …
//   blocks: a kernel too tall for the image register is cut into blocks of rows, each of which takes the input as one
//           more map, so many rows further down; rows that a last block has too many have weights of zero.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/network/network.h"
#include "core/nve/architecture/machine.h"
#include "core/nve/passes/loop.h"
#include "core/reference/convolution.h"

namespace convscope::nve {

struct Layout {
  network::Layer whole;  ///< the network's
  network::Layer part;   ///< what programs compute; all parts are as large as the first
  int parts = 1;         ///< phases
  int blocks = 1;
  int flat_rows = 0;     ///< pixels of a column where maps lie flat; else 0
  int row_distance = 1;  ///< rows of the image from one row of a part's input to the next: the dilation, with phases

  /// Nothing is moved.
  bool plain() const { return row_distance == 1 && blocks == 1 && flat_rows == 0; }
  /// For people; empty if plain.
  std::string text() const;
  /// Rows of weights that a kernel has, over those that programs take: less than 1 where blocks are filled up.
  double weight_share() const;
  /// Pixel of the whole output that a part's is; nothing beyond the map.
  std::optional<network::Size> result(int part_number, int row, int column) const;
};

/// The layer as it is.
Layout plain_layout(const network::Layer& layer);

/// Whether it is a convolution over rows and columns of which a program file can tell the sizes.
bool has_programs(const network::Layer& layer);

/// Layouts to be tried, in their order: the first for which there are programs is as good as any later one, or better
/// (flat maps take fewer columns). The last is the layer as it is, unless programs certainly can't take that.
std::vector<Layout> layouts_for(const network::Layer& layer, const Switches& switches,
                                const SchedulingMachine& machine);

/// A part's input. Pixels outside the image are `border`; those that no output needs, too.
reference::Tensor<std::uint8_t> part_image(const Layout& layout, const reference::Tensor<std::uint8_t>& image,
                                           int part_number, std::uint8_t border);

/// Of every part, from those of the whole layer.
reference::Coefficients<std::int16_t> part_coefficients(const Layout& layout,
                                                        const reference::Coefficients<std::int16_t>& whole);

}  // namespace convscope::nve
