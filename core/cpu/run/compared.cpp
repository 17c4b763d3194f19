#include "core/cpu/run/compared.h"

namespace convscope::cpu {

Outcome compared(const TestData& data, const float* plain, double error_growth) {
  const Distance found = distance(data, plain, error_growth);
  Outcome outcome;
  outcome.ending = found.within() ? Ending::ran : Ending::wrong_result;
  outcome.error = found.error;
  outcome.bound = found.bound;
  outcome.error_max = found.max;
  outcome.error_l2 = found.l2;
  if (!found.within()) outcome.message = told(data, plain, found);
  return outcome;
}

}  // namespace convscope::cpu
