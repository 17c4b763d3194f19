#pragma once
// The tree behind an expression.

#include "core/explore/space/expression.h"

namespace convscope::explore {

struct Expression::Node {
  enum class Kind {
    number,
    text,
    name,
    negate,
    invert,
    either,
    both,
    equal,
    different,
    less,
    less_or_equal,
    greater,
    greater_or_equal,
    add,
    subtract,
    multiply,
    divide,
    remainder,
    power,
    minimum,
    maximum,
    floor,
    ceil,
    round,
    absolute,
    logarithm,
    near
  };
  Kind kind = Kind::number;
  double number = 0;
  std::string text;  ///< of a text or a name
  std::vector<std::shared_ptr<const Node>> operands;
};

}  // namespace convscope::explore
