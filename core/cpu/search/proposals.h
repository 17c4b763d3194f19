#pragma once
// What a search tries next, given what came of what it tried before.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/cpu/architecture/path.h"
#include "core/cpu/run/outcome.h"
#include "core/cpu/search/walk.h"

namespace convscope::cpu {

enum class Algorithm { guided, narrowing, genetic, random, uniform };

std::string_view key(Algorithm algorithm);
/// Whether what is proposed depends on how fast the ones before were.
bool learns(Algorithm algorithm);
std::optional<Algorithm> find_algorithm(std::string_view key);
inline constexpr Algorithm all_algorithms[] = {Algorithm::guided, Algorithm::narrowing, Algorithm::genetic,
                                               Algorithm::random, Algorithm::uniform};

/// A path and what came of it.
struct Tried {
  Path path;
  Outcome outcome;
};

/// Estimated seconds of a path; nothing if it has no program. Pure.
using Estimator = std::function<std::optional<double>(const Path&)>;

/// Decides by its seed and the outcomes alone: the same ones give the same proposals.
class Proposer {
 public:
  virtual ~Proposer() = default;
  /// A round of paths that were not proposed before. Empty: there is nothing more to try.
  virtual std::vector<Path> next(const std::vector<Tried>& tried) = 0;
};

/// random, uniform: independent draws, by weight or with equal chances.
/// genetic: rounds of 30; after the first one a level has the values that the best 8 have.
/// narrowing: 40 random ones; then rounds of the best 6, 4 neighbours each, which keep each value with .75.
/// guided: the 24 that the estimate thinks fastest of 3,000 draws; then rounds as in narrowing, whose neighbours are
/// the most promising of eight times as many. None of them is exact. Sources: the thesis named in problem.h,
/// section 4.6 (random, genetic, narrowing); guided is ours.
std::unique_ptr<Proposer> make_proposer(Algorithm algorithm, const TreeView& tree, const Estimator& estimator,
                                        std::uint64_t seed);

/// Indices of the `count` fastest that ran, fastest first.
std::vector<std::size_t> fastest(const std::vector<Tried>& tried, std::size_t count);

}  // namespace convscope::cpu
