#pragma once
// What the store knows of a network's layers: level `stored`.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/cpu/architecture/path.h"
#include "core/cpu/architecture/problem.h"
#include "core/cpu/artifacts/chosen_program.h"

namespace convscope::cpu {

/// Of one problem.
struct StoredChoice {
  Path path;                     ///< best of those measured on this host that err no more than allowed; may be empty
  StoredRun run;                 ///< of that path
  std::string remark;            ///< why there is none, or what else is known; may be empty
  std::vector<StoredTry> tries;  ///< of this host, first to last
  double error_bound = 0;        ///< the latest search's; 1e-5 if it asked for none; 0 if nothing is stored
};

/// By the problem's text.
using StoredChoices = std::map<std::string, StoredChoice>;

/// Reads the store at `path` if it is there; nothing is made or changed. What hinders is a remark of every problem.
StoredChoices stored_choices(const std::string& path, const std::vector<Problem>& problems);

}  // namespace convscope::cpu
