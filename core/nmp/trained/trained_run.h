#pragma once
// A network with weights as a whole on the simulator, on an input that means something.

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/nmp/host/run.h"
#include "core/nmp/link/link.h"
#include "core/nmp/trained/network_numbers.h"
#include "core/quantization/error.h"
#include "core/reference/executor.h"

namespace convscope::nmp {

struct TrainedProgram {
  LinkedProgram linked;  ///< which has a program
  NetworkNumbers numbers;
};

/// The network's program with formats from the greatest magnitudes of its tensors (network_numbers.h), and from the
/// partial sums that the inputs show (partial_sums.h; none: these are unknown). Nothing, with diagnostics, where it has
/// none, or where its file's values can't be used. Throws Cancelled.
std::optional<TrainedProgram> link_trained(const network::Network& network, const OperatorPlan& plan,
                                           const std::vector<const SolvedLayer*>& solved,
                                           const std::vector<double>& most,
                                           const std::vector<reference::FloatTensors>& inputs,
                                           const std::stop_token& stop, Diagnostics& diagnostics);

struct TrainedRun {
  ComparedRun run;  ///< against the reference of programs
  /// Results of all layers beside their sums rounded once, each on the machine's own operands: all, and those that
  /// differ, as where partial sums are rounded on the way or an average has a rounded factor.
  std::int64_t results = 0, rounded_otherwise = 0;
  std::int64_t most_apart = 0;  ///< of these, in last bits
  std::string fault;            ///< a layer that differs with no reason to
  quantization::Error error;    ///< of the network's outputs, against floating point throughout
  bool same_answer = true;      ///< the largest value of each output stands in the same place
};

/// Runs it on inputs in floating point, each image of a batch the same. Nothing, with diagnostics, if these can't be
/// taken or the graph can't be executed. Throws Cancelled.
std::optional<TrainedRun> run_trained(const network::Network& network, const TrainedProgram& program,
                                      const std::vector<const SolvedLayer*>& solved,
                                      const reference::FloatTensors& inputs, const SimulationOptions& options,
                                      const std::stop_token& stop, Diagnostics& diagnostics);

/// Greatest magnitudes by tensor of the network's graph, which is executed for each of the inputs, with normalizations
/// folded. Nothing, with diagnostics, if that fails. Throws Cancelled.
std::optional<std::vector<double>> seen_magnitudes(const network::Graph& graph,
                                                   const std::vector<reference::FloatTensors>& inputs,
                                                   const std::stop_token& stop, Diagnostics& diagnostics);
/// Likewise, of what `quantize --json` printed.
std::optional<std::vector<double>> magnitudes_of_file(const network::Graph& graph, const std::string& file,
                                                      Diagnostics& diagnostics);

}  // namespace convscope::nmp
