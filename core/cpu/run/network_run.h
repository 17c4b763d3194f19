#pragma once
// A network's programs one after the other in one child: what it is told and what it answers. Everything stands in the
// child's stdin: the request as JSON, then the contents of tensors, each at a multiple of 64 bytes.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/cpu/architecture/family.h"
#include "core/cpu/run/outcome.h"
#include "core/cpu/run/sampling.h"
#include "core/flyte/flyte.h"

namespace convscope::cpu {

struct NetworkRunRequest {
  struct Buffer {
    std::int64_t values = 0;
    std::int64_t contents = -1;  ///< bytes from the beginning of the contents, stored; -1: a step makes it
    flyte::Storage storage = {};
    int behind = 0;  ///< bytes behind the last value that programs may read

    std::int64_t bytes() const { return values * storage.bytes; }
  };
  struct Step {
    int library = 0;
    std::string symbol;
    bool convolution = false;  ///< convolution(image, kernel, output); else (inputs, output), see plain_code.h
    std::vector<int> inputs;   ///< buffers
    int output = 0;
    std::int64_t expected = -1;  ///< contents that the output should have, floats; -1: isn't known
    double bound = 0;            ///< largest difference that is allowed
  };
  struct Output {
    int buffer = 0;
    std::int64_t expected = 0;  ///< contents, floats, that it is held against once all steps ran
  };
  std::vector<Output> outputs;
  /// In the run that is checked, what is expected of a step takes the place of what it gave: numbers that are stored
  /// rounded may be off by a last bit, and that mustn't add up.
  bool step_by_step = false;
  std::vector<std::string> libraries;  ///< paths
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  Family family = Family::scalar;  ///< of the loops around samples
  SamplingOptions sampling;        ///< a sample is one run through all steps
  int cpu_seconds = 60;
  std::uint64_t more_bytes = 0;
};

struct NetworkRunAnswer {
  struct Step {
    double minimum = 0, median = 0;  ///< seconds
    double error = 0;                ///< of the first run
  };
  struct Output {
    double error = 0;              ///< the largest
    double signal = 0, noise = 0;  ///< sums of squares, of what was expected and of errors
    bool same_largest = false;     ///< the largest value stands in the same place
  };
  std::vector<Output> outputs;
  Outcome whole;            ///< of all steps together; what went wrong, and in which step
  std::vector<Step> steps;  ///< as asked for, if it ran
};

std::string text(const NetworkRunRequest& request);
std::optional<NetworkRunRequest> parse_network_request(const std::string& text);
std::string text(const NetworkRunAnswer& answer);
std::optional<NetworkRunAnswer> parse_network_answer(const std::string& text);

/// The argument that makes the helper run a network; `bytes` of request.
std::string network_argument(std::size_t bytes);
/// Nothing if the argument is another one.
std::optional<std::size_t> parse_network_argument(const std::string& argument);

/// In the child: as run_as_child.
int run_network_as_child(std::size_t request_bytes);

}  // namespace convscope::cpu
