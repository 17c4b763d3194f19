#pragma once
// Loops over vectors of all widths that a number of elements takes.

#include <functional>
#include <string>

#include "core/cpu/syntax/node.h"
#include "core/cpu/tree/plan.h"

namespace convscope::cpu {

/// A vector: its first element, and its lanes.
struct Lanes {
  Affine first;
  int count = 1;
};

/// Loops over whole vectors, then over narrower ones that are left.
Nodes each_vector(const char* variable, int all, int lanes, const std::function<Nodes(const Lanes&)>& body);

/// Behind a variable's name: vectors of each width have their own.
std::string width_suffix(const Plan& plan, int lanes);

}  // namespace convscope::cpu
