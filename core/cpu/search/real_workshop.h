#pragma once
// The real world of a search: this decision tree, generator, estimate, compiler, machine and store.

#include <memory>

#include "core/cpu/architecture/machine.h"
#include "core/cpu/run/measure.h"
#include "core/cpu/search/search.h"
#include "core/cpu/store/store.h"
#include "core/cpu/tree/tree.h"
#include "core/cpu/tree/weights.h"

namespace convscope::cpu {

struct RealWorld {
  const Laboratory* laboratory = nullptr;  ///< open, of the problem
  TreeMachine tree;                        ///< families of the machine that measures
  Weights weights;
  CpuMachine machine;      ///< that the estimate asks
  Store* store = nullptr;  ///< null: nothing is kept
  SearchIdentity identity;
  RunOptions variant_run;  ///< of a variant alone
  RunOptions final_run;    ///< of the comparison at the end
  /// What the store could not keep. Written to while the search runs.
  Diagnostics* diagnostics = nullptr;
};

/// The pointers of `world` outlive the workshop. What `final` runs are stored as is "final", beside the search's own.
Workshop real_workshop(const RealWorld& world);

}  // namespace convscope::cpu
