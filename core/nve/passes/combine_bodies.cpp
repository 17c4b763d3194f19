#include "core/nve/passes/combine_bodies.h"

#include <algorithm>

#include "core/schedule/reservation_table.h"

namespace convscope::nve {
namespace {

using Kind = LoopOperationKind;

// The operations at either end of a body through which it touches its neighbours.
struct Ends {
  std::vector<int> first_weights, last_weights, first_image, last_image;
  int set_bias = -1, last_mac = -1;
};

Ends ends_of(const Loop& loop, int from, int count) {
  Ends ends;
  int last = 0;
  for (int i = from; i < from + count; ++i) last = std::max(last, loop.operations[static_cast<std::size_t>(i)].ordinal);
  for (int i = from; i < from + count; ++i) {
    const LoopOperation& operation = loop.operations[static_cast<std::size_t>(i)];
    const bool first = operation.ordinal == (operation.field == Field::ireg ? 1 : 0);
    if (operation.field == Field::wreg && first) ends.first_weights.push_back(i);
    if (operation.field == Field::wreg && operation.ordinal == last) ends.last_weights.push_back(i);
    if (operation.field == Field::ireg && first) ends.first_image.push_back(i);
    if (operation.field == Field::ireg && operation.ordinal == last) ends.last_image.push_back(i);
    if (operation.kind == Kind::set_bias) ends.set_bias = i;
    if (operation.kind == Kind::mac && operation.ordinal == last) ends.last_mac = i;
  }
  return ends;
}

// Registers and accumulators pass from one body to the next, `iterations` later.
std::vector<schedule::Dependence> between(const Ends& before, const Ends& after, const SchedulingMachine& machine,
                                          int iterations) {
  std::vector<schedule::Dependence> result;
  const auto each = [&](const std::vector<int>& from, const std::vector<int>& to, int distance) {
    for (int f : from)
      for (int t : to) result.push_back({f, t, distance, iterations});
  };
  each(before.last_weights, after.first_weights, 1);
  each(before.last_image, after.first_image, 1);
  each({before.last_mac}, after.first_weights, 1 - machine.set_to_use);
  each({before.last_mac}, after.first_image, 1 - machine.set_to_use);
  each({before.last_mac}, {after.set_bias}, 1);
  return result;
}

// Appends a body's operations and dependences; returns the index of its first operation.
int append(Loop& loop, const Body& body, int map) {
  const int base = static_cast<int>(loop.operations.size());
  for (LoopOperation operation : body.loop.operations) {
    operation.map = map;
    loop.operations.push_back(operation);
  }
  const auto& problem = body.loop.problem;
  loop.problem.operations.insert(loop.problem.operations.end(), problem.operations.begin(), problem.operations.end());
  for (schedule::Dependence d : problem.dependences) {
    d.from += base;
    d.to += base;
    loop.problem.dependences.push_back(d);
  }
  return base;
}

// Least shift that keeps the dependences from operations that already have cycles.
std::int64_t earliest_shift(const Loop& loop, const Body& body, int base,
                            const std::vector<schedule::Dependence>& links) {
  std::int64_t shift = INT64_MIN;
  for (const schedule::Dependence& d : links)
    shift = std::max(shift, loop.cycles[static_cast<std::size_t>(d.from)] + d.distance -
                                body.loop.cycles[static_cast<std::size_t>(d.to - base)]);
  return links.empty() ? 0 : shift;
}

bool fits(const schedule::ReservationTable& table, const Body& body, int base, std::int64_t shift) {
  for (std::size_t i = 0; i < body.loop.cycles.size(); ++i)
    if (!table.fits(base + static_cast<int>(i), body.loop.cycles[i] + shift)) return false;
  return true;
}

}  // namespace

Combined combine_bodies(const std::vector<Body>& bodies, const SchedulingMachine& machine) {
  Combined result;
  Loop& loop = result.loop;
  loop.problem.resources = loop_resources();
  std::vector<Ends> ends;
  schedule::ReservationTable table(loop.problem);
  for (const Body& body : bodies) {
    const int base = append(loop, body, static_cast<int>(ends.size()));
    ends.push_back(ends_of(loop, base, static_cast<int>(body.loop.operations.size())));
    std::vector<schedule::Dependence> links;
    if (ends.size() > 1) links = between(ends[ends.size() - 2], ends.back(), machine, 0);
    std::int64_t shift = earliest_shift(loop, body, base, links);
    while (!fits(table, body, base, shift)) ++shift;
    for (std::int64_t cycle : body.loop.cycles) {
      table.place(static_cast<int>(loop.cycles.size()), cycle + shift);
      loop.cycles.push_back(cycle + shift);
    }
    loop.problem.dependences.insert(loop.problem.dependences.end(), links.begin(), links.end());
    result.set_bias.push_back(ends.back().set_bias);
  }
  const auto around = between(ends.back(), ends.front(), machine, 1);
  loop.problem.dependences.insert(loop.problem.dependences.end(), around.begin(), around.end());
  return result;
}

}  // namespace convscope::nve
