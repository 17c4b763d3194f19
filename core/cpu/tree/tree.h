#pragma once
// The decision tree: level after level, what can be chosen given what was chosen before. Lazy: a level is a function of
// the path so far. Source: the thesis named in problem.h, section 4.5.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/cpu/architecture/accuracy.h"
#include "core/cpu/architecture/family.h"
#include "core/cpu/architecture/method.h"
#include "core/cpu/architecture/path.h"
#include "core/cpu/architecture/problem.h"
#include "core/cpu/tree/weights.h"

namespace convscope::cpu {

/// What the tree wants to know of a machine.
struct TreeMachine {
  std::vector<Family> families;                                             ///< that it runs
  std::int64_t l2_bytes = 1 << 20;                                          ///< an output beyond it is rather streamed
  int threads = 1;                                                          ///< 1: no OpenMP
  std::int64_t temporary_bytes = std::numeric_limits<std::int64_t>::max();  ///< that a program may take
  Methods methods = Methods::all;
  Accuracy accuracy = {};  ///< that points of transforms must have; a bound of 0: any
};

struct Option {
  std::string value;
  double weight = 0;     ///< > 0, or 0 if rejected
  std::string rejected;  ///< why it contradicts what was chosen before; empty if it doesn't
};

/// The level that comes after the path; empty if the path is complete.
std::string next_level(const Problem& problem, const Path& path);
/// All values of the next level, those that contradict the path included. Nothing for a complete path.
std::vector<Option> options(const Problem& problem, const TreeMachine& machine, const Weights& weights,
                            const Path& path);

enum class Drawing { weighted, uniform };

/// A complete path; the same for the same seed on every host. Nothing if every try of a hundred ends where nothing is
/// left to choose.
std::optional<Path> draw(const Problem& problem, const TreeMachine& machine, const Weights& weights, Drawing drawing,
                         std::uint64_t seed);

/// A machine that has every family and the problem's threads: whether this one runs a path isn't asked.
TreeMachine any_machine(const Problem& problem);
/// True if each choice is an option of its level in this order and the path is complete; else a diagnostic names the
/// first that isn't, and why.
bool check(const Problem& problem, const TreeMachine& machine, const Path& path, Diagnostics& diagnostics);

}  // namespace convscope::cpu
