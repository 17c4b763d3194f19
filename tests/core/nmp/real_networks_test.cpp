// Every network file there is: which get a program of the whole network, and why the others don't.

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "core/nmp/host/run.h"
#include "whole_network.h"

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

/// Programs that are small enough to be run with data here.
constexpr double most_macs = 4e8;

void run(const WholeNetwork& whole, const std::string& file) {
  const Program program = whole.program();
  if (static_cast<double>(whole.linked->metrics().macs) > most_macs) {
    const SimulationResult timed = simulate(program);
    EXPECT_FALSE(timed.refusal) << file << ": " << timed.refusal->text();
    return;
  }
  EXPECT_EQ(refusals_of(program), "") << file;
  const ComparedRun run = run_and_compare(program, 1);
  EXPECT_TRUE(run.equal()) << file << ": " << run.text();
}

TEST(RealNetworks, GetProgramsOrReasons) {
  if (!in_full()) GTEST_SKIP() << "CONVSCOPE_FULL=1 takes every file";
  int programs = 0, refused = 0;
  for (const std::string& file : files()) {
    Diagnostics diagnostics;
    const auto network = catalogue::standard()->read_network(file, diagnostics);
    if (!network || network->layers.size() < 2) continue;
    const WholeNetwork whole(*network, board_of_all(false));
    std::printf("%s: %s\n", file.substr(std::string(CONVSCOPE_MODELS).size() + 1).c_str(), whole.operation().c_str());
    ++(whole.has_program() ? programs : refused);
    if (whole.has_program()) run(whole, file);
  }
  std::printf("%d of %d have a program\n", programs, programs + refused);
  EXPECT_GE(programs, 35);
}

}  // namespace
}  // namespace convscope::nmp
