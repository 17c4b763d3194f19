#pragma once
// Machines whose TLEs lie on a ring, at random: slow ones, too, so that its time shows.

#include "random_problems.h"

namespace convscope::nmp {

inline Machine with_ring(Machine machine, RandomProblems& random) {
  machine.shared_bytes = 0;
  machine.ring = {true, 1 << random.pick(5), random.pick(3) * random.pick(40)};
  return machine;
}

/// Convolutions of every kind and other operators, on one to nine TLEs.
inline Problem ring_problem(RandomProblems& random, Borders borders) {
  Problem problem = random.pick(5) == 0 ? random.next_operator(borders) : random.next(borders);
  problem.machine = with_ring(problem.machine, random);
  if (random.pick(3) == 0) problem.machine.tles = 1 + random.pick(9);
  return problem;
}

}  // namespace convscope::nmp
