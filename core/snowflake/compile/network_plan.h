#pragma once
// What is decided about a whole network before its layers are compiled: layer objects, fixed-point positions.

#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "core/quantization/format.h"
#include "core/snowflake/architecture/machine.h"
#include "core/snowflake/parse/parse.h"
#include "core/snowflake/trained/trained_network.h"
#include "core/target/compiled.h"

namespace convscope::snowflake {

struct SnowflakePlan : target::NetworkPlan {
  ParsedNetwork parsed;
  std::shared_ptr<const TrainedNetwork> trained;  ///< null if the network has no values
};

/// One position for all layers' weights, inputs and outputs. Source: "Compiling Deep Learning Models …", section 5.3
/// (Q8.8 and Q5.11; by range counts as Q8.8 here). Average pools keep their input's position; their weights, all below
/// one, take 15 bits of fraction. Limits of Clip become remarks: they aren't applied.
void set_fixed_point(ParsedNetwork& parsed, FixedPoint choice);

/// Of the last network that was asked for what stays while machines change: its graph in real numbers, and what tensors
/// hold.
class KnownRanges {
 public:
  struct Ranges {
    std::vector<quantization::Range> tensors;  ///< by tensor of the graph; empty if it can't be executed
    std::string refused;                       ///< why then
  };
  /// quantization::in_real_numbers; the graph itself where no tensor has a scale of its own. Null, with why in
  /// `refused`, if one can't be used.
  std::shared_ptr<const network::Graph> real(const network::Network& network, std::string& refused);
  /// Over `inputs`, or over four seeded ones. Executes the network in floating point; throws Cancelled.
  std::shared_ptr<const Ranges> of(const std::shared_ptr<const network::Graph>& graph,
                                   const std::vector<reference::FloatTensors>& inputs, const std::stop_token& stop);

 private:
  std::shared_ptr<const Ranges> remembered(const std::shared_ptr<const network::Graph>& graph);

  std::mutex mutex_;  ///< not held while executing: several may execute the same network
  std::weak_ptr<const network::Graph> integers_, graph_;
  std::shared_ptr<const network::Graph> real_;  ///< what stands for `integers_`
  std::shared_ptr<const Ranges> known_;
};

/// `calibration`: inputs whose ranges count where positions are chosen by range; seeded ones if there are none. `known`
/// remembers theirs; may be null. Where the network has no values, it is Q8.8 and every layer's remarks say why.
std::shared_ptr<const SnowflakePlan> make_plan(const network::Network& network, const Machine& machine,
                                               const std::vector<reference::FloatTensors>& calibration = {},
                                               KnownRanges* known = nullptr, const std::stop_token& stop = {});

}  // namespace convscope::snowflake
