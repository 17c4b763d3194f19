#pragma once
// Kinds of operation as people tell them apart: the one classification behind every colour and legend.

#include <string_view>

namespace convscope::artifact {

enum class OperationClass {
  read,
  write,
  coefficients,
  pixels,
  multiply_accumulate,
  activation,
  transfer,  ///< moves what is neither pixels nor coefficients alone, e.g. instructions
  control,   ///< branches, address arithmetic, waiting for others
  other
};

inline constexpr OperationClass operation_classes[] = {OperationClass::read,
                                                       OperationClass::write,
                                                       OperationClass::coefficients,
                                                       OperationClass::pixels,
                                                       OperationClass::multiply_accumulate,
                                                       OperationClass::activation,
                                                       OperationClass::transfer,
                                                       OperationClass::control,
                                                       OperationClass::other};

std::string_view operation_class_name(OperationClass kind);

/// Kinds that legends name whether they occur or not, so that they stay in place from layer to layer; of the others
/// only some machines have any.
bool is_usual(OperationClass kind);

}  // namespace convscope::artifact
