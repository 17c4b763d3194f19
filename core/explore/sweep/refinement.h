#pragma once
// Random order without a table, and successive refinement around the front.

#include <set>

#include "core/explore/sweep/strategy.h"

namespace convscope::explore {

/// A permutation of 0 … size - 1 drawn from a seed: a Feistel network over the next even power of two, walked until it
/// falls inside (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002).
class Permutation {
 public:
  Permutation(std::uint64_t size, std::uint64_t seed);
  std::uint64_t operator()(std::uint64_t index) const;

 private:
  std::uint64_t size_, seed_;
  int half_bits_ = 1;
};

/// Round 0 takes first, middle and last value of each axis (or a random sample, where those are too many); each later
/// round the neighbours of the front along each axis, half as far away, until all nearest neighbours were seen.
class Refinement : public Strategy {
 public:
  Refinement(std::shared_ptr<const Space> space, std::uint64_t budget, std::uint64_t seed);
  std::vector<std::uint64_t> next(const Front& front) override;

 private:
  std::vector<std::uint64_t> coarse() const;
  std::vector<std::uint64_t> neighbours(const Front& front) const;
  bool nearest() const;
  std::vector<std::uint64_t> unseen(std::vector<std::uint64_t> points);

  std::shared_ptr<const Space> space_;
  std::uint64_t budget_, seed_;
  int halvings_ = 0;  ///< of the distance to neighbours; 0: nothing was handed out yet
  std::set<std::uint64_t> seen_;
};

}  // namespace convscope::explore
