#include "whole_network.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include <gtest/gtest.h>

#include "core/base/atomic_file.h"
#include "core/base/mapped_file.h"
#include "core/base/resources.h"
#include "core/network/shape_inference.h"
#include "core/nmp/architecture/assembly.h"
#include "core/nmp/nmp_target.h"
#include "core/nmp/operators/operators.h"
#include "core/nmp/verify/verify_program.h"
#include "core/readers/layer_list/layer_list.h"
#include "core/readers/onnx/onnx.h"
#include "core/readers/tflite/tflite.h"
#include "random_problems.h"

namespace convscope::nmp {
namespace {

std::shared_ptr<const target::NetworkPlan> plan_that_fuses(const network::Network& network, const Machine& machine) {
  return std::make_shared<const OperatorPlan>(plan_operators(
      network, [](const network::Layer&, const OperatorUse&) { return true; }, machine.element_bytes));
}

}  // namespace

Machine board_of_all(bool free_running, bool doubled_by_choice) {
  Machine machine = board();
  machine.borders = Borders::exact;
  machine.free_running = free_running;
  machine.choose_doubled = doubled_by_choice;
  machine.all_operators = true;
  return machine;
}

network::Network network_of(const std::string& text) {
  Diagnostics diagnostics;
  auto network = readers::read_layer_list_text(text, "n.xml", diagnostics);
  EXPECT_TRUE(network) << diagnostics.text();
  network::set_shapes(*network, {}, diagnostics);
  return network.value_or(network::Network{});
}

std::string model_path(const std::string& file) {
  std::string path = std::string(CONVSCOPE_MODELS) + "/" + file;
  return std::filesystem::exists(path) ? path : std::string();
}

network::Network network_of_file(const std::string& file) {
  Diagnostics diagnostics;
  const std::string path = model_path(file);
  const auto mapped = MappedFile::open(path, diagnostics);
  const auto read = file.ends_with(".tflite") ? readers::read_tflite : readers::read_onnx;
  auto network = mapped ? read(*mapped, path, diagnostics) : std::nullopt;
  EXPECT_TRUE(network) << diagnostics.text();
  if (network) network::set_shapes(*network, {}, diagnostics);
  return std::move(network).value_or(network::Network{});
}

std::string sample_text(const std::string& name) {
  Diagnostics diagnostics;
  return *read_file(sample_path("networks/" + name + ".xml"), diagnostics);
}

WholeNetwork::WholeNetwork(network::Network compiled, const Machine& machine, bool fuses)
    : network(std::move(compiled)) {
  const arch::ParameterValues values = parameter_values(machine);
  const auto target = make_nmp_target();
  target::NoCache cache;
  const target::NetworkRequest request{&network, &values, "burst"};
  plan = fuses ? plan_that_fuses(network, machine) : target->prepare(request, cache, {});
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    layers.push_back(target->compile({&network, static_cast<int>(i), &values, "burst", plan.get()}, cache, {}));
    if (layers.back()->program_count() > 0) estimate += layers.back()->metrics().seconds.value;
  }
  linked = target->link(request, plan.get(), layers, cache, {});
}

bool WholeNetwork::has_program() const {
  return linked->program_count() > 0;
}

std::string WholeNetwork::operation() const {
  return std::string(linked->metrics().text("operation"));
}

Program WholeNetwork::program() const {
  Diagnostics diagnostics;
  const auto read = read_any_program(linked->program_file(0), "n.json", diagnostics);
  EXPECT_TRUE(read) << diagnostics.text();
  return read.value_or(Program{});
}

std::vector<const SolvedLayer*> WholeNetwork::solved() const {
  std::vector<const SolvedLayer*> solved;
  for (const auto& layer : layers) solved.push_back(dynamic_cast<const SolvedLayer*>(layer.get()));
  return solved;
}

std::string refusals_of(const Program& program) {
  Diagnostics diagnostics;
  verify_program(program, diagnostics);
  return diagnostics.text();
}

bool in_full() {
  return std::getenv("CONVSCOPE_FULL") != nullptr;
}

}  // namespace convscope::nmp
