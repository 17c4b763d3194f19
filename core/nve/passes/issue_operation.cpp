#include "core/nve/passes/issue_operation.h"

namespace convscope::nve {

bool issue_on_registers(const LoopOperation& operation, Instruction& instruction) {
  switch (operation.kind) {
    case LoopOperationKind::set_weights:
      instruction.weight = WeightOperation::set;
      return true;
    case LoopOperationKind::shift_weights:
      instruction.weight = WeightOperation::shift;
      return true;
    case LoopOperationKind::set_image:
      instruction.image = ImageOperation::set;
      instruction.image_group = operation.group;
      return true;
    case LoopOperationKind::set_shift_image:
      instruction.image = ImageOperation::set_shift;
      return true;
    case LoopOperationKind::shift_image:
      instruction.image = ImageOperation::shift;
      return true;
    case LoopOperationKind::set_bias:
      instruction.vector = VectorOperation::set_bias;
      return true;
    case LoopOperationKind::mac:
      instruction.vector = VectorOperation::mac;
      return true;
    case LoopOperationKind::read_coefficients:
    case LoopOperationKind::read_pixels:
    case LoopOperationKind::write_pixels:
    case LoopOperationKind::activate:
      return false;
  }
  return false;
}

}  // namespace convscope::nve
