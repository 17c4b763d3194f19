#pragma once
// What a layer's tiles go through, beyond their sizes.

#include <string>

#include "core/nmp/architecture/instruction.h"
#include "core/nmp/cost/convolution.h"

namespace convscope::nmp {

struct Computing {
  Computation computation = Computation::convolution;
  int slope = 0;             ///< of `slope`, with 15 fraction bits
  bool rectifies = false;    ///< results below 0 are 0
  std::string missing = {};  ///< why no instruction computes it; empty if one does
  bool operator==(const Computing&) const = default;
};

/// Of layers without a network: sums of products, greatest inputs, sums of two.
inline Computing usual_computing(const Convolution& convolution) {
  switch (convolution.operation) {
    case Operator::fully_connected:
      return {.computation = Computation::dot_product};
    case Operator::pool:
      return {.computation = Computation::max_pool};
    case Operator::pairs:
      return {.computation = Computation::add};
    case Operator::convolution:
      break;
  }
  return {};
}

}  // namespace convscope::nmp
