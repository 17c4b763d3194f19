#pragma once
// What a network's program should compute, from the network's graph: the reference of graphs executes it with the same
// weights, biases, constants and formats. It knows nothing of tilings, places or instructions.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/nmp/trained/network_numbers.h"
#include "core/nmp/trained/reference_function.h"
#include "core/reference/executor.h"

namespace convscope::nmp {

/// What a step has left in DRAM, in the order of its output's elements.
struct StepResult {
  std::vector<std::int32_t> words;
  std::vector<bool> written;  ///< copies write a part of a concatenation
};

/// Results of a step beside what the graph makes of the same operands: rounded once, from an exact sum.
struct StepDifference {
  std::int64_t elements = 0, different = 0;
  std::int64_t most = 0;  ///< in last bits
};

class QuantizedNetwork {
 public:
  /// A graph whose folded operators are gone into weights and biases, with the constants of `numbers` in the place of
  /// its own, and the functions that tables and gates stand for (reference_function.h). All must outlive it.
  QuantizedNetwork(const network::Network& network, const Dataflow& flow, const std::vector<const SolvedLayer*>& solved,
                   const NetworkNumbers& numbers);

  /// `results`: of each step, as the machine has them in DRAM. They are compared with the graph's (`differences`, added
  /// to) and take their place, so that each step is seen on the machine's own operands; what follows the last of them
  /// the host computes in floating point. The network's outputs; nothing, with diagnostics, if it can't be executed.
  /// Throws Cancelled.
  std::optional<reference::FloatTensors> execute(const reference::FloatTensors& inputs,
                                                 const std::vector<StepResult>& results,
                                                 std::vector<StepDifference>& differences, Diagnostics& diagnostics,
                                                 const std::stop_token& stop) const;

 private:
  /// What happens to a tensor once it is there.
  struct Change {
    int weights_of = -1;   ///< step whose weights it is
    int sums_of = -1;      ///< step whose products it is the sum of: the bias is added
    int function_of = -1;  ///< step whose input it is as yet, by a node that did nothing: the function is taken
    int result_of = -1;    ///< step whose result it is
    bool stored = false;   ///< it lies in DRAM from the start
    std::vector<double> values = {};  ///< constant that it is
  };

  bool is_constant(int tensor) const;
  void prepare(const LinkedStep& step, int index, const LayerWork& work, int node);
  void prepare_sums(const LinkedStep& step, int index, network::Node& layer);
  void prepare_constants(int index, network::Node& layer);
  void prepare_factors(const LinkedStep& step, int index, network::Node& layer);
  void take_number(network::Node& layer, double value);
  int add_constant(const std::string& name, const std::vector<std::int64_t>& dimensions);
  void set_weights(int step, reference::FloatTensor& value) const;
  void add_biases(int step, reference::FloatTensor& value) const;
  void compare(const StepResult& result, int tensor, reference::FloatTensor& value, StepDifference& difference) const;

  network::Graph graph_;
  const Dataflow& flow_;
  const NetworkNumbers& numbers_;
  std::vector<Change> changes_;                   // by tensor
  std::vector<quantization::Format> sums_;        // by step: of products
  std::vector<bool> product_, columns_, floors_;  // by step: no convolution; its filters are columns; it rounds down
  std::vector<std::optional<ReferenceFunction>> functions_{};  // by step
};

}  // namespace convscope::nmp
