#pragma once
// Where a microkernel stands in the nest, and the accesses it makes from there.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/cpu/syntax/build.h"
#include "core/cpu/tree/plan.h"

namespace convscope::cpu {

/// `at` holds the index that the loops outside have come to, for each dimension; G counts groups, Q and P positions of
/// transformed tiles along the kernel's height and width. A tile of `pixels` x
/// `columns` is computed.
struct Site {
  const Plan& plan;
  std::map<char, Affine> at;
  int pixels = 1;
  std::vector<Column> columns;
  bool accumulate = false;               ///< results are added to the output
  std::map<char, Affine> buffered = {};  ///< first output, H or W, of the block of rows that is in the buffer

  Affine index(char dimension) const;
  /// First output that the buffer is for; 0 where it holds all.
  Affine held(char dimension) const;
  /// The same with a loop of the microkernel added to a dimension.
  Site inside(char dimension, const Affine& more) const;
};

/// Image element of pixel `w` (added to the tile's first) and channel `c`, from the taps and rows the site is at.
/// `padded` image: the buffer that has its padding around it.
Access image_access(const Site& site, const Affine& w, const Affine& c);
Access kernel_access(const Site& site, const Affine& m, const Affine& c);
Access output_access(const Site& site, const Affine& w, const Affine& m);

/// Iterations of a loop inside the microkernel: of a blocked dimension those of the inner loop.
std::int64_t inside_extent(const Plan& plan, char dimension);
/// The loops over Y and X, if the microkernel has them and they have more than one iteration, around what `body` makes.
Nodes tap_loops(const Site& site, const std::function<Nodes(const Site&)>& body);
/// A loop over C by `step`, with what is left over by `single`.
/// Nothing else than `body` for one channel.
Nodes channel_loop(const Site& site, int step, const std::function<Nodes(const Site&)>& body,
                   const std::function<Nodes(const Site&)>& single);

}  // namespace convscope::cpu
