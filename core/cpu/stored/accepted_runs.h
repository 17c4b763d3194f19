#pragma once
// Which stored measurements count: those of programs that err no more than the latest search allowed.

#include <optional>
#include <set>
#include <string>

#include "core/cpu/architecture/accuracy.h"
#include "core/cpu/store/store.h"

namespace convscope::cpu {

/// A path as this version has it. Those stored before there was a level `partial` computed whole tiles and stored no
/// outputs beyond the last: they get `discard` where this version asks. Others stay as they are.
Path in_this_version(const Problem& problem, const Path& path);

/// max|e| / rms(y) of a stored run. Nothing if its path isn't one of this version's, or the store doesn't say.
std::optional<double> relative_error(const Record& record);

/// Of one problem on one host.
class Acceptance {
 public:
  Acceptance(const Store& store, const Problem& problem, const std::string& host);

  /// By the latest search; a bound of 0 if it asked for none, or there is no search.
  const Accuracy& asked() const { return asked_; }
  /// Whether it ran and errs no more than that; where nothing was asked for, Winograd's programs may err `usual_error`
  /// or as much as a plain sum. The store has no |e| / |y|: by that metric a run counts if a search that asked for as
  /// little found its path, or if even the largest error is within the bound. What isn't known is accepted.
  bool accepts(const Record& record) const;

 private:
  Accuracy asked_;
  std::set<std::string> within_;  ///< paths, as JSON, that a search found to be within `asked_` by its own metric
};

}  // namespace convscope::cpu
