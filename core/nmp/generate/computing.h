#pragma once
// What a layer's tiles go through, beyond their sizes.

#include <cstdint>
#include <string>
#include <vector>

#include "core/nmp/architecture/instruction.h"
#include "core/nmp/cost/convolution.h"

namespace convscope::nmp {

/// Elements that lie side by side in an operand, and where they go.
struct Move {
  int operand = 0;
  std::int64_t from = 0, to = 0;  ///< first elements, of the operand and of the output
  bool operator==(const Move&) const = default;
};

struct Computing {
  Computation computation = Computation::convolution;
  int slope = 0;                         ///< of `slope`, with 15 fraction bits; of `affine` and `gate` the factor
  bool rectifies = false;                ///< results below 0 are 0
  std::string missing = {};              ///< why no instruction computes it; empty if one does
  int offset = 0;                        ///< of `affine` and `gate`
  int shift = -1;                        ///< of `affine` and `gate`; -1: as the numbers' format has it
  std::vector<std::int32_t> table = {};  ///< of `table`
  std::vector<Move> moves = {};          ///< of copies to elsewhere: one for each unit, all of equal length
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
    case Operator::spread:
      return {.computation = Computation::multiply_spread};
    case Operator::convolution:
      break;
  }
  return {};
}

}  // namespace convscope::nmp
