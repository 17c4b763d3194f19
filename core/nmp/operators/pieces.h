#pragma once
// Operators that move elements: as pieces that lie side by side before and after, each copied as it is. Where there is
// one piece alone, nothing need be moved: it is a view.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/network/graph.h"
#include "core/nmp/generate/computing.h"

namespace convscope::nmp {

struct Pieces {
  std::int64_t length = 0;  ///< elements of each
  std::vector<Move> moves;  ///< each at another place of the output
};

/// More are refused: tables of so many fit no machine's data RAMs.
inline constexpr std::int64_t most_moves = 1 << 13;

/// A box of elements, and how far apart neighbours along each dimension are before and after; `from` and `to`: where
/// its first one is. Nothing if it has more than `most_moves` pieces.
struct BoxMove {
  std::vector<std::int64_t> dimensions, from_strides, to_strides;
  std::int64_t from = 0, to = 0;
  int operand = 0;
};
std::optional<Pieces> pieces_of(const BoxMove& box);

/// Dimensions of a tensor that are all known; else none.
std::vector<std::int64_t> known_dimensions(const network::Graph& graph, int tensor);
/// -1: there is none.
int input_at(const network::Node& node, std::size_t index);

/// Elements from one to the next along each dimension, if they lie dense.
std::vector<std::int64_t> dense_strides(const std::vector<std::int64_t>& dimensions);

/// What a Slice takes; nothing if constants don't tell.
std::optional<BoxMove> box_of_slice(const network::Graph& graph, const network::Node& node);

/// Transpose, Slice (from opset 1), or Gather of whole rows along an axis, as far as constants tell; nothing if it is
/// another operator, or they don't. `length` is 0 if there are too many pieces.
std::optional<Pieces> pieces_of(const network::Graph& graph, const network::Node& node);

/// Of several boxes: all pieces as long as the shortest common one, and none longer than `longest` if it divides.
/// In the order in which they are read. Nothing if there are more than `most_moves`.
std::optional<Pieces> joined(const std::vector<Pieces>& parts, std::int64_t longest);

}  // namespace convscope::nmp
