#include "core/cpu/search/proposals.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <unordered_set>

#include "core/cpu/search/sums.h"

namespace convscope::cpu {
namespace {

constexpr std::array<std::string_view, 5> keys = {"guided", "narrowing", "genetic", "random", "uniform"};

constexpr int random_round = 30;
constexpr std::size_t parents = 8;                   // genetic
constexpr int narrowing_first = 40, neighbours = 4;  // narrowing
constexpr std::size_t narrowing_best = 6;
constexpr double keep = 0.75;
constexpr int guided_draws = 3000, guided_first = 24, crowd = 8;  // guided

/// Appends what `draw` gives, up to `count` paths.
template <typename Draw>
void draw_some(int count, std::vector<Path>& paths, const Draw& draw) {
  for (int i = 0; i < count; ++i) {
    auto path = draw();
    if (!path) return;
    paths.push_back(std::move(*path));
  }
}

class RandomProposer : public Proposer {
 public:
  RandomProposer(const TreeView& tree, std::uint64_t seed, Walker::Weighting weighting)
      : walker_(tree, seed), weighting_(weighting) {}

  std::vector<Path> next(const std::vector<Tried>&) override {
    std::vector<Path> round;
    draw_some(random_round, round, [&] { return walker_.fresh(weighting_); });
    return round;
  }

 private:
  Walker walker_;
  const Walker::Weighting weighting_;
};

class GeneticProposer : public Proposer {
 public:
  GeneticProposer(const TreeView& tree, std::uint64_t seed) : walker_(tree, seed) {}

  std::vector<Path> next(const std::vector<Tried>& tried) override {
    std::map<std::string, std::set<std::string>> values;
    for (const std::size_t parent : fastest(tried, parents))
      for (const Choice& choice : tried[parent].path.choices) values[choice.level].insert(choice.value);
    std::vector<Path> round;
    draw_some(random_round, round, [&] {
      return walker_.fresh([&](const std::string& level, const Option& option) {
        const auto allowed = values.find(level);
        return allowed == values.end() || allowed->second.count(option.value) ? option.weight : 0.0;
      });
    });
    // The values of the best are used up: something new is let in.
    if (round.empty()) draw_some(random_round, round, [&] { return walker_.fresh(Walker::Weighting::weighted); });
    return round;
  }

 private:
  Walker walker_;
};

class NarrowingProposer : public Proposer {
 public:
  NarrowingProposer(const TreeView& tree, std::uint64_t seed) : walker_(tree, seed) {}

  std::vector<Path> next(const std::vector<Tried>& tried) override {
    std::vector<Path> round;
    const auto best = fastest(tried, narrowing_best);
    if (best.empty()) draw_some(narrowing_first, round, [&] { return walker_.fresh(Walker::Weighting::weighted); });
    for (const std::size_t parent : best)
      draw_some(neighbours, round, [&] { return walker_.neighbour(tried[parent].path, keep); });
    return round;
  }

 private:
  Walker walker_;
};

/// Paths with their estimates, the most promising first.
class Ranking {
 public:
  explicit Ranking(const Estimator& estimator) : estimator_(estimator) {}

  void add(Path path) {
    const auto seconds = estimator_(path);
    if (seconds) ranked_.push_back({*seconds, std::move(path)});
  }
  /// Those that the estimate can't tell apart count as one until there are no others.
  std::vector<Path> best(int count) {
    std::stable_sort(ranked_.begin(), ranked_.end(), [](const One& a, const One& b) { return a.seconds < b.seconds; });
    std::vector<Path> result;
    for (const bool twins : {false, true}) {
      double last = -1;
      for (One& one : ranked_) {
        if (static_cast<int>(result.size()) == count) return result;
        const bool twin = one.seconds == last;
        last = one.seconds;
        if (twin == twins) result.push_back(one.path);
      }
    }
    return result;
  }

 private:
  struct One {
    double seconds;
    Path path;
  };
  const Estimator& estimator_;
  std::vector<One> ranked_;
};

class GuidedProposer : public Proposer {
 public:
  GuidedProposer(const TreeView& tree, const Estimator& estimator, std::uint64_t seed)
      : tree_(tree), estimator_(estimator), seed_(seed) {}

  std::vector<Path> next(const std::vector<Tried>& tried) override {
    const auto best = fastest(tried, narrowing_best);
    left_out_ = inaccurate_sums(tried);
    std::vector<Path> round = best.empty() ? first() : around(tried, best);
    for (const Path& path : round) proposed_.insert(hash(path));
    return round;
  }

 private:
  /// Each time from other draws; those that were proposed before, or add as an inaccurate one did, are left out.
  std::vector<Path> first() {
    Walker walker(tree_, seed_ + ++rounds_ * 0x9e3779b97f4a7c15ULL);
    Ranking ranking(estimator_);
    for (int i = 0; i < guided_draws; ++i) {
      auto path = walker.fresh(Walker::Weighting::weighted);
      if (!path) break;
      if (is_new(*path)) ranking.add(std::move(*path));
    }
    return ranking.best(guided_first);
  }

  std::vector<Path> around(const std::vector<Tried>& tried, const std::vector<std::size_t>& best) {
    std::vector<Path> round;
    Walker walker(tree_, seed_ + ++rounds_ * 0x9e3779b97f4a7c15ULL);
    for (const std::size_t parent : best) {
      Ranking ranking(estimator_);
      for (int i = 0; i < neighbours * crowd; ++i) {
        auto path = walker.neighbour(tried[parent].path, keep);
        if (path && is_new(*path)) ranking.add(std::move(*path));
      }
      for (Path& path : ranking.best(neighbours)) round.push_back(std::move(path));
    }
    return round.empty() ? first() : round;
  }

  bool is_new(const Path& path) const { return proposed_.count(hash(path)) == 0 && !left_out_.contains(sums_of(path)); }

  const TreeView& tree_;
  const Estimator& estimator_;
  const std::uint64_t seed_;
  std::uint64_t rounds_ = 0;
  std::unordered_set<std::uint64_t> proposed_;
  std::set<std::string> left_out_;  ///< sums that were inaccurate
};

}  // namespace

std::string_view key(Algorithm algorithm) {
  return keys[static_cast<std::size_t>(algorithm)];
}

bool learns(Algorithm algorithm) {
  return algorithm != Algorithm::random && algorithm != Algorithm::uniform;
}

std::optional<Algorithm> find_algorithm(std::string_view key) {
  for (const Algorithm algorithm : all_algorithms)
    if (keys[static_cast<std::size_t>(algorithm)] == key) return algorithm;
  return std::nullopt;
}

std::vector<std::size_t> fastest(const std::vector<Tried>& tried, std::size_t count) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < tried.size(); ++i)
    if (tried[i].outcome.ran()) result.push_back(i);
  std::stable_sort(result.begin(), result.end(),
                   [&](std::size_t a, std::size_t b) { return tried[a].outcome.minimum < tried[b].outcome.minimum; });
  result.resize(std::min(count, result.size()));
  return result;
}

std::unique_ptr<Proposer> make_proposer(Algorithm algorithm, const TreeView& tree, const Estimator& estimator,
                                        std::uint64_t seed) {
  switch (algorithm) {
    case Algorithm::guided:
      return std::make_unique<GuidedProposer>(tree, estimator, seed);
    case Algorithm::narrowing:
      return std::make_unique<NarrowingProposer>(tree, seed);
    case Algorithm::genetic:
      return std::make_unique<GeneticProposer>(tree, seed);
    case Algorithm::random:
      return std::make_unique<RandomProposer>(tree, seed, Walker::Weighting::weighted);
    case Algorithm::uniform:
      break;
  }
  return std::make_unique<RandomProposer>(tree, seed, Walker::Weighting::uniform);
}

}  // namespace convscope::cpu
