#pragma once
// A layer's program with what is known of its speed: what all artifacts are made from.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/quantity.h"
#include "core/cpu/architecture/machine.h"
#include "core/cpu/architecture/path.h"
#include "core/cpu/architecture/problem.h"
#include "core/cpu/estimate/estimate.h"
#include "core/cpu/generate/nest.h"
#include "core/cpu/rank/ranking.h"

namespace convscope::cpu {

/// Somebody else's convolution of the same problem, which ran in turn with a program of ours.
struct StoredPeer {
  std::string name, implementation;  ///< "oneDNN direct", "brgconv:avx512_core"
  double seconds = 0;                ///< median where samples were gated, else their minimum
  bool operator==(const StoredPeer&) const = default;
};

/// A measurement of it that somebody stored.
struct StoredRun {
  double seconds = 0;  ///< median where samples were gated, else their minimum
  double peak = 0;     ///< FLOP/s of one core in the same run
  double error = 0;    ///< largest difference from double precision
  int samples = 0;
  std::string host;
  std::vector<StoredPeer> peers = {};  ///< fastest first; empty: never compared
  bool operator==(const StoredRun&) const = default;
};

/// A path that was run, for the pictures of a search.
struct StoredTry {
  Path path;
  std::string outcome;  ///< empty if it ran
  double seconds = 0;
  std::optional<double> error = {};  ///< max |e| / rms of the outputs
};

struct ChosenProgram {
  Problem problem;
  Machine machine;
  Path path;
  Nest nest;
  Estimate estimate;
  std::optional<StoredRun> run;            ///< nothing at level `estimate`, or if none is stored
  std::string remark;                      ///< what people should know of the choice; may be empty
  std::shared_ptr<const Drawn> drawn;      ///< what it was chosen from
  std::shared_ptr<const Ranking> ranking;  ///< of `drawn`
  std::vector<StoredTry> tries;            ///< in the order in which they were run
  double error_bound = 0;                  ///< of the latest search that asked for one (max); 0: none

  double seconds() const { return run ? run->seconds : estimate.seconds; }
  Origin origin() const { return run ? Origin::measured : Origin::estimate; }
  /// Multiply-adds of the method: of a direct convolution those whose image element exists; of Winograd's those of the
  /// products, and the steps of transforms.
  double method_macs() const;
  /// FLOP/s of all cores that it may use.
  double peak() const;
};

}  // namespace convscope::cpu
