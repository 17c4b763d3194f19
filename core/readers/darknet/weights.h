#pragma once
// Darknet's .weights: a header and then all values of all layers, float32 without names or sizes, in the order in which
// parser.c of Darknet loads them.

#include <optional>
#include <vector>

#include "core/base/mapped_file.h"
#include "core/readers/common/graph_builder.h"

namespace convscope::readers::darknet {

/// Three integers (major, minor, revision) and how many images the network has seen: 32 bits before version 0.2, 64
/// since.
struct WeightsHeader {
  std::size_t bytes = 0;    ///< where the values start
  bool transposed = false;  ///< fully connected weights are stored input by input
};

/// Nothing if the file is too short for a header.
std::optional<WeightsHeader> weights_header(std::string_view bytes);

/// The constants of a network in the order of the file.
class WeightOrder {
 public:
  void add(int tensor) { tensors_.push_back(tensor); }
  /// A layer whose values the reader can't count: no values can be assigned.
  void give_up() { countable_ = false; }

  /// Points the constants into the file, if it has exactly the values that they need; a warning otherwise.
  void assign(GraphBuilder& graph, const MappedFile& file, Report& report) const;

 private:
  std::vector<int> tensors_;
  bool countable_ = true;
};

}  // namespace convscope::readers::darknet
