#pragma once
// Programs with one thing wrong.

#include <string>

#include "core/nmp/architecture/program.h"
#include "random_problems.h"

namespace convscope::nmp {

struct Mutant {
  std::string what;  ///< is wrong, e.g. "nmp_wait at 31 left out"
  Program program;
};

/// What is changed is chosen at random; what comes of it may be harmless.
Mutant mutant_of(const Program& program, RandomProblems& random);

}  // namespace convscope::nmp
