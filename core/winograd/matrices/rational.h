#pragma once
// Exact numbers. Matrices of Winograd convolution are rational; floats appear only where they are emitted or run.

#include <optional>
#include <string>
#include <string_view>

#include <boost/multiprecision/cpp_int.hpp>

namespace convscope::winograd {

/// Of any size: products over twelve points leave 64 bits behind.
using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;

/// "3", "-5/7".
std::string text(const Rational& value);
/// The nearest double.
double to_double(const Rational& value);
/// "3", "-5/7", "0.25"; nothing if it is no such number, its denominator is zero, or a part has more than nine digits.
std::optional<Rational> parse_rational(std::string_view text);

}  // namespace convscope::winograd
