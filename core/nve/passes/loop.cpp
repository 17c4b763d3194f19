#include "core/nve/passes/loop.h"

#include <algorithm>

namespace convscope::nve {

std::vector<schedule::Resource> loop_resources() {
  std::vector<schedule::Resource> resources;
  for (int i = 0; i < field_count; ++i) resources.push_back({field_name(static_cast<Field>(i)), 1});
  resources.push_back({"port A output", 1});
  return resources;
}

std::vector<int> interval_fields() {
  std::vector<int> fields;
  for (int i = 0; i < field_count; ++i)
    if (static_cast<Field>(i) != Field::act) fields.push_back(i);
  return fields;
}

std::vector<int> coefficient_order(const Window& window, int connections) {
  const int step = window.polyphase ? window.stride_height : 1;
  std::vector<int> order{0};
  for (int column = 0; column < connections * window.kernel_width; ++column)
    for (int phase = 0; phase < step; ++phase)
      for (int row = phase; row < window.kernel_height; row += step)
        order.push_back(1 + column * window.kernel_height + row);
  return order;
}

int Loop::add(LoopOperation operation, std::vector<schedule::ResourceUse> uses, std::string name) {
  operations.push_back(operation);
  uses.insert(uses.begin(), {static_cast<int>(operation.field), 0});
  problem.operations.push_back({std::move(name), std::move(uses)});
  return static_cast<int>(operations.size()) - 1;
}

std::int64_t Loop::first_cycle() const {
  return *std::min_element(cycles.begin(), cycles.end());
}
std::int64_t Loop::last_cycle() const {
  return *std::max_element(cycles.begin(), cycles.end());
}

}  // namespace convscope::nve
