#include "core/nve/passes/combine_bodies.h"

namespace convscope::nve {
namespace {

// The operations at either end of a body through which it touches its neighbours.
struct Ends {
  std::vector<int> first_weights, last_weights, first_image, last_image;
  int set_bias = -1, last_mac = -1;
};

Ends ends_of(const Body& body, int base) {
  const auto moved = [&](std::vector<int> operations) {
    for (int& operation : operations) operation += base;
    return operations;
  };
  return {moved({body.first_weights}), moved({body.last_weights}), moved(body.first_image),
          moved(body.last_image),      base + body.set_bias,       base + body.bottom};
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

// Appends a map's body; returns the index of its first operation.
int append(Loop& loop, const Body& body, int map, const std::vector<int>& inputs) {
  const int base = static_cast<int>(loop.operations.size());
  for (LoopOperation operation : body.operations) {
    operation.map = map;
    if (operation.input >= 0) operation.input = inputs[static_cast<std::size_t>(operation.input)];
    loop.operations.push_back(operation);
  }
  loop.problem.operations.insert(loop.problem.operations.end(), body.problem.operations.begin(),
                                 body.problem.operations.end());
  for (const schedule::Dependence& d : body.problem.dependences)
    loop.depend(base + d.from, base + d.to, d.distance, d.iterations);
  return base;
}

void add(Loop& loop, const std::vector<schedule::Dependence>& dependences) {
  loop.problem.dependences.insert(loop.problem.dependences.end(), dependences.begin(), dependences.end());
}

}  // namespace

Loop combine_bodies(const std::vector<std::shared_ptr<const Body>>& bodies, const Structure& structure,
                    const SchedulingMachine& machine) {
  Loop loop;
  loop.problem.resources = loop_resources();
  std::vector<Ends> ends;
  for (std::size_t map = 0; map < bodies.size(); ++map) {
    const Body& body = *bodies[map];
    const int base = append(loop, body, static_cast<int>(map), structure.maps[map]);
    loop.bodies.push_back(base);
    loop.set_bias.push_back(base + body.set_bias);
    ends.push_back(ends_of(body, base));
    if (map > 0) add(loop, between(ends[map - 1], ends[map], machine, 0));
  }
  add(loop, between(ends.back(), ends.front(), machine, 1));
  loop.bodies.push_back(static_cast<int>(loop.operations.size()));
  return loop;
}

}  // namespace convscope::nve
