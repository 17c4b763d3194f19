#include "trained_frame.h"

#include <random>

#include <gtest/gtest.h>

#include "core/nmp/operators/operators.h"
#include "core/nmp/program_tools.h"
#include "core/quantization/named_inputs.h"

namespace convscope::nmp {

Machine machine_of(int element_bytes, int partial_sum_bytes) {
  Machine machine = board_of_all(false);
  machine.element_bytes = element_bytes;
  machine.partial_sum_bytes = partial_sum_bytes;
  return machine;
}

std::vector<float> random_floats(std::size_t count, unsigned seed, float scale) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = scale * (static_cast<float>(random() % 2001) / 1000 - 1);
  return values;
}

std::vector<reference::FloatTensors> inputs_of(const network::Network& network) {
  Diagnostics diagnostics;
  return *quantization::made_up_inputs(*network.graph, 3, diagnostics);
}

std::optional<TrainedProgram> TrainedNetwork::trained(const std::vector<reference::FloatTensors>& inputs,
                                                      Diagnostics& diagnostics, bool without_sums) const {
  const auto most = seen_magnitudes(*network.graph, inputs, {}, diagnostics);
  if (!most) return std::nullopt;
  return link_trained(network, dynamic_cast<const OperatorPlan&>(*plan), solved(), *most,
                      without_sums ? std::vector<reference::FloatTensors>() : inputs, {}, diagnostics);
}

TrainedRun TrainedNetwork::run(const TrainedProgram& program) const {
  Diagnostics diagnostics;
  auto run = run_trained(network, program, solved(), inputs_of(network).front(), {}, {}, diagnostics);
  EXPECT_TRUE(run) << diagnostics.text();
  return run.value_or(TrainedRun{});
}

target::SimulationResult TrainedNetwork::simulate(const std::vector<std::pair<std::string, std::string>>& values,
                                                  Diagnostics& diagnostics) const {
  target::OptionValues options(NmpSimulationTools().options());
  for (const auto& [name, value] : values) EXPECT_TRUE(options.set(name, value, diagnostics));
  return linked->simulate(options, {}, diagnostics).value_or(target::SimulationResult{});
}

TrainedRun expect_rounded_graph(const network::Network& network, int element_bytes, int partial_sum_bytes) {
  const TrainedNetwork trained(network, machine_of(element_bytes, partial_sum_bytes));
  Diagnostics diagnostics;
  const auto program = trained.trained(inputs_of(network), diagnostics);
  EXPECT_TRUE(program) << diagnostics.text() << trained.operation();
  if (!program) return {};
  EXPECT_EQ(refusals_of(*program->linked.program), "");
  TrainedRun run = trained.run(*program);
  EXPECT_TRUE(run.run.equal()) << run.run.text();
  EXPECT_EQ(run.fault, "");
  return run;
}

}  // namespace convscope::nmp
