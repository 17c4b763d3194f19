#include "core/cpu/stored/stored_runs.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/cpu/run/host.h"
#include "core/cpu/store/store.h"
#include "core/cpu/stored/accepted_runs.h"
#include "core/cpu/stored/stored_peers.h"

namespace convscope::cpu {
namespace {

constexpr std::size_t shown_tries = 2000;

std::string elsewhere(const Store& store, const Problem& problem) {
  const auto other = store.best(problem, {});
  if (!other) return "nothing is stored of it: this is the estimate";
  std::string model = other->host;
  for (const Host& host : store.hosts())
    if (host.identity() == other->host) model = host.model;
  return fmt::format("stored of another host alone ({:.4g} ms on {}): this is the estimate",
                     1e3 * seconds_of(other->outcome), model);
}

std::vector<StoredTry> tries_of(const Store& store, const Problem& problem, const std::string& host) {
  std::vector<StoredTry> tries;
  for (const Record& record : store.runs(problem, shown_tries)) {
    if (record.host != host || record.path.choices.empty()) continue;
    const bool ran = record.outcome.ran();
    tries.push_back({in_this_version(problem, record.path),
                     ran ? std::string() : std::string(key(record.outcome.ending)),
                     ran ? seconds_of(record.outcome) : 0, relative_error(record)});
  }
  std::reverse(tries.begin(), tries.end());
  return tries;
}

/// By the largest error; 0 if another metric was asked for.
double shown_bound(const Accuracy& asked) {
  if (asked.bound <= 0) return usual_error;
  return asked.metric == ErrorMetric::max ? asked.bound : 0;
}

StoredChoice choice_of(const Store& store, const Problem& problem, const Host& host) {
  StoredChoice choice;
  const Acceptance acceptance(store, problem, host.identity());
  const auto best = store.best(problem, host.identity(), [&](const Record& each) { return acceptance.accepts(each); });
  choice.tries = tries_of(store, problem, host.identity());
  if (!choice.tries.empty()) choice.error_bound = shown_bound(acceptance.asked());
  if (!best && store.best(problem, host.identity())) {
    choice.remark = "what is stored errs more than the latest search allowed: this is the estimate";
  } else if (!best) {
    choice.remark = elsewhere(store, problem);
  } else if (best->path.choices.empty()) {
    choice.remark = fmt::format("the best that is stored was written by hand ({:.4g} ms): this is the estimate",
                                1e3 * seconds_of(best->outcome));
  } else {
    choice.path = in_this_version(problem, best->path);
    const Outcome& outcome = best->outcome;
    choice.run = {seconds_of(outcome), outcome.peak, outcome.error,
                  outcome.samples,     host.model,   stored_peers(store, problem, host.identity())};
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
