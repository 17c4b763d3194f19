#include "core/nve/passes/place_bodies.h"

#include <algorithm>

namespace convscope::nve {
namespace {

using Cycles = std::vector<std::int64_t>;

// Dependences within an iteration that reach each body from the ones before.
std::vector<std::vector<schedule::Dependence>> links(const Loop& loop) {
  std::vector<std::vector<schedule::Dependence>> result(loop.set_bias.size());
  const auto map = [&](int operation) { return loop.operations[static_cast<std::size_t>(operation)].map; };
  for (const schedule::Dependence& d : loop.problem.dependences)
    if (d.iterations == 0 && d.from < loop.first_write() && d.to < loop.first_write() && map(d.from) < map(d.to))
      result[static_cast<std::size_t>(map(d.to))].push_back(d);
  return result;
}

// Least shift that keeps the dependences from bodies that stand already.
std::int64_t earliest_shift(const schedule::PartialSchedule& partial, const Cycles& cycles, int base,
                            const std::vector<schedule::Dependence>& from_before) {
  std::int64_t shift = INT64_MIN;
  for (const schedule::Dependence& d : from_before)
    shift = std::max(shift, partial.cycle(d.from) + d.distance - cycles[static_cast<std::size_t>(d.to - base)]);
  return from_before.empty() ? 0 : shift;
}

bool fits(const schedule::PartialSchedule& partial, const Cycles& cycles, int base, std::int64_t shift) {
  for (std::size_t i = 0; i < cycles.size(); ++i)
    if (!partial.fits(base + static_cast<int>(i), cycles[i] + shift)) return false;
  return true;
}

}  // namespace

bool place_bodies(schedule::PartialSchedule& partial, const Loop& loop,
                  const std::vector<std::shared_ptr<const schedule::Schedule>>& cycles, schedule::Budget& budget) {
  const auto from_before = links(loop);
  for (std::size_t map = 0; map < cycles.size(); ++map) {
    const Cycles& body = cycles[map]->cycles;
    const int base = loop.bodies[map];
    std::int64_t shift = earliest_shift(partial, body, base, from_before[map]);
    for (; !fits(partial, body, base, shift); ++shift)
      if (!budget.take(static_cast<std::int64_t>(body.size()))) return false;
    for (std::size_t i = 0; i < body.size(); ++i) partial.place(base + static_cast<int>(i), body[i] + shift);
  }
  return true;
}

}  // namespace convscope::nve
