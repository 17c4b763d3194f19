#include "ui/views/program/linked_operations.h"

namespace convscope::ui {

std::unordered_set<artifact::OperationKey> LinkedOperations::of(const artifact::Ref& ref) const {
  if (ref.operation != 0) return {ref.operation};
  std::unordered_set<artifact::OperationKey> found;
  if (ref.word >= 0 && links_) {
    for (const artifact::OperationKey operation : links_->at_word({ref.memory, ref.word})) found.insert(operation);
  } else if (ref.cycle >= 0 && timeline_) {
    timeline_->visit(ref.cycle, ref.cycle + 1,
                     [&](const artifact::PlacedCell& placed) { found.insert(placed.cell->operation); });
  }
  found.erase(0);
  return found;
}

}  // namespace convscope::ui
