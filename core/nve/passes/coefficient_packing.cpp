#include "core/nve/passes/coefficient_packing.h"

#include <algorithm>
#include <numeric>

namespace convscope::nve {
namespace {

// Whether the image register takes port A for the multiply-accumulate of coefficient `ordinal` (1 …).
bool image_takes_port_a(const Window& window, const RegisterLayout& layout, int ordinal) {
  const int row = (ordinal - 1) % window.kernel_height;
  const bool extension_on_port_a = layout.words_per_set == 1 && layout.needs_extension(window.kernel_height);
  return row == 0 || (row == 1 && extension_on_port_a);
}

}  // namespace

std::vector<int> pack_coefficients(const Window& window, int connections, const SchedulingMachine& machine,
                                   bool avoid_conflicts) {
  const int total = 1 + connections * window.weights();
  const int full = machine.coefficients_per_set();
  const RegisterLayout layout(machine, window.stride_height);
  std::vector<int> sizes;
  for (int start = 0; start < total;) {
    int size = std::min(full, total - start);
    if (avoid_conflicts) {
      int fitting = size;
      while (fitting > 0 && start + fitting < total && image_takes_port_a(window, layout, start + fitting)) --fitting;
      if (fitting > 0) size = fitting;
    }
    sizes.push_back(size);
    start += size;
  }
  return sizes;
}

std::vector<int> word_starts(const std::vector<int>& sizes) {
  std::vector<int> starts(sizes.size(), 0);
  std::partial_sum(sizes.begin(), sizes.end() - 1, starts.begin() + 1);
  return starts;
}

}  // namespace convscope::nve
