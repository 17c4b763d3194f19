#include "core/cpu/search/search.h"

#include <algorithm>
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
constexpr std::size_t portion = 4;

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
    for (const Path& path : paths) outcomes.push_back(workshop_.known(path, false));
    const std::vector<Prepared> prepared = prepare(paths, outcomes);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (outcomes[i])
        ++result_.reused;
      else
        outcomes[i] = measured(paths[i], prepared[i]);
      result_.variants.push_back({paths[i], *outcomes[i]});
      if (progress_) progress_(result_);
    }
  }

  /// Those that have no outcome yet, in parallel.
  std::vector<Prepared> prepare(const std::vector<Path>& paths, const std::vector<std::optional<Outcome>>& outcomes) {
    std::vector<Prepared> prepared(paths.size());
    arena_.execute([&] {
      tbb::parallel_for(std::size_t{0}, paths.size(), [&](std::size_t i) {
        throw_if_stopped(stop_);
        if (!outcomes[i]) prepared[i] = workshop_.prepare(paths[i], stop_);
      });
    });
    return prepared;
  }

  Outcome measured(const Path& path, const Prepared& prepared) {
    throw_if_stopped(stop_);
    Outcome outcome = prepared.failure ? *prepared.failure : workshop_.run(prepared, stop_);
    workshop_.keep(path, prepared, outcome, false);
    return outcome;
  }

  void compare_fastest() {
    std::vector<Path> paths;
    std::vector<std::optional<Outcome>> outcomes;
    for (const std::size_t i : finalists(result_.variants, static_cast<std::size_t>(std::max(0, options_.finals)))) {
      paths.push_back(result_.variants[i].path);
      outcomes.push_back(workshop_.known(paths.back(), true));
    }
    const bool all_known =
        std::all_of(outcomes.begin(), outcomes.end(), [](const auto& each) { return each.has_value(); });
    if (!all_known) {
      const std::vector<Prepared> prepared = prepare(paths, std::vector<std::optional<Outcome>>(paths.size()));
      const bool good =
          std::none_of(prepared.begin(), prepared.end(), [](const Prepared& each) { return each.failure.has_value(); });
      if (!good) return;  // what compiled before doesn't now: the disk, the memory
      const std::vector<Outcome> compared = workshop_.compare(prepared, stop_);
      for (std::size_t i = 0; i < paths.size(); ++i) {
        outcomes[i] = compared[i];
        workshop_.keep(paths[i], prepared[i], compared[i], true);
      }
    }
    for (std::size_t i = 0; i < paths.size(); ++i) result_.finals.push_back({paths[i], *outcomes[i]});
  }

  const Workshop& workshop_;
  const SearchOptions& options_;
  const VariantCallback& progress_;
  const std::stop_token& stop_;
  const int threads_;
  tbb::task_arena arena_;
  SearchResult result_;
};

}  // namespace

const Tried* best(const SearchResult& result) {
  for (const std::vector<Tried>* list : {&result.finals, &result.variants}) {
    const auto found = fastest(*list, 1);
    if (!found.empty()) return &(*list)[found.front()];
  }
  return nullptr;
}

std::map<Ending, int> endings(const SearchResult& result) {
  std::map<Ending, int> counts;
  for (const Tried& tried : result.variants) ++counts[tried.outcome.ending];
  return counts;
}

SearchResult search(const Workshop& workshop, const SearchOptions& options, const VariantCallback& progress,
                    const std::stop_token& stop) {
  return Search(workshop, options, progress, stop).run();
}

}  // namespace convscope::cpu
