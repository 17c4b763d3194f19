#pragma once
// What tables and gates make of real numbers, as docs/nmp-program.md says it ("Other computations", "Functions"): from
// the network's operator by the reference of graphs. Of a program's own tables it knows nothing but their formats.

#include <optional>
#include <vector>

#include "core/network/graph.h"
#include "core/quantization/format.h"

namespace convscope::nmp {

class ReferenceFunction {
 public:
  /// The operator, executed at the ends of 128 segments of equal length of all that the input's format holds, rounded
  /// to the output's (of no number: 0), and straight lines between. Nothing if the reference can't execute it.
  static std::optional<ReferenceFunction> table(const network::Node& node, int opset, const quantization::Format& in,
                                                const quantization::Format& out);
  /// x times `factor` * x + `constant`, which is rounded to 14 fraction bits and lies between 0 and 1.
  static ReferenceFunction gate(double factor, double constant);

  /// Of a number that the input's format holds. It isn't rounded yet.
  double operator()(double x) const;

 private:
  double least_ = 0, length_ = 1;  // of the first segment, and of each
  std::vector<double> ends_;       // of the segments; empty: a gate
  double factor_ = 0, constant_ = 0;
};

}  // namespace convscope::nmp
