#pragma once
// Ways through a decision tree that is only known level by level.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/cpu/architecture/path.h"
#include "core/cpu/tree/tree.h"

namespace convscope::cpu {

/// A tree: the level after a path (empty: the path is complete) and its values.
struct TreeView {
  std::function<std::string(const Path&)> next_level;
  std::function<std::vector<Option>(const Path&)> options;
};

/// splitmix64: the same numbers on every host.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  double share();  ///< in [0, 1)

 private:
  std::uint64_t state_;
};

/// Picks values on the way through a tree.
class Walker {
 public:
  enum class Weighting { weighted, uniform };
  /// Weight of an option as the walk sees it: 0 forbids it. If all of a level are forbidden, none is.
  using Preference = std::function<double(const std::string& level, const Option& option)>;

  Walker(const TreeView& tree, std::uint64_t seed) : tree_(tree), chance_(seed) {}

  /// A complete path that this walker hasn't returned before; nothing if none is found in 200 tries.
  std::optional<Path> fresh(const Preference& preference);
  std::optional<Path> fresh(Weighting weighting);
  /// One that keeps each value of `from` with a probability, where it is still a value; what it doesn't keep is drawn
  /// by weight.
  std::optional<Path> neighbour(const Path& from, double keep);
  /// This path isn't fresh any more. False if it wasn't before.
  bool take(const Path& path) { return seen_.insert(hash(path)).second; }
  Chance& chance() { return chance_; }

 private:
  std::optional<Path> walk(const Preference& preference);
  const TreeView& tree_;
  Chance chance_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace convscope::cpu
