#pragma once
// What shapes are computed from: small integers, known in part.

#include <optional>
#include <string>
#include <vector>

#include "core/readers/graphdef/translation.h"

namespace convscope::readers::graphdef {

inline constexpr std::size_t most_numbers = 64;  ///< that are kept of a value

/// The integers of a value, as far as it is known what they are; nothing if they are computed, no integers or many.
std::optional<ShapeNumbers> numbers_of(const Value& value);

ShapeNumber product(const ShapeNumber& a, const ShapeNumber& b);

/// a op b for TensorFlow's name of the operator; unknown if it isn't one of those that shapes are computed with, the
/// result leaves 64 bits, or one isn't known.
ShapeNumber computed(const std::string& operator_name, const ShapeNumber& a, const ShapeNumber& b);

/// What a Reshape makes of a shape; nothing if the file's own dimensions contradict. Unknown dimensions stay unknown
/// unless the rest tells them.
std::optional<Integers> reshaped_dimensions(const network::TensorShape& from, const ShapeNumbers& wanted);

}  // namespace convscope::readers::graphdef
