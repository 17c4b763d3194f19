#include "core/nve/passes/place_writes.h"

#include <algorithm>
#include <tuple>

namespace convscope::nve {
namespace {

struct Write {
  int operation = -1;
  std::int64_t deadline = INT64_MAX;
};

std::vector<Write> writes_with_deadlines(const schedule::PartialSchedule& partial, const Loop& loop) {
  std::vector<Write> writes;
  for (int i = loop.first_write(); i < loop.first_activation; ++i) writes.push_back({i, INT64_MAX});
  const auto note = [&](const schedule::Dependence& d) {
    std::int64_t& deadline = writes[static_cast<std::size_t>(d.from - loop.first_write())].deadline;
    deadline = std::min(deadline, partial.cycle(d.to) - d.distance);
  };
  const auto is_write = [&](int operation) {
    return operation >= loop.first_write() && operation < loop.first_activation;
  };
  for (const schedule::Dependence& d : loop.problem.dependences)
    if (is_write(d.from) && d.iterations == 0) note(d);
  // A dilated kernel may read a word in later iterations only; then it is soon enough for such a read in this one.
  std::vector<bool> later_only(writes.size());
  for (std::size_t i = 0; i < writes.size(); ++i) later_only[i] = writes[i].deadline == INT64_MAX;
  for (const schedule::Dependence& d : loop.problem.dependences)
    if (is_write(d.from) && later_only[static_cast<std::size_t>(d.from - loop.first_write())]) note(d);
  return writes;
}

}  // namespace

bool place_writes(schedule::PartialSchedule& partial, const Loop& loop, schedule::Budget& budget) {
  std::vector<Write> writes = writes_with_deadlines(partial, loop);
  const auto word = [&](const Write& write) {
    const LoopOperation& o = loop.operations[static_cast<std::size_t>(write.operation)];
    return std::tuple(o.input, o.column, o.word);
  };
  std::sort(writes.begin(), writes.end(), [&](const Write& a, const Write& b) {
    return a.deadline != b.deadline ? a.deadline > b.deadline : word(a) > word(b);
  });
  for (const Write& write : writes) {
    std::int64_t cycle = write.deadline;
    for (; !partial.fits(write.operation, cycle); --cycle)
      if (!budget.take()) return false;
    partial.place(write.operation, cycle);
  }
  return true;
}

}  // namespace convscope::nve
