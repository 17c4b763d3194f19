#pragma once
// What would do: values for a parameter that does not go together with the others.

#include <optional>
#include <string>
#include <string_view>

#include "core/arch/parameters.h"

namespace convscope::arch {

/// The allowed value of one parameter, nearest to its present one, with which it is in range and every constraint that
/// names it holds, all others staying as they are; the present one if nothing is wrong. Nothing if no value would do
/// (of a range with very many steps, a spread of them is tried).
std::optional<double> nearest_that_holds(const ParameterValues& values, std::size_t index);

/// A value for one parameter as text from a user: a choice by name, a number plain or with a unit. Not checked against
/// the range.
std::optional<double> parse_value(const ParameterDescription& description, std::string_view text);

/// Why a typed text is not taken as it is: no number or choice, or out of range or off step, with the limits and the
/// value that it is taken as. Empty if it is.
std::string typed_text_problem(const ParameterDescription& description, std::string_view text);

}  // namespace convscope::arch
