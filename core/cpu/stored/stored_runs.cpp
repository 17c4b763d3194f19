#include "core/cpu/stored/stored_runs.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/cpu/run/host.h"
#include "core/cpu/run/test_data.h"
#include "core/cpu/store/store.h"
#include "core/cpu/tree/tree.h"
#include "core/cpu/tree/winograd.h"

namespace convscope::cpu {
namespace {

constexpr std::size_t shown_tries = 2000;

double seconds_of(const Outcome& outcome) {
  return outcome.gated ? outcome.median : outcome.minimum;
}

std::string elsewhere(const Store& store, const Problem& problem) {
  const auto other = store.best(problem, {});
  if (!other) return "nothing is stored of it: this is the estimate";
  std::string model = other->host;
  for (const Host& host : store.hosts())
    if (host.identity() == other->host) model = host.model;
  return fmt::format("stored of another host alone ({:.4g} ms on {}): this is the estimate",
                     1e3 * seconds_of(other->outcome), model);
}

double growth_of(const Problem& problem, const Path& path) {
  Diagnostics ignored;  // a path of another version says nothing here
  if (path.find("transform") == nullptr) return 1;
  return check(problem, any_machine(problem), path, ignored) ? kernel_transform(decode(problem, path)).error_growth : 0;
}

/// The store keeps |e| and what a sum of this length may err, which has the outputs' root mean square in it.
std::optional<double> relative_error(const Record& record) {
  const double growth = growth_of(record.problem, record.path);
  const double rms = growth > 0 ? record.outcome.bound / relative_bound(record.problem, growth) : 0;
  return rms > 0 ? std::optional(record.outcome.error / rms) : std::nullopt;
}

double bound_of(const Store& store, const Problem& problem, const std::string& host) {
  bool any = false;
  for (const Record& record : store.runs(problem, shown_tries)) {
    if (record.host != host) continue;
    any = true;
    const auto asked = find_accuracy(record.algorithm);
    if (asked) return asked->metric == ErrorMetric::max ? asked->bound : 0;
  }
  return any ? usual_error : 0;
}

std::vector<StoredTry> tries_of(const Store& store, const Problem& problem, const std::string& host) {
  std::vector<StoredTry> tries;
  for (const Record& record : store.runs(problem, shown_tries)) {
    if (record.host != host || record.path.choices.empty()) continue;
    const bool ran = record.outcome.ran();
    tries.push_back({record.path, ran ? std::string() : std::string(key(record.outcome.ending)),
                     ran ? seconds_of(record.outcome) : 0, relative_error(record)});
  }
  std::reverse(tries.begin(), tries.end());
  return tries;
}

StoredChoice choice_of(const Store& store, const Problem& problem, const Host& host) {
  StoredChoice choice;
  const auto best = store.best(problem, host.identity());
  choice.tries = tries_of(store, problem, host.identity());
  choice.error_bound = bound_of(store, problem, host.identity());
  if (!best) {
    choice.remark = elsewhere(store, problem);
  } else if (best->path.choices.empty()) {
    choice.remark = fmt::format("the best that is stored was written by hand ({:.4g} ms): this is the estimate",
                                1e3 * seconds_of(best->outcome));
  } else {
    choice.path = best->path;
    const Outcome& outcome = best->outcome;
    choice.run = {seconds_of(outcome), outcome.peak, outcome.error, outcome.samples, host.model};
  }
  return choice;
}

}  // namespace

StoredChoices stored_choices(const std::string& path, const std::vector<Problem>& problems) {
  StoredChoices choices;
  std::error_code missing;
  if (!std::filesystem::exists(path, missing)) {
    for (const Problem& each : problems)
      choices[text(each)].remark = fmt::format("nothing is stored yet in {}: this is the estimate", path);
    return choices;
  }
  Diagnostics diagnostics;
  const auto store = Store::open(path, diagnostics);
  if (!store) {
    for (const Problem& each : problems) choices[text(each)].remark = "this is the estimate: " + diagnostics.text();
    return choices;
  }
  const Host host = this_host();
  for (const Problem& each : problems) choices.try_emplace(text(each), choice_of(*store, each, host));
  return choices;
}

}  // namespace convscope::cpu
