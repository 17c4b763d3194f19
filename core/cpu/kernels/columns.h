#pragma once
// What microkernels do for each vector along M.

#include <functional>
#include <string>

#include "core/cpu/kernels/site.h"

namespace convscope::cpu {

/// One vector of the tile: the suffix of its variables, where it begins, its lanes. For the full vectors the suffix is
/// "$v", and what is made stands in an unroll node.
struct ColumnView {
  std::string suffix;
  Affine offset;
  int lanes = 1;
  int valid = 1;
};

/// The nodes that `make` gives for full vectors, written out by one unroll node, then for each of the others that no
/// pixels share.
Nodes each_column(const Site& site, const std::function<Nodes(const ColumnView&)>& make);
/// The vector that two pixels share; null if there is none.
const Column* shared_column(const Site& site);
/// Stores a variable: the lanes that are kernels.
NodePtr store_column(const Site& site, const ColumnView& column, const Affine& w, const std::string& name);

}  // namespace convscope::cpu
