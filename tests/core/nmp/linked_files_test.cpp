// Joined programs of networks from samples and files.

#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "core/nmp/host/run.h"
#include "whole_network.h"

namespace convscope::nmp {
namespace {

struct SampleNetwork {
  const char* sample;
  double most_map_bytes;
  bool with_data;
};

/// What the region of maps takes; 0 if there is none.
std::int64_t map_bytes(const Program& program) {
  for (const Region& region : program.regions)
    if (region.kind == RegionKind::maps) return region.bytes;
  return 0;
}

// 04b: ResNet-50 4.82 MB, less where sums lie in place; InceptionV3 4.15.
TEST(LinkedNetworks, RunThePapersNetworks) {
  for (const SampleNetwork& whole : {SampleNetwork{"lenet", 1e5, true},
                                     {"squeezenet_1_0", 6e6, true},
                                     {"resnet50", 4.82e6, true},
                                     {"mobilenet_v2", 5e6, true},
                                     {"inception_v3", 4.2e6, false}}) {
    if (!in_full() && std::string(whole.sample) != "lenet") continue;
    const WholeNetwork network(network_of(sample_text(whole.sample)), board_of_all(false));
    ASSERT_TRUE(network.has_program()) << whole.sample;
    const Program program = network.program();
    EXPECT_LE(static_cast<double>(map_bytes(program)), whole.most_map_bytes) << whole.sample;
    const SimulationResult timed = simulate(program);
    ASSERT_FALSE(timed.refusal) << timed.refusal->text();
    EXPECT_LT(timed.seconds, 1.05 * network.estimate) << whole.sample;
    if (in_full())
      std::printf("%s: estimate %.0f us, run %.0f us, maps %.2f MB, tables %.1f KB, %zu instructions\n", whole.sample,
                  1e6 * network.estimate, 1e6 * timed.seconds, static_cast<double>(map_bytes(program)) * 1e-6,
                  static_cast<double>(program.tables.size()) * 4e-3, program.code.size());
    if (!whole.with_data) continue;
    EXPECT_EQ(refusals_of(program), "") << whole.sample;
    const ComparedRun run = run_and_compare(program, 1);
    EXPECT_TRUE(run.equal()) << whole.sample << ": " << run.text();
    const Program free_running = WholeNetwork(network_of(sample_text(whole.sample)), board_of_all(true)).program();
    EXPECT_EQ(refusals_of(free_running), "") << whole.sample;
    EXPECT_TRUE(run_and_compare(free_running, 1, {.jitter = 1}).equal()) << whole.sample;
  }
}

/// All barriers between layers are instructions that do nothing: right by luck alone, but nothing waits for them.
Program without_barriers(Program program) {
  const EncodedInstruction sync = encode({.operation = Operation::sync});
  for (std::size_t i = 0; i + 2 < program.code.size(); ++i)
    if (program.code[i] == sync) program.code[i] = encode({.operation = Operation::addi});
  return program;
}

// What waiting for single bytes instead of for whole layers could gain at most, within what the order of the DRAM's
// transfers changes.
TEST(LinkedNetworks, WaitATenthOfTheirTimeAtBarriersAtMost) {
  for (const char* sample : {"lenet", "squeezenet_1_0", "mobilenet_v2", "resnet50"}) {
    if (!in_full() && std::string(sample) != "lenet") continue;
    const Program program = WholeNetwork(network_of(sample_text(sample)), board_of_all(true)).program();
    const SimulationResult with = simulate(program), without = simulate(without_barriers(program));
    ASSERT_FALSE(with.refusal) << with.refusal->text();
    ASSERT_FALSE(without.refusal) << without.refusal->text();
    if (in_full())
      std::printf("%s: %.0f us, without barriers %.0f us\n", sample, 1e6 * with.seconds, 1e6 * without.seconds);
    EXPECT_LT(with.seconds, 1.12 * without.seconds) << sample;
  }
}

struct RealNetwork {
  const char* file;
  const char* program;  ///< what the totals say of it
  bool free_running = false;
};

TEST(LinkedNetworks, RunNetworksFromFiles) {
  for (const RealNetwork& real :
       {RealNetwork{"onnx-real/deeploy-MCUNet/network.onnx", "one program of 45 layers"},
        {"onnx-real/zigzag-mlperf-tiny-resnet8/resnet8.onnx", "one program of 14 layers; left to the host: Identity"},
        {"onnx-real/zigzag-mlperf-tiny-resnet8/resnet8.onnx", "one program of 12 layers; left to the host: Identity",
         true},
        {"onnx-shape-only/zigzag/resnet18.onnx", "one program of 23 layers"},
        {"onnx-real/ultraface-rfb-320/version-RFB-320.onnx",
         "one program of 52 layers; left to the host: Transpose_1 and 68 more"}}) {
    if (!in_full() && std::string(real.file).find("resnet18") != std::string::npos) continue;
    if (model_path(real.file).empty()) GTEST_SKIP() << "no models at " << CONVSCOPE_MODELS;
    const WholeNetwork network(network_of_file(real.file), board_of_all(real.free_running));
    EXPECT_EQ(network.operation(), real.program);
    ASSERT_TRUE(network.has_program());
    const Program program = network.program();
    EXPECT_EQ(refusals_of(program), "") << real.file;
    const SimulationResult timed = simulate(program);
    ASSERT_FALSE(timed.refusal) << timed.refusal->text();
    EXPECT_LT(timed.seconds, 1.1 * network.estimate) << real.file;
    const ComparedRun run = run_and_compare(program, 1);
    EXPECT_TRUE(run.equal()) << real.file << ": " << run.text();
  }
}

}  // namespace
}  // namespace convscope::nmp
