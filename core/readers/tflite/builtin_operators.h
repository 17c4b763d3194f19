#pragma once
// Enumeration BuiltinOperator of schema.fbs.

#include <string>

namespace convscope::readers::tflite {

inline constexpr int custom_operator = 32;

/// "CONV_2D" for 3; "BUILTIN_250" for numbers beyond those known here.
std::string builtin_name(int code);

}  // namespace convscope::readers::tflite
