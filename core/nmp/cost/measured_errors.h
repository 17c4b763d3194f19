#pragma once
// The measured errors of the levels' DRAM times: data, as the test that measures them prints it.

#include <vector>

namespace convscope::nmp {

struct MeasuredError {
  const char* dram;   ///< kind
  const char* level;  ///< "volume", "burst", "banked", "walk"
  int runs;           ///< RunKind
  double mean, worst;
  int layers;
};

const std::vector<MeasuredError>& measured_errors();

}  // namespace convscope::nmp
