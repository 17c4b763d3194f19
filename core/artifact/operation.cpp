#include "core/artifact/operation.h"

namespace convscope::artifact {

std::string_view operation_class_name(OperationClass kind) {
  switch (kind) {
    case OperationClass::read:
      return "read";
    case OperationClass::write:
      return "write";
    case OperationClass::coefficients:
      return "coefficients";
    case OperationClass::pixels:
      return "pixels";
    case OperationClass::multiply_accumulate:
      return "multiply-accumulate";
    case OperationClass::activation:
      return "activation";
    case OperationClass::transfer:
      return "transfer";
    case OperationClass::control:
      return "control";
    case OperationClass::other:
      return "other";
  }
  return "other";
}

bool is_usual(OperationClass kind) {
  return kind < OperationClass::transfer;
}

}  // namespace convscope::artifact
