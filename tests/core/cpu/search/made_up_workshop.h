#pragma once
// A world without compilers: a tree of five levels whose paths have a speed, some of which are hostile.

#include <atomic>
#include <cmath>
#include <map>
#include <string>

#include "core/base/cancellation.h"
#include "core/cpu/search/search.h"

namespace convscope::cpu::test {

struct MadeUpWorld {
  std::map<std::string, Outcome> store;  ///< by path
  std::atomic<int> prepared = 0;
  int measured = 0;
  int values = 8;        ///< of each level
  double hostile = 0.2;  ///< share of paths
  int stop_after = -1;   ///< measurements until `source` is stopped
  std::stop_source source;

  static int number(const Path& path, std::size_t level) { return std::stoi(path.choices[level].value); }

  /// Best at value 5 of each level, with an interaction of neighbouring ones.
  static double seconds(const Path& path) {
    double cost = 1;
    for (std::size_t i = 0; i < path.choices.size(); ++i) {
      cost += 0.1 * std::abs(number(path, i) - 5);
      if (i > 0) cost += 0.03 * std::abs(number(path, i) - number(path, i - 1));
    }
    return 1e-3 * cost;
  }

  Outcome outcome(const Path& path) const {
    Outcome result;
    const double draw = static_cast<double>(hash(path) % 1000) / 1000;
    constexpr Ending kinds[] = {Ending::wrong_result, Ending::crash,   Ending::timeout,      Ending::memory,
                                Ending::file,         Ending::network, Ending::out_of_bounds};
    result.ending = draw < hostile ? kinds[hash(path) % 7] : Ending::ran;
    result.minimum = result.ran() ? seconds(path) : 0;
    return result;
  }

  TreeView tree() const {
    TreeView view;
    view.next_level = [](const Path& path) {
      return path.choices.size() == 5 ? std::string() : "level" + std::to_string(path.choices.size());
    };
    view.options = [count = values](const Path& path) {
      std::vector<Option> options;
      for (int i = 0; i < count; ++i) options.push_back({std::to_string(i), i % 3 == 0 ? 2.0 : 1.0, ""});
      // A contradiction: level 2 can't have level 1's value.
      if (path.choices.size() == 2)
        options[static_cast<std::size_t>(number(path, 1))] = {path.choices[1].value, 0, "taken"};
      return options;
    };
    return view;
  }

  static std::string key(const Path& path, const Occasion& occasion) {
    return json(path) + " " + std::to_string(static_cast<int>(occasion.kind)) + " " + std::to_string(occasion.round);
  }

  Workshop workshop() {
    Workshop result;
    result.tree = tree();
    result.estimate = [](const Path& path) {
      return seconds(path) * (0.8 + 0.4 * static_cast<double>(hash(path) % 97) / 97);
    };
    result.prepare = [this](const std::vector<Path>& paths, const std::stop_token& stop) {
      throw_if_stopped(stop);
      std::vector<Prepared> all(paths.size());
      for (std::size_t i = 0; i < paths.size(); ++i) {
        ++prepared;
        all[i].program = paths[i];
        if (hash(paths[i]) % 50 == 0) all[i].failure = failed(Ending::compile_error, "");
      }
      return all;
    };
    result.run = [this](const Prepared& made, const std::stop_token& stop) {
      if (measured == stop_after) source.request_stop();
      throw_if_stopped(stop);
      ++measured;
      return outcome(std::any_cast<const Path&>(made.program));
    };
    result.compare = [this](const std::vector<Prepared>& all, Occasion::Kind, const std::stop_token& stop) {
      std::vector<Outcome> outcomes;
      for (const Prepared& made : all) outcomes.push_back(outcome(std::any_cast<const Path&>(made.program)));
      throw_if_stopped(stop);
      return outcomes;
    };
    result.known = [this](const Path& path, const Occasion& occasion) -> std::optional<Outcome> {
      const auto found = store.find(key(path, occasion));
      return found == store.end() ? std::nullopt : std::optional(found->second);
    };
    result.keep = [this](const Path& path, const Prepared&, const Outcome& kept, const Occasion& occasion) {
      store[key(path, occasion)] = kept;
    };
    return result;
  }
};

inline bool same(const std::vector<Tried>& a, const std::vector<Tried>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(a[i].path == b[i].path) || a[i].outcome.ending != b[i].outcome.ending ||
        a[i].outcome.minimum != b[i].outcome.minimum)
      return false;
  return true;
}

}  // namespace convscope::cpu::test
