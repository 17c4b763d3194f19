#pragma once
// Networks with values as one program each, for tests.

#include <memory>
#include <string>
#include <vector>

#include "core/snowflake/compile/network_plan.h"
#include "core/snowflake/trained/trained_run.h"

namespace convscope::snowflake {

struct TrainedModel {
  network::Network network;
  std::shared_ptr<const SnowflakePlan> plan;
  Program program;             ///< all layers, at level paper
  std::vector<int> positions;  ///< of the program's layers in the plan
  std::string refused;
};

/// A file of the folder of real networks, with shapes.
network::Network read_model(const std::string& path);
TrainedModel compile_model(network::Network network, FixedPoint fixed_point,
                           const std::vector<reference::FloatTensors>& calibration = {});

/// What runs of several inputs said together.
struct Agreement {
  FloatAgreement agreement;
  std::vector<std::string> wrong;  ///< of each run that wasn't equal to the reference, why
};
Agreement run_model(const TrainedModel& model, const std::vector<reference::FloatTensors>& inputs);
/// What the last layer of the program says.
std::vector<double> answer_of(const TrainedModel& model, const reference::FloatTensors& input);

/// Values that came with a network: a tensor of ONNX, or the one array of 32-bit floats in an .npz file.
reference::FloatTensor given_tensor(const std::string& path);
std::vector<double> array_values(const std::string& path);
/// As the network's one input.
reference::FloatTensors given_input(const network::Network& network, const std::string& path);
reference::FloatTensors given_array(const network::Network& network, const std::string& path);
std::vector<reference::FloatTensors> seeded(const network::Network& network, std::uint64_t first_seed, int count);

}  // namespace convscope::snowflake
