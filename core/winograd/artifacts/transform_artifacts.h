#pragma once
// A transform as what views show: its equations as a graph of shared terms, its matrix and equations as lines.

#include "core/artifact/listing.h"
#include "core/artifact/task_graph.h"
#include "core/winograd/equations/ways.h"

namespace convscope::winograd {

/// Variables, definitions and outputs, each depending on what stands in it; not scheduled. An operation's key is the
/// same in graph and listing.
artifact::TaskGraph equation_graph(const SharedForms& forms, Operand operand, const Matrix& matrix);

/// The matrix, a row a line with its point where it has one (rows of G and BT), then the equations, definitions first.
artifact::Listing equation_listing(const Transform& transform, const SharedForms& forms, Operand operand);

}  // namespace convscope::winograd
