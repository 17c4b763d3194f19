#include "core/cpu/stored/accepted_runs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/cpu/run/test_data.h"
#include "core/cpu/stored/stored_peers.h"
#include "core/cpu/tree/tree.h"
#include "core/cpu/tree/winograd.h"

namespace convscope::cpu {
namespace {

constexpr std::size_t most_records = 5000;
constexpr std::string_view level_of_rest = "partial", level_before_rest = "points";

/// Not what is run again after one.
bool of_search(const Record& record) {
  constexpr std::array<std::string_view, 5> others{"final", "compilers", "by hand", beside_peers, of_peer};
  return std::find(others.begin(), others.end(), record.algorithm) == others.end();
}

/// How much more than a plain sum's a path's errors may grow; 0 if it isn't one of this version's.
double growth_of(const Problem& problem, const Path& path) {
  Diagnostics ignored;  // a path of another version says nothing here
  if (path.find("transform") == nullptr) return 1;
  return check(problem, any_machine(problem), path, ignored) ? kernel_transform(decode(problem, path)).error_growth : 0;
}

}  // namespace

Path in_this_version(const Problem& problem, const Path& path) {
  if (path.find(level_of_rest) != nullptr) return path;
  const auto points = std::find_if(path.choices.begin(), path.choices.end(),
                                   [](const Choice& choice) { return choice.level == level_before_rest; });
  if (points == path.choices.end()) return path;
  Path so_far{{path.choices.begin(), points + 1}};
  if (next_level(problem, so_far) != level_of_rest) return path;
  so_far.choices.push_back({std::string(level_of_rest), "discard"});
  so_far.choices.insert(so_far.choices.end(), points + 1, path.choices.end());
  return so_far;
}

/// The store keeps |e| and what a sum of this length may err, which has the outputs' root mean square in it.
std::optional<double> relative_error(const Record& record) {
  const double growth = growth_of(record.problem, in_this_version(record.problem, record.path));
  const double rms = growth > 0 ? record.outcome.bound / relative_bound(record.problem, growth) : 0;
  return rms > 0 ? std::optional(record.outcome.error / rms) : std::nullopt;
}

Acceptance::Acceptance(const Store& store, const Problem& problem, const std::string& host) {
  std::vector<Record> searched = store.runs(problem, most_records);
  std::erase_if(searched, [&](const Record& record) { return record.host != host || !of_search(record); });
  if (searched.empty()) return;
  asked_ = find_accuracy(searched.front().algorithm).value_or(Accuracy{});
  for (const Record& record : searched) {
    const auto accuracy = find_accuracy(record.algorithm);
    if (record.outcome.ran() && accuracy && accuracy->metric == asked_.metric && accuracy->bound <= asked_.bound)
      within_.insert(json(record.path));
  }
}

bool Acceptance::accepts(const Record& record) const {
  if (!record.outcome.ran()) return false;
  if (asked_.bound <= 0 && record.path.find("transform") == nullptr) return true;
  if (within_.contains(json(record.path))) return true;
  const auto error = relative_error(record);
  const double most = asked_.bound > 0 ? asked_.bound : std::max(usual_error, relative_bound(record.problem, 1));
  return !error || *error <= most;
}

}  // namespace convscope::cpu
