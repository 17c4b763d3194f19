#include "tests/core/schedule/random_problems.h"

#include <algorithm>
#include <string>

namespace convscope::schedule::test {
namespace {

class Maker {
 public:
  explicit Maker(std::mt19937_64& random) : random_(random) {}

  Problem problem;

  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  int count() const { return static_cast<int>(problem.operations.size()); }
  int add(std::vector<ResourceUse> uses) {
    problem.operations.push_back({"o" + std::to_string(count()), std::move(uses)});
    return count() - 1;
  }
  void depend(int from, int to, int distance, int iterations = 0, bool value = true) {
    problem.dependences.push_back({from, to, distance, iterations, value});
  }
  void resources(int from, int to, int most_units) {
    for (int i = between(from, to); i > 0; --i)
      problem.resources.push_back({"r" + std::to_string(problem.resources.size()), between(1, most_units)});
  }
  // Operands are mostly young, as in code.
  int operand() { return std::max(0, count() - 2 - below(below(4) == 0 ? count() : std::min(count(), 24))); }
  void forward(int operation) {
    for (int i = between(0, 2); i > 0 && operation > 0; --i) depend(operand(), operation, between(1, 6));
  }
  // Circles back over a stretch that a longest path of four cycles an operation can't outgrow.
  void recurrences(int how_many, int longest) {
    for (int i = 0; i < how_many; ++i) {
      const int last = below(count()), first = std::max(0, last - below(longest));
      for (int o = first; o < last; ++o) depend(o, o + 1, between(1, 4));
      depend(last, first, between(1, 4), between(1, 3));
    }
  }

 private:
  std::mt19937_64& random_;
};

Problem expressions(Maker maker, int operations) {
  maker.resources(2, 6, 3);
  const int resources = static_cast<int>(maker.problem.resources.size());
  for (int i = 0; i < operations; ++i) maker.forward(maker.add({{maker.below(resources), maker.below(3)}}));
  return std::move(maker.problem);
}

Problem accumulators(Maker maker, int operations) {
  maker.problem = expressions(maker, operations);
  maker.recurrences(1 + operations / 40, 6);
  return std::move(maker.problem);
}

Problem reservations(Maker maker, int operations) {
  maker.resources(3, 6, 4);
  const int resources = static_cast<int>(maker.problem.resources.size());
  // A few shapes, as an instruction set has: most use two resources, some one of them twice.
  std::vector<std::vector<ResourceUse>> shapes;
  for (int i = maker.between(4, 10); i > 0; --i) {
    std::vector<ResourceUse> shape;
    // Each use at its own offset: no operation meets itself.
    for (int u = maker.between(1, 3); u > 0; --u) shape.push_back({maker.below(resources), 3 * u - maker.below(3)});
    shapes.push_back(std::move(shape));
  }
  for (int i = 0; i < operations; ++i)
    maker.forward(maker.add(shapes[static_cast<std::size_t>(maker.below(static_cast<int>(shapes.size())))]));
  maker.recurrences(1 + operations / 80, 5);
  return std::move(maker.problem);
}

Problem alternatives(Maker maker, int operations) {
  maker.resources(4, 6, 2);
  const int units = static_cast<int>(maker.problem.resources.size());
  for (int i = maker.between(2, 4); i > 0; --i) {
    const int first = maker.below(units - 1);
    std::vector<int> any_of;
    for (int unit = first; unit < std::min(units, first + maker.between(2, 3)); ++unit) any_of.push_back(unit);
    maker.problem.resources.push_back({"choice" + std::to_string(i), 0, any_of});
  }
  const int resources = static_cast<int>(maker.problem.resources.size());
  for (int i = 0; i < operations; ++i) maker.forward(maker.add({{maker.below(resources), maker.below(2)}}));
  maker.recurrences(1 + operations / 60, 5);
  return std::move(maker.problem);
}

// Groups of a read, a set that takes it exactly while the port holds it, and multiplications of one chain that use what
// was set until the next set.
Problem streams(Maker maker, int operations, int fewest_uses, int most_uses) {
  enum { port_a, port_b, set_unit, multiplier, output };
  maker.problem.resources = {{"port a", 1}, {"port b", 1}, {"set", 1}, {"multiplier", 1}, {"output", 1}};
  const int read_to_set = maker.between(1, 3);
  int last_multiplication = -1, first_multiplication = -1, last_set = -1, first_set = -1;
  while (maker.count() + most_uses + 4 <= operations) {
    const int port = maker.below(3) == 0 ? port_b : port_a;
    const int read = maker.add({{port, 0}});
    const int set = maker.add({{set_unit, 0}, {port_a, -maker.below(2)}});
    maker.depend(read, set, read_to_set);
    maker.depend(set, read, -read_to_set - maker.between(1, 6), 0, false);  // the port holds it only so long
    if (maker.below(3) == 0) maker.depend(maker.add({{port_b, 0}}), read, 2, maker.below(2));  // who wrote it
    if (last_set >= 0) maker.depend(last_set, set, 1, 0, false);
    if (last_multiplication >= 0) maker.depend(last_multiplication, set, 0, 0, false);
    for (int i = maker.between(fewest_uses, most_uses); i > 0; --i) {
      const int multiplication = maker.add({{multiplier, 0}});
      maker.depend(set, multiplication, 1);
      if (last_multiplication >= 0) maker.depend(last_multiplication, multiplication, 1);
      if (first_multiplication < 0) first_multiplication = multiplication;
      last_multiplication = multiplication;
    }
    if (maker.below(8) == 0) {
      const int out = maker.add({{output, 0}, {port_b, 1}});
      maker.depend(last_multiplication, out, maker.between(1, 3));
      maker.depend(out, last_multiplication, -8, 0, false);
    }
    if (first_set < 0) first_set = set;
    last_set = set;
  }
  if (last_set < 0) return expressions(maker, operations);
  maker.depend(last_set, first_set, 1, 1, false);
  maker.depend(last_multiplication, first_set, 0, 1, false);
  maker.depend(last_multiplication, first_multiplication, 1, 1);
  return std::move(maker.problem);
}

}  // namespace

const char* name_of(Family family) {
  switch (family) {
    case Family::expressions:
      return "expressions";
    case Family::accumulators:
      return "accumulators";
    case Family::reservations:
      return "reservations";
    case Family::alternatives:
      return "alternatives";
    case Family::streams:
      return "streams";
    case Family::crowded:
      return "crowded";
  }
  return "";
}

Problem random_problem(Family family, int operations, std::mt19937_64& random) {
  const Maker maker(random);
  switch (family) {
    case Family::expressions:
      return expressions(maker, operations);
    case Family::accumulators:
      return accumulators(maker, operations);
    case Family::reservations:
      return reservations(maker, operations);
    case Family::alternatives:
      return alternatives(maker, operations);
    case Family::streams:
      return streams(maker, operations, 3, 6);
    case Family::crowded:
      return streams(maker, operations, 1, 3);
  }
  return {};
}

Problem random_tree(std::mt19937_64& random) {
  Maker maker(random);
  maker.problem.resources = {{"x", 1}, {"y", 2}, {"z", 3}};
  const int count = maker.between(2, 31);
  for (int i = 0; i < count; ++i) {
    std::vector<ResourceUse> uses;
    for (int resource = 0; resource < 3; ++resource)
      for (int u = maker.below(3); u > 0; --u) {
        const int offset = maker.below(4);
        uses.push_back({resource, resource == 0 ? offset + 4 * u : offset});  // 'x' has no room for two at once
      }
    const int operation = maker.add(std::move(uses));
    for (int d = std::min(operation, 2); d > 0; --d) {
      const int to = maker.below(operation);
      maker.depend(operation, to, maker.below(4));
    }
  }
  return std::move(maker.problem);
}

Problem random_small_problem(int operations, std::mt19937_64& random) {
  Maker maker(random);
  maker.resources(1, 3, 2);
  if (maker.below(3) == 0) {
    maker.resources(1, 1, 1);
    maker.problem.resources.push_back({"choice", 0, {0, 1}});
  }
  const int resources = static_cast<int>(maker.problem.resources.size());
  for (int i = 0; i < operations; ++i) {
    std::vector<ResourceUse> uses;
    for (int u = maker.between(0, 2); u > 0; --u) uses.push_back({maker.below(resources), maker.between(-2, 3)});
    maker.add(uses);
  }
  for (int i = maker.below(2 * operations); i > 0; --i) {
    const int from = maker.below(operations), to = maker.below(operations);
    // Forwards within the iteration, backwards into a later one, or a window.
    if (from < to) {
      maker.depend(from, to, maker.between(0, 4), maker.below(4) == 0 ? 1 : 0);
    } else if (maker.below(3) == 0) {
      maker.depend(from, to, -maker.between(0, 5), 0, false);
    } else {
      maker.depend(from, to, maker.between(-1, 4), maker.between(1, 2));
    }
  }
  return std::move(maker.problem);
}

}  // namespace convscope::schedule::test
