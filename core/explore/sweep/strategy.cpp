#include "core/explore/sweep/strategy.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/explore/sweep/refinement.h"

namespace convscope::explore {
namespace {

// Large enough that no core waits long for the last points of a batch, small enough to be forgotten.
constexpr std::uint64_t batch_size = 8192;

class Grid : public Strategy {
 public:
  Grid(std::uint64_t begin, std::uint64_t end) : begin_(begin), at_(begin), end_(end) {}

  std::vector<std::uint64_t> next(const Front&) override {
    std::vector<std::uint64_t> batch;
    for (const std::uint64_t end = std::min(end_, at_ + batch_size); at_ < end; ++at_) batch.push_back(at_);
    return batch;
  }
  std::optional<std::uint64_t> total() const override { return end_ - begin_; }

 private:
  std::uint64_t begin_, at_, end_;
};

class RandomPoints : public Strategy {
 public:
  RandomPoints(std::uint64_t size, std::uint64_t seed, std::uint64_t begin, std::uint64_t end)
      : permutation_(size, seed), begin_(begin), at_(begin), end_(end) {}

  // Neighbours share passes, so a batch is sorted.
  std::vector<std::uint64_t> next(const Front&) override {
    std::vector<std::uint64_t> batch;
    for (const std::uint64_t end = std::min(end_, at_ + batch_size); at_ < end; ++at_)
      batch.push_back(permutation_(at_));
    std::sort(batch.begin(), batch.end());
    return batch;
  }
  std::optional<std::uint64_t> total() const override { return end_ - begin_; }

 private:
  const Permutation permutation_;
  std::uint64_t begin_, at_, end_;
};

}  // namespace

std::string strategy_text(const StrategyOptions& options) {
  switch (options.kind) {
    case StrategyKind::grid:
      return "grid";
    case StrategyKind::random:
      return fmt::format("random seed={}", options.seed);
    case StrategyKind::refine:
      return fmt::format("refine seed={}", options.seed);
  }
  return {};
}

bool check_strategy(const StrategyOptions& options, const Space& space, Diagnostics& diagnostics) {
  const std::uint64_t size = space.size();
  if (options.kind == StrategyKind::grid && size > largest_grid)
    diagnostics.error({}, fmt::format("the space has {} points", size),
                      fmt::format("at most {} for a full grid", largest_grid),
                      "take the strategy random or refine, or larger steps");
  else if (options.kind == StrategyKind::random && (options.budget == 0 || options.budget > largest_grid))
    diagnostics.error({}, fmt::format("a random sample of {} points", options.budget),
                      fmt::format("a number of points from 1 to {}", largest_grid), "say how many are to be drawn");
  else if (options.kind == StrategyKind::refine && options.shard.parts > 1)
    diagnostics.error({}, "refinement can't be divided into shards", "one shard",
                      "each of its rounds needs the whole front");
  else
    return true;
  return false;
}

std::unique_ptr<Strategy> make_strategy(const StrategyOptions& options, std::shared_ptr<const Space> space) {
  const std::uint64_t size = space->size();
  switch (options.kind) {
    case StrategyKind::grid:
      return std::make_unique<Grid>(options.shard.begin(size), options.shard.end(size));
    case StrategyKind::random: {
      const std::uint64_t drawn = std::min(options.budget, size);
      return std::make_unique<RandomPoints>(size, options.seed, options.shard.begin(drawn), options.shard.end(drawn));
    }
    case StrategyKind::refine:
      return std::make_unique<Refinement>(std::move(space), options.budget, options.seed);
  }
  return nullptr;
}

}  // namespace convscope::explore
