#pragma once
// A decision tree as far as it was opened along one path, and the paths that were tried.

#include <optional>
#include <string>
#include <vector>

#include "core/base/quantity.h"

namespace convscope::artifact {

/// A value that a level offers.
struct DecisionValue {
  std::string value;
  double weight = 0;     ///< of drawing it at random, over the sum of its level's weights
  std::string rejected;  ///< why it contradicts what was decided before; empty if it may be chosen
};

/// A level on the path: its values depend on those taken before.
struct DecisionLevel {
  std::string name;
  std::vector<DecisionValue> values;
  int taken = -1;  ///< index of the value that the path takes
};

/// A whole path that was estimated, and measured if it was run.
struct TriedPath {
  std::string path;  ///< its decisions, in the words of its file
  Quantity estimate{0, "s", Origin::estimate};
  std::optional<Quantity> measured;  ///< nothing if it wasn't run, or gave no time
  std::string outcome;               ///< what came of running it, if it gave no time: "wrong result", "crash"
  bool chosen = false;
  std::string kind = {};               ///< by what it computes: "F(4,3), points 0 1 -1"; paths of one kind err alike
  int chain = 0;                       ///< products that are summed one after the other; 0: isn't told
  std::optional<Quantity> error = {};  ///< of its values, relative; nothing if none is known
};

struct DecisionTree {
  std::vector<DecisionLevel> levels;  ///< along the chosen path, first decision first
  std::vector<TriedPath> tried;       ///< in the order in which they were tried
  double error_bound = 0;             ///< that was asked for; 0: none
};

}  // namespace convscope::artifact
