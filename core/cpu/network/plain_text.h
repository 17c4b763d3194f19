#pragma once
// Pieces of plain C++: places of elements, loops around them, operations on one. Used by plain_code.cpp and rows.cpp.

#include <string>

#include "core/cpu/architecture/layout.h"
#include "core/cpu/network/flow.h"

namespace convscope::cpu::plain_text {

/// Name of the loop variable over a dimension.
char lower(char dimension);
/// Place of an element: loop variables h, w, c times their strides. Dimensions of one element are left out.
std::string place(const Layout& layout, const Extents& extents);
/// Loops over the dimensions of `order` around a body.
std::string loops(const std::string& order, const Extents& extents, const std::string& body);
/// A step's function, see plain_code.h.
std::string function(const std::string& name, const std::string& body);
/// Exactly, as a constant of C++.
std::string number(float value);
/// Statements on `v`; the operation's values are `k<input>`, and `c` is the channel.
std::string operation_text(const ElementOperation& operation, std::size_t input);
/// Loops over rows and columns of the taps of an output at `h` and `w` around a body, which has `row` and `column` in
/// the input; `count` counts those that an average divides by, if it counts padding.
std::string taps(const PoolWindow& window, const Extents& input, const std::string& body);

}  // namespace convscope::cpu::plain_text
