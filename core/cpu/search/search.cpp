#include "core/cpu/search/search.h"

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "core/base/cancellation.h"
#include "core/cpu/search/finalists.h"
#include "core/cpu/search/sums.h"

namespace convscope::cpu {
namespace {

constexpr int most_idle = 20;  ///< rounds of paths that are all left out
/// Paths that are compiled together: the same on every computer, as what is left out of the next ones depends on it.
constexpr std::size_t portion = 8;

class Search {
 public:
  Search(const Workshop& workshop, const SearchOptions& options, const VariantCallback& progress,
         const std::stop_token& stop)
      : workshop_(workshop),
        options_(options),
        progress_(progress),
        stop_(stop),
        threads_(options.threads > 0 ? options.threads
                                     : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))),
        arena_(threads_) {}

  SearchResult run() try {
    const auto proposer = make_proposer(options_.algorithm, workshop_.tree, workshop_.estimate, options_.seed);
    for (int idle = 0; room() > 0 && idle < most_idle;) {
      throw_if_stopped(stop_);
      std::vector<Path> round = proposer->next(result_.variants);
      if (round.empty()) break;
      round.resize(std::min(round.size(), room()));
      const std::size_t before = result_.variants.size();
      try_all(round);
      let_go();
      if (room() > 0 && learns(options_.algorithm)) compare_in_turn();
      idle = result_.variants.size() > before ? 0 : idle + 1;
    }
    compare_fastest();
    return std::move(result_);
  } catch (const Cancelled&) {
    result_.stopped = true;
    return std::move(result_);
  }

 private:
  std::size_t room() const {
    const auto wanted = static_cast<std::size_t>(std::max(0, options_.variants));
    return wanted - std::min(wanted, result_.variants.size());
  }

  /// In portions, so that somebody who watches sees something soon. What adds as a program did that was inaccurate is
  /// left out: it would be, too.
  void try_all(const std::vector<Path>& round) {
    for (std::size_t next = 0; next < round.size();) {
      const std::set<std::string> inaccurate = inaccurate_sums(result_.variants);
      std::vector<Path> some;
      for (; next < round.size() && some.size() < portion; ++next)
        if (!inaccurate.contains(sums_of(round[next]))) some.push_back(round[next]);
      try_some(some);
    }
  }

  void try_some(const std::vector<Path>& paths) {
    std::vector<std::optional<Outcome>> outcomes;
    outcomes.reserve(paths.size());
    for (const Path& path : paths) outcomes.push_back(known(path, {}));
    std::vector<Prepared> prepared = prepare(paths, outcomes);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (outcomes[i])
        ++result_.reused;
      else
        outcomes[i] = measured(paths[i], prepared[i]);
      if (outcomes[i]->ran() && prepared[i].program.has_value())
        at_hand_.emplace(result_.variants.size(), std::move(prepared[i]));
      result_.variants.push_back({paths[i], *outcomes[i]});
      if (progress_) progress_(result_);
    }
  }

  /// Those that have no outcome yet, as many at once as each thread gets.
  std::vector<Prepared> prepare(const std::vector<Path>& paths, const std::vector<std::optional<Outcome>>& outcomes) {
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < paths.size(); ++i)
      if (!outcomes[i]) missing.push_back(i);
    std::vector<Prepared> prepared(paths.size());
    const std::size_t parts = std::min(missing.size(), static_cast<std::size_t>(threads_));
    arena_.execute([&] {
      tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
        throw_if_stopped(stop_);
        const auto begin = missing.begin() + static_cast<std::ptrdiff_t>(missing.size() * part / parts);
        const auto end = missing.begin() + static_cast<std::ptrdiff_t>(missing.size() * (part + 1) / parts);
        prepare_these({begin, end}, paths, prepared);
      });
    });
    return prepared;
  }

  void prepare_these(const std::vector<std::size_t>& these, const std::vector<Path>& paths,
                     std::vector<Prepared>& prepared) const {
    std::vector<Path> some;
    some.reserve(these.size());
    for (const std::size_t i : these) some.push_back(paths[i]);
    std::vector<Prepared> made = workshop_.prepare(some, stop_);
    for (std::size_t i = 0; i < these.size(); ++i) prepared[these[i]] = std::move(made[i]);
  }

  Outcome measured(const Path& path, const Prepared& prepared) {
    throw_if_stopped(stop_);
    Outcome outcome = prepared.failure ? *prepared.failure : workshop_.run(prepared, stop_);
    if (was_tried(outcome)) workshop_.keep(path, prepared, outcome, {});
    return outcome;
  }

  std::vector<std::size_t> finalists_so_far() const {
    return finalists(result_.variants, static_cast<std::size_t>(std::max(0, options_.finals)));
  }

  /// Those that were prepared and aren't among the fastest.
  void let_go() {
    const std::vector<std::size_t> chosen = finalists_so_far();
    std::erase_if(at_hand_,
                  [&](const auto& one) { return std::find(chosen.begin(), chosen.end(), one.first) == chosen.end(); });
  }

  void compare_in_turn() {
    const std::vector<std::size_t> chosen = finalists_so_far();
    const auto outcomes = compared(chosen, {Occasion::Kind::in_turn, ++rounds_});
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      if (was_tried(outcomes[i])) result_.variants[chosen[i]].outcome = outcomes[i];
  }

  void compare_fastest() {
    const std::vector<std::size_t> chosen = finalists_so_far();
    const auto outcomes = compared(chosen, {Occasion::Kind::final, 0});
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      result_.finals.push_back({result_.variants[chosen[i]].path, outcomes[i]});
  }

  /// Whether it came to a program's turn: one that crashes takes the others' times with it, and a full disk says
  /// nothing of a program. What wasn't tried is when the search goes on.
  static bool was_tried(const Outcome& outcome) { return outcome.ending != Ending::unavailable; }

  std::optional<Outcome> known(const Path& path, const Occasion& occasion) const {
    auto outcome = workshop_.known(path, occasion);
    return outcome && was_tried(*outcome) ? outcome : std::nullopt;
  }

  /// Of these variants in one run; empty if one of them doesn't compile any more: the disk, the memory.
  std::vector<Outcome> compared(const std::vector<std::size_t>& chosen, const Occasion& occasion) {
    if (chosen.empty()) return {};
    std::vector<Outcome> stored;
    for (const std::size_t i : chosen)
      if (const auto outcome = known(result_.variants[i].path, occasion)) stored.push_back(*outcome);
    if (stored.size() == chosen.size()) return stored;
    throw_if_stopped(stop_);
    const std::vector<Prepared> prepared = prepare_again(chosen);
    for (const Prepared& each : prepared)
      if (each.failure) return {};
    std::vector<Outcome> outcomes = workshop_.compare(prepared, occasion.kind, stop_);
    for (std::size_t i = 0; i < chosen.size(); ++i)
      if (was_tried(outcomes[i])) workshop_.keep(result_.variants[chosen[i]].path, prepared[i], outcomes[i], occasion);
    return outcomes;
  }

  /// Those that aren't at hand: their measurements were known.
  std::vector<Prepared> prepare_again(const std::vector<std::size_t>& chosen) {
    std::vector<Path> missing;
    std::vector<std::size_t> places;
    for (const std::size_t i : chosen)
      if (!at_hand_.contains(i)) missing.push_back(result_.variants[i].path), places.push_back(i);
    std::vector<Prepared> made = prepare(missing, std::vector<std::optional<Outcome>>(missing.size()));
    std::map<std::size_t, Prepared> failed;  // this time: a full disk may have room again
    for (std::size_t i = 0; i < made.size(); ++i)
      (made[i].failure ? failed : at_hand_).emplace(places[i], std::move(made[i]));
    std::vector<Prepared> all;
    all.reserve(chosen.size());
    for (const std::size_t i : chosen) all.push_back(failed.contains(i) ? failed.at(i) : at_hand_.at(i));
    return all;
  }

  const Workshop& workshop_;
  const SearchOptions& options_;
  const VariantCallback& progress_;
  const std::stop_token& stop_;
  const int threads_;
  tbb::task_arena arena_;
  SearchResult result_;
  std::map<std::size_t, Prepared> at_hand_;  ///< by place among the variants
  int rounds_ = 0;
};

}  // namespace

const Tried* best(const SearchResult& result) {
  for (const std::vector<Tried>* list : {&result.finals, &result.variants}) {
    const auto found = fastest(*list, 1);
    if (!found.empty()) return &(*list)[found.front()];
  }
  return nullptr;
}

std::vector<Path> best_paths(const SearchResult& result, std::size_t count) {
  const std::vector<Tried>& list = result.finals.empty() ? result.variants : result.finals;
  std::vector<Path> paths;
  for (const std::size_t i : fastest(list, count)) paths.push_back(list[i].path);
  return paths;
}

std::map<Ending, int> endings(const SearchResult& result) {
  std::map<Ending, int> counts;
  for (const Tried& tried : result.variants) ++counts[tried.outcome.ending];
  return counts;
}

std::string usual_failure(const SearchResult& result) {
  std::map<std::string, int> counts;
  for (const Tried& tried : result.variants)
    if (!tried.outcome.ran()) ++counts[tried.outcome.message];
  const auto most = std::max_element(counts.begin(), counts.end(),
                                     [](const auto& one, const auto& other) { return one.second < other.second; });
  return most == counts.end() ? std::string() : most->first;
}

SearchResult search(const Workshop& workshop, const SearchOptions& options, const VariantCallback& progress,
                    const std::stop_token& stop) {
  return Search(workshop, options, progress, stop).run();
}

}  // namespace convscope::cpu
