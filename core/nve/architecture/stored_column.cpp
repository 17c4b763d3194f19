#include "core/nve/architecture/stored_column.h"

#include <algorithm>

namespace convscope::nve {

StoredColumn::StoredColumn(const SchedulingMachine& machine, int kernel_height, int vertical_stride, bool polyphase,
                           int dilation)
    : registers_(machine, polyphase ? 1 : vertical_stride),
      kernel_height_(kernel_height),
      dilation_(dilation),
      step_(polyphase ? vertical_stride : 1),
      phases_(std::min(step_, kernel_height)),
      first_word_{0} {
  for (int phase = 0; phase < phases_; ++phase)
    first_word_.push_back(first_word_.back() + registers_.words(span(phase)));
}

int StoredColumn::phase_of(int word) const {
  int phase = phases_ - 1;
  while (phase > 0 && word < first_word(phase)) --phase;
  return phase;
}

}  // namespace convscope::nve
