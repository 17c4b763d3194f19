#pragma once
// The transforms of a Winograd program: their matrices with the points, and their equations.

#include <memory>
#include <string>
#include <vector>

#include "core/artifact/listing.h"
#include "core/artifact/task_graph.h"
#include "core/cpu/artifacts/chosen_program.h"
#include "core/winograd/equations/ways.h"

namespace convscope::cpu {

/// One matrix, and how the program multiplies with it.
struct ShownTransform {
  winograd::Operand operand = winograd::Operand::input;
  int m = 0, r = 0;  ///< of F(m, r)
  std::string points;
  std::string name() const;  ///< "transform of the input by BT, F(4, 3)"
};

/// Of input, kernel and output; where columns and rows of a tile have different ones, of the rows first. None of
/// programs that compute directly.
std::vector<ShownTransform> shown_transforms(const ChosenProgram& program);

/// Equations of one column or row, with what they share: the generated text has them for a tile's columns, then for its
/// rows.
std::shared_ptr<const artifact::TaskGraph> equation_graph(const ShownTransform& transform);
/// The matrix with its points, then the equations.
std::shared_ptr<const artifact::Listing> equation_listing(const ShownTransform& transform);

}  // namespace convscope::cpu
