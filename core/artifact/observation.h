#pragma once
// A measured figure with all that it takes to trust it.

#include <string>

#include "core/base/quantity.h"

namespace convscope::artifact {

struct Observation {
  std::string key;                          ///< of the figure: "seconds", or one of the target's own
  std::string label;                        ///< for people
  Quantity value{0, "", Origin::measured};  ///< median of the repetitions
  int repetitions = 0;
  double spread = 0;     ///< (third - first quartile) / median of the repetitions
  std::string host;      ///< processor and system that it ran on
  std::string date;      ///< ISO 8601, UTC
  std::string compiler;  ///< what made the program that ran, with its options; empty if nothing did
};

}  // namespace convscope::artifact
