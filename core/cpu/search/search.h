#pragma once
// Searching the fastest program of a problem. Everything outside (tree, generator, compiler, machine, store) comes as
// functions, so that a search can be tried with made-up ones.

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/cpu/architecture/path.h"
#include "core/cpu/run/outcome.h"
#include "core/cpu/search/proposals.h"

namespace convscope::cpu {

/// A path on its way to be measured.
struct Prepared {
  std::any program;                ///< what `run` takes
  std::optional<Outcome> failure;  ///< it never comes to `run`
  std::uint64_t source_hash = 0;
  std::int64_t temporary_bytes = 0;
};

/// Which measurement of a path is meant. Times that were taken alone differ by what others did on the machine then, up
/// to a tenth on virtual ones: those in turn, in one process, can be told apart.
struct Occasion {
  enum class Kind { alone, in_turn, final } kind = Kind::alone;
  int round = 0;  ///< of those in turn: after which round of proposals
};

struct Workshop {
  TreeView tree;
  Estimator estimate;
  /// Generates and compiles some, which may share what they need. Called from several threads. Throws Cancelled.
  std::function<std::vector<Prepared>(const std::vector<Path>&, const std::stop_token&)> prepare;
  /// Measures, one at a time. Throws Cancelled.
  std::function<Outcome(const Prepared&, const std::stop_token&)> run;
  /// Measures several in one run, in turn, those of the end thoroughly. Throws Cancelled.
  std::function<std::vector<Outcome>(const std::vector<Prepared>&, Occasion::Kind, const std::stop_token&)> compare;
  /// What this search measured before it was interrupted.
  std::function<std::optional<Outcome>(const Path&, const Occasion&)> known;
  std::function<void(const Path&, const Prepared&, const Outcome&, const Occasion&)> keep;
};

struct SearchOptions {
  Algorithm algorithm = Algorithm::guided;
  int variants = 100;
  std::uint64_t seed = 1;
  int finals = 12;  ///< so many finalists are compared in one run after each round and at the end; 0: none
  int threads = 0;  ///< that compile; 0: as many as there are cores
};

struct SearchResult {
  std::vector<Tried> variants;  ///< in the order of proposal, each with its last measurement before the end
  std::vector<Tried> finals;    ///< of the finalists; empty if stopped before
  int reused = 0;               ///< of the variants, whose measurement was known
  bool stopped = false;
};

/// The fastest: of the finals if there are any, else of the variants. Null if none ran.
const Tried* best(const SearchResult& result);
/// Paths of the fastest, the fastest first.
std::vector<Path> best_paths(const SearchResult& result, std::size_t count);
/// How often variants ended how.
std::map<Ending, int> endings(const SearchResult& result);
/// What most of those that didn't run had for a message; empty if all ran.
std::string usual_failure(const SearchResult& result);

/// Called after each variant, in order, on the caller's thread.
using VariantCallback = std::function<void(const SearchResult& so_far)>;

/// Tries variants until there are as many as wanted, or the tree has no more. The same seed and the same outcomes give
/// the same result, for any number of threads and wherever it was interrupted before. A variant that fails is one of
/// the result; it doesn't end the search. Ends at once when stopped, with what there is. While something is measured
/// nothing is compiled. Before an algorithm that learns proposes more, the fastest so far are measured again, in turn.
SearchResult search(const Workshop& workshop, const SearchOptions& options, const VariantCallback& progress,
                    const std::stop_token& stop);

}  // namespace convscope::cpu
