#include "core/cpu/search/walk.h"

#include <numeric>

namespace convscope::cpu {
namespace {

constexpr int tries = 200;
constexpr std::size_t deepest = 200;  // levels of a tree that would never end

/// Index of an option; -1 if there is none to be chosen.
int pick(const std::vector<double>& weights, double share) {
  double rest = share * std::accumulate(weights.begin(), weights.end(), 0.0);
  int last = -1;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = static_cast<int>(i);
    if (rest < weights[i]) break;
    rest -= weights[i];
  }
  return last;
}

}  // namespace

std::uint64_t Chance::next() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

double Chance::share() {
  return static_cast<double>(next() >> 11) * 0x1p-53;
}

std::optional<Path> Walker::walk(const Preference& preference) {
  Path path;
  for (std::string level = tree_.next_level(path); !level.empty(); level = tree_.next_level(path)) {
    const std::vector<Option> options = tree_.options(path);
    std::vector<double> weights, all;
    for (const Option& option : options) {
      all.push_back(option.rejected.empty() ? option.weight : 0);
      weights.push_back(all.back() > 0 ? preference(level, option) : 0);
    }
    const double share = chance_.share();
    int chosen = pick(weights, share);
    if (chosen < 0) chosen = pick(all, share);
    if (chosen < 0 || path.choices.size() >= deepest) return std::nullopt;
    path.choices.push_back({level, options[static_cast<std::size_t>(chosen)].value});
  }
  return path;
}

std::optional<Path> Walker::fresh(const Preference& preference) {
  for (int i = 0; i < tries; ++i) {
    auto path = walk(preference);
    if (path && take(*path)) return path;
  }
  return std::nullopt;
}

std::optional<Path> Walker::fresh(Weighting weighting) {
  return fresh(
      [&](const std::string&, const Option& option) { return weighting == Weighting::uniform ? 1.0 : option.weight; });
}

std::optional<Path> Walker::neighbour(const Path& from, double keep) {
  for (int i = 0; i < tries; ++i) {
    // Decided once a level, before its values are looked at.
    std::string level;
    bool kept = false;
    auto path = walk([&](const std::string& now, const Option& option) {
      if (now != level) {
        level = now;
        kept = chance_.share() < keep;
      }
      if (!kept) return option.weight;
      const std::string* value = from.find(now);
      return value && *value == option.value ? 1.0 : 0.0;
    });
    if (path && take(*path)) return path;
  }
  return std::nullopt;
}

}  // namespace convscope::cpu
