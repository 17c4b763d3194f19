#pragma once
// Kinds of operation as people tell them apart: the one classification behind every colour and legend.

#include <string_view>

namespace convscope::artifact {

enum class OperationClass { read, write, coefficients, pixels, multiply_accumulate, activation, other };

inline constexpr OperationClass operation_classes[] = {OperationClass::read,
                                                       OperationClass::write,
                                                       OperationClass::coefficients,
                                                       OperationClass::pixels,
                                                       OperationClass::multiply_accumulate,
                                                       OperationClass::activation,
                                                       OperationClass::other};

std::string_view operation_class_name(OperationClass kind);

}  // namespace convscope::artifact
