#pragma once
// Measuring a network as a whole: its layers one after the other, each on what the one before it made.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/cpu/architecture/machine.h"
#include "core/cpu/network/network_program.h"
#include "core/cpu/run/measure.h"
#include "core/cpu/run/network_run.h"
#include "core/cpu/store/store.h"

namespace convscope::cpu {

/// The largest error of the network's outputs. Where a softmax makes one, of what goes into it: the logits.
struct OutputError {
  std::string tensor;
  double error = 0, largest = 0;  ///< largest |difference| from the reference's values, and |value| of them
  double signal = 0, noise = 0;   ///< sums of squares: of the reference's values, and of differences from them
  double sqnr = 0;                ///< dB, of both; infinite if there is no difference
  bool same_largest = false;      ///< the largest value stands where the reference has it: the same class
  double relative() const { return largest > 0 ? error / largest : error; }
};

struct NetworkTimes {
  NetworkProgram program;   ///< without contents of buffers
  NetworkRunAnswer answer;  ///< times of its steps
  double operations = 0;    ///< two for each multiply-add of convolutions whose image element exists
  std::vector<OutputError> outputs;
  std::vector<std::vector<OutputError>> others;  ///< the same of further inputs
  std::vector<std::string> left_out;             ///< nodes that are left to the host
  std::string compiler, flags;
};

struct NetworkMeasureOptions {
  CompileOptions compile = {};
  SamplingOptions sampling = {60, 2.0, false};
  std::uint64_t seed = 1;  ///< of the input, and of coefficients that the network has no values for
  int inputs = 1;  ///< that outputs are held against the network in floats for; one is timed and checked step by step
};

/// Programs from the store where it has some of this host, else by estimate; one thread. All values are compared with
/// the reference executor's: |error| <= 16 eps (sqrt(taps of all convolutions so far) rms + largest). Tensors and
/// coefficients that the machine stores as flyte are rounded in the reference too, and each step is then checked on
/// what the reference has for its inputs, with four times what rounding its own values may do allowed besides; errors
/// of `outputs` are always those of a run from begin to end, against the network in floats; so are those of further
/// inputs, which the same programs run. Nothing, with
/// diagnostics, where the network can't be measured as a whole, or a value is wrong. Throws Cancelled.
std::optional<NetworkTimes> measure_whole(const network::Network& network, const Machine& machine, const Store& store,
                                          const std::string& host, const Availability& availability,
                                          const NetworkMeasureOptions& options, const std::stop_token& stop,
                                          Diagnostics& diagnostics);

}  // namespace convscope::cpu
