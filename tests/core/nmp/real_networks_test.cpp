// Every network file there is: which get a program of the whole network, and why the others don't.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "core/nmp/architecture/assembly.h"
#include "core/nmp/host/run.h"
#include "core/nmp/nmp_target.h"
#include "core/nmp/verify/verify_program.h"
#include "random_problems.h"

namespace convscope::nmp {
namespace {

std::vector<std::string> files() {
  std::vector<std::string> found;
  for (const char* folder : {"caffe", "darknet", "onnx-light", "onnx-odd", "onnx-real", "onnx-shape-only",
                             "onnx-text-glow", "tflite", "tf-pb", "onnx-pytorch-converted"}) {
    const std::string path = std::string(CONVSCOPE_MODELS) + "/" + folder;
    if (!std::filesystem::exists(path)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
      const std::string ending = entry.path().extension().string();
      for (const char* known : {".prototxt", ".cfg", ".onnx", ".onnxtxt", ".tflite", ".pb"})
        if (ending == known && entry.path().string().find("test_data_set") == std::string::npos &&
            entry.path().string().find("_output_") == std::string::npos)
          found.push_back(entry.path().string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

struct Linked {
  target::CompiledLayers layers;
  std::shared_ptr<const target::LinkedNetwork> network;
};

Linked linked(const network::Network& network) {
  Machine machine = board();
  machine.borders = Borders::exact;
  machine.all_operators = true;
  const arch::ParameterValues values = parameter_values(machine);
  const auto target = make_nmp_target();
  target::NoCache cache;
  const target::NetworkRequest request{&network, &values, "burst"};
  const auto plan = target->prepare(request, cache, {});
  Linked result;
  for (std::size_t i = 0; i < network.layers.size(); ++i)
    result.layers.push_back(target->compile({&network, static_cast<int>(i), &values, "burst", plan.get()}, cache, {}));
  result.network = target->link(request, plan.get(), result.layers, cache, {});
  return result;
}

/// Programs that are small enough to be run with data here.
constexpr double most_macs = 4e8;

void run(const target::LinkedNetwork& network, const std::string& file) {
  Diagnostics diagnostics;
  const auto program = read_any_program(network.program_file(0), "n.json", diagnostics);
  ASSERT_TRUE(program) << file << ": " << diagnostics.text();
  if (static_cast<double>(network.metrics().macs) > most_macs) {
    const SimulationResult timed = simulate(*program);
    EXPECT_FALSE(timed.refusal) << file << ": " << timed.refusal->text();
    return;
  }
  verify_program(*program, diagnostics);
  EXPECT_EQ(diagnostics.text(), "") << file;
  const ComparedRun run = run_and_compare(*program, 1);
  EXPECT_TRUE(run.equal()) << file << ": " << run.text();
}

TEST(RealNetworks, GetProgramsOrReasons) {
  if (std::getenv("CONVSCOPE_FULL") == nullptr) GTEST_SKIP() << "CONVSCOPE_FULL=1 takes every file";
  int programs = 0, refused = 0;
  for (const std::string& file : files()) {
    Diagnostics diagnostics;
    const auto network = catalogue::standard()->read_network(file, diagnostics);
    if (!network || network->layers.size() < 2) continue;
    const Linked made = linked(*network);
    ASSERT_TRUE(made.network) << file;
    const std::string what(made.network->metrics().text("operation"));
    std::printf("%s: %s\n", file.substr(std::string(CONVSCOPE_MODELS).size() + 1).c_str(), what.c_str());
    ++(made.network->program_count() > 0 ? programs : refused);
    if (made.network->program_count() > 0) run(*made.network, file);
  }
  std::printf("%d of %d have a program\n", programs, programs + refused);
  EXPECT_GE(programs, 35);
}

}  // namespace
}  // namespace convscope::nmp
