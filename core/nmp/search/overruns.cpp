#include <bit>

#include <fmt/format.h>

#include "core/nmp/search/search.h"

namespace convscope::nmp {
namespace {

// Parameters are powers of two; with double buffering a memory holds two tiles.
void add_overrun(std::string& text, const Machine& m, const char* memory, const char* parameter, std::int64_t need,
                 std::int64_t have) {
  if (need <= have) return;
  constexpr std::uint64_t largest = 1 << 20;
  const std::uint64_t enough = std::bit_ceil(static_cast<std::uint64_t>(m.double_buffering ? 2 * need : need));
  text += fmt::format("{}{} needs {} bytes and has {}: {} too many; ", text.empty() ? "" : ", ", memory, need, have,
                      need - have);
  text += enough <= largest ? fmt::format("{}={} would do", parameter, enough)
                            : fmt::format("{} cannot be made that large", parameter);
}

std::string overruns(const CostModel& model, const Occupancy& o) {
  const Machine& m = model.machine();
  std::string text;
  if (m.joint_memory)
    add_overrun(text, m, "MB0 + MB2 (IN and OUT)", "input_memory", o.input + o.output, m.input_room());
  else
    add_overrun(text, m, "MB0 (IN)", "input_memory", o.input, m.input_bytes);
  add_overrun(text, m, "MB1 (W)", "weight_memory", o.weights, m.weight_bytes);
  if (!m.joint_memory) add_overrun(text, m, "MB2 (OUT)", "output_memory", o.output, m.output_bytes);
  return text;
}

}  // namespace

std::string smallest_violation(const CostModel& model, Partition partition, Schedule schedule) {
  Occupancy o = model.occupancy({partition, schedule, 1, 1, 1, 1});
  // A stationary filter may be split down to one channel, but no further.
  if (schedule == Schedule::weight_stationary && partition != Partition::channels && model.sums().chunk == 0)
    o.weights = model.occupancy({partition, Schedule::output_stationary, 1, 1, 1, 1}).weights;
  return overruns(model, o);
}

// Output stationary holds the least of all strategies, whatever the partition.
std::string no_tiling(const CostModel& model) {
  const std::string text = smallest_violation(model, Partition::filters, Schedule::output_stationary);
  return text.empty() ? text : "even the tile of one output, one channel and one filter is too large: " + text;
}

}  // namespace convscope::nmp
