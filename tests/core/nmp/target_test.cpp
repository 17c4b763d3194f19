#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/arch/preset.h"
#include "core/base/atomic_file.h"
#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "core/nmp/architecture/machine.h"
#include "core/nmp/nmp_target.h"
#include "networks.h"
#include "tests/core/arch/round_trip.h"

namespace convscope::nmp {
namespace {

using testing::HasSubstr;

arch::ParameterValues preset(const std::string& name) {
  Diagnostics diagnostics;
  const std::string path = resource_path("presets/" + name + ".xml");
  const auto text = read_file(path, diagnostics);
  const auto read = arch::read_preset(*text, path, machine_description(), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.text();
  return read->values;
}

std::shared_ptr<const target::CompiledLayer> compile(const network::Layer& layer, const arch::ParameterValues& machine,
                                                     const std::string& level = "burst") {
  network::Network network;
  network.layers = {layer};
  target::NoCache cache;
  return catalogue::standard()->find_target("nmp")->compile({&network, 0, &machine, level}, cache, {});
}

double figure(const target::CompiledLayer& layer, const char* key) {
  const Quantity* found = layer.metrics().find(key);
  return found ? found->value : -1;
}

TEST(NmpTarget, PresetsAreThePapersMachine) {
  const Machine peak = machine_from(preset("nmp-peak")), board = machine_from(preset("nmp-board"));
  EXPECT_DOUBLE_EQ(peak.peak(), 256e9);
  EXPECT_DOUBLE_EQ(peak.bandwidth, 17.066e9);
  EXPECT_DOUBLE_EQ(board.reached_peak(), 192e9);
  EXPECT_DOUBLE_EQ(board.command_seconds, 630e-9);
}

TEST(NmpTarget, DescribesMachinesThereAndBack) {
  arch::expect_round_trips<Machine>(machine_description(), machine_from, parameter_values,
                                    [](const std::string& name, const Machine& machine) {
                                      return name != (machine.element_bytes == 1 ? "macs_16_bit" : "macs_8_bit");
                                    });
}

TEST(NmpTarget, StatesTheTermsOfEquation6) {
  const auto layer = compile(paper_networks()[0].layers[4], preset("nmp-board"));
  ASSERT_TRUE(layer->mapped()) << layer->reason();
  const auto& metrics = layer->metrics();
  EXPECT_NEAR(figure(*layer, "seconds_mac") + figure(*layer, "seconds_dram") + figure(*layer, "seconds_overhead"),
              metrics.seconds.value, 1e-12);
  EXPECT_EQ(metrics.macs, paper_networks()[0].layers[4].macs());
  EXPECT_EQ(metrics.seconds.origin, Origin::estimate);
  EXPECT_LE(metrics.bound.cycles, metrics.cycles.value);
  EXPECT_GT(metrics.bound.cycles, 0);
  EXPECT_THAT(std::string(metrics.text("partition")), testing::AnyOf("KS", "KS&OFM", "OFM"));
  EXPECT_THAT(std::string(metrics.text("schedule")), testing::AnyOf("IS", "OS", "WS"));
  EXPECT_GT(figure(*layer, "bursts"), 0);
}

TEST(NmpTarget, ReachesLessThanThePeakAndMoreThanTheBound) {
  const auto machine = preset("nmp-board");
  for (const char* level : {"volume", "burst", "banked", "walk"})
    for (std::size_t i : {0, 2, 4, 10, 60}) {
      const auto layer = compile(paper_networks()[0].layers[i], machine, level);
      EXPECT_LE(layer->metrics().bound.cycles, layer->metrics().cycles.value) << level << i;
      EXPECT_LT(layer->metrics().utilization.value, 0.75) << level << i;
    }
}

TEST(NmpTarget, TimelineIsAsLongAsTheEstimate) {
  const auto machine = preset("nmp-board");
  int drawn = 0;
  for (const PaperNetwork& network : paper_networks())
    for (const network::Layer& layer : network.layers) {
      const auto compiled = compile(layer, machine);
      const auto timeline = compiled->timeline(0);
      if (!timeline) continue;
      ++drawn;
      // Sections round to cycles.
      EXPECT_NEAR(static_cast<double>(timeline->length()), compiled->metrics().cycles.value,
                  0.002 * compiled->metrics().cycles.value + 100);
    }
  EXPECT_EQ(drawn, 227);
}

// At level walk what the DRAM does is a program of its own: banks as rows, one activate before any access.
TEST(NmpTarget, LevelWalkShowsTheDram) {
  const network::Layer layer = paper_networks()[0].layers[4];
  EXPECT_EQ(compile(layer, preset("nmp-board"), "banked")->program_count(), 2);
  const auto walked = compile(layer, preset("nmp-board"), "walk");
  ASSERT_EQ(walked->program_count(), 3);
  EXPECT_THAT(walked->program_name(2), HasSubstr("DRAM"));
  const auto timeline = walked->timeline(2);
  ASSERT_TRUE(timeline);
  ASSERT_EQ(timeline->resources().size(), 8U);
  EXPECT_EQ(timeline->resources()[3], "rank 0 bank 3");
  std::map<std::string, int> kinds;
  for (const auto& cell : timeline->sections()[0].cells) {
    ++kinds[cell.label.substr(0, cell.label.find(' '))];
    EXPECT_NE(cell.operation, 0U);
  }
  EXPECT_GE(kinds["read"] + kinds["write"], 11'900);
  EXPECT_LE(kinds["read"] + kinds["write"], 12'000);
  for (const char* kind : {"activate", "precharge", "read", "write", "refresh"}) EXPECT_GT(kinds[kind], 0) << kind;
  EXPECT_NE(walked->timeline(0)->resources(), timeline->resources());
}

TEST(NmpTarget, EightBitTakesLessThanSixteen) {
  auto machine = preset("nmp-board");
  const auto wide = compile(paper_networks()[3].layers[3], machine);
  Diagnostics diagnostics;
  ASSERT_TRUE(machine.set("element", "8", diagnostics));
  const auto narrow = compile(paper_networks()[3].layers[3], machine);
  EXPECT_LT(narrow->metrics().cycles.value, 0.75 * wide->metrics().cycles.value);
}

TEST(NmpTarget, DoubleBufferingHidesTheLesserTermInHalfTheMemory) {
  auto machine = preset("nmp-board");
  const network::Layer first = paper_networks()[0].layers[4];
  const auto serial = compile(first, machine);
  Diagnostics diagnostics;
  ASSERT_TRUE(machine.set("double_buffering", "on", diagnostics));
  const auto overlapped = compile(first, machine);
  EXPECT_LT(overlapped->metrics().seconds.value, serial->metrics().seconds.value);
  EXPECT_NEAR(overlapped->metrics().seconds.value,
              std::max(figure(*overlapped, "seconds_mac"),
                       figure(*overlapped, "seconds_dram") + figure(*overlapped, "seconds_overhead")),
              1e-12);
  const auto plan = overlapped->tile_plan();
  for (const auto& memory : plan->memories()) EXPECT_EQ(memory.capacity, 4096);
  EXPECT_LE(overlapped->metrics().bound.cycles, overlapped->metrics().cycles.value);
}

TEST(NmpTarget, GroupsCostAsMuchAsTheyDoOneByOne) {
  const auto machine = preset("nmp-board");
  const auto whole = compile(convolution(32, {14, 14}, 64, {3, 3}, 1, true, 4), machine);
  const auto one = compile(convolution(8, {14, 14}, 16, {3, 3}, 1, true), machine);
  EXPECT_NEAR(whole->metrics().seconds.value, 4 * one->metrics().seconds.value, 1e-12);
}

TEST(NmpTarget, FullyConnectedIsAOneByOneConvolution) {
  network::Layer layer = convolution(1280, {1, 1}, 1000, {1, 1}, 1, true);
  layer.operator_name = "Gemm";
  const auto compiled = compile(layer, preset("nmp-board"));
  ASSERT_TRUE(compiled->mapped());
  EXPECT_EQ(compiled->metrics().macs, 1280000);
  EXPECT_GE(compiled->metrics().bytes_weights, 2 * 1280000);
}

TEST(NmpTarget, SaysWhichMemoryIsTooSmallAndWhatWouldDo) {
  auto machine = preset("nmp-board");
  Diagnostics diagnostics;
  ASSERT_TRUE(machine.set("weight_memory", "64", diagnostics));
  const auto weights = compile(convolution(3, {32, 32}, 8, {7, 7}, 1, true), machine);
  EXPECT_FALSE(weights->mapped());
  EXPECT_THAT(weights->reason(), HasSubstr("MB1 (W) needs 98 bytes and has 64: 34 too many"));
  EXPECT_THAT(weights->reason(), HasSubstr("weight_memory=128 would do"));
  machine = preset("nmp-board");
  ASSERT_TRUE(machine.set("input_memory", "64", diagnostics));
  const auto inputs = compile(convolution(3, {32, 32}, 8, {7, 7}, 1, true), machine);
  EXPECT_THAT(inputs->reason(), HasSubstr("MB0 (IN) needs 98 bytes and has 64: 34 too many"));
  EXPECT_THAT(inputs->reason(), HasSubstr("input_memory=128 would do"));
}

TEST(NmpTarget, LeavesOtherOperatorsUnmappedWithAReason) {
  network::Layer pool;
  pool.operator_name = "MaxPool";
  EXPECT_THAT(compile(pool, preset("nmp-board"))->reason(), HasSubstr("MaxPool"));
  network::Layer unknown = convolution(3, {32, 32}, 8, {3, 3}, 1, true);
  unknown.in.size = {0, 0};
  EXPECT_THAT(compile(unknown, preset("nmp-board"))->reason(), HasSubstr("shape is not known"));
}

TEST(NmpTarget, ConnectionTablesCostAsMuchAsDenseConvolutions) {
  const auto machine = preset("nmp-board");
  const network::Layer full = convolution(4, {32, 32}, 2, {3, 3}, 1, true);
  network::Layer sparse = full;
  sparse.dense = false;
  sparse.inputs = {{0, 1}, {2}};
  const auto dense = compile(full, machine), table = compile(sparse, machine);
  ASSERT_TRUE(table->mapped()) << table->reason();
  const artifact::Metrics &paid = dense->metrics(), &metrics = table->metrics();
  EXPECT_EQ(metrics.seconds, paid.seconds);
  EXPECT_EQ(metrics.bytes_in, paid.bytes_in);
  EXPECT_EQ(metrics.bytes_weights, paid.bytes_weights);
  EXPECT_EQ(metrics.bound.cycles, paid.bound.cycles);
  // Three of eight connections are work for the network.
  EXPECT_EQ(metrics.macs, sparse.macs());
  EXPECT_EQ(metrics.macs * 8, paid.macs * 3);
  EXPECT_DOUBLE_EQ(metrics.utilization.value, paid.utilization.value * 3 / 8);
  EXPECT_THAT(table->explanation()->summary, HasSubstr("runs as a dense convolution"));
  EXPECT_THAT(dense->explanation()->summary, Not(HasSubstr("zeros")));
  sparse.inputs = {{0, 1, 2, 3}, {3, 2, 1, 0}};
  EXPECT_EQ(compile(sparse, machine)->metrics().utilization, paid.utilization);
  EXPECT_THAT(compile(sparse, machine)->explanation()->summary, Not(HasSubstr("zeros")));
}

TEST(NmpTarget, AlternativesOfConnectionTablesCountTheSameMacs) {
  network::Layer sparse = convolution(4, {32, 32}, 2, {3, 3}, 1, true);
  sparse.dense = false;
  sparse.inputs = {{0, 1}, {2}};
  const auto layer = compile(sparse, preset("nmp-board"));
  const auto tools = layer->tiling_tools();
  for (const std::string& strategy : tools->strategies())
    EXPECT_EQ(tools->best(strategy, {}).metrics.macs, sparse.macs()) << strategy;
}

TEST(NmpTarget, SamplesWithConnectionTablesAreMappedWhole) {
  for (const char* name : {"face_detection", "speed_sign"}) {
    Diagnostics diagnostics;
    const auto network = catalogue::standard()->read_network(
        std::string(CONVSCOPE_SOURCE_DIR "/samples/networks/") + name + ".xml", diagnostics);
    ASSERT_TRUE(network) << diagnostics.text();
    for (const network::Layer& layer : network->layers) {
      const auto compiled = compile(layer, preset("nmp-board"));
      EXPECT_TRUE(compiled->mapped()) << name << " " << layer.name << ": " << compiled->reason();
      EXPECT_EQ(compiled->metrics().macs, layer.macs());
    }
  }
}

TEST(NmpTarget, RefusesWhatIsTooLargeToSearch) {
  const auto machine = preset("nmp-board");
  EXPECT_THAT(compile(convolution(1, {100000, 8}, 1, {1, 1}, 1, true), machine)->reason(), HasSubstr("too large"));
  network::Layer strange = convolution(1, {8, 8}, 1, {3, 3}, 1, true);
  strange.dilation = {1 << 30, 1};
  EXPECT_THAT(compile(strange, machine)->reason(), HasSubstr("makes no sense"));
}

TEST(TilingTools, BestOfNineStrategiesIsTheChosenOne) {
  const auto layer = compile(paper_networks()[0].layers[4], preset("nmp-board"));
  const auto tools = layer->tiling_tools();
  ASSERT_EQ(tools->strategies().size(), 9U);
  int chosen = 0;
  for (const std::string& strategy : tools->strategies()) {
    const target::Alternative best = tools->best(strategy, {});
    ASSERT_TRUE(best.fits) << strategy;
    EXPECT_GE(best.metrics.seconds.value, layer->metrics().seconds.value) << strategy;
    EXPECT_GT(best.plan->steps(), 0);
    chosen += best.chosen;
    if (!best.chosen) {
      EXPECT_THAT(best.explanation, HasSubstr("slower than the chosen one"));
    }
  }
  EXPECT_EQ(chosen, 1);
}

TEST(TilingTools, ExplainsTilingsMadeByHand) {
  const auto layer = compile(paper_networks()[0].layers[4], preset("nmp-board"));
  const auto tools = layer->tiling_tools();
  const target::Alternative papers = tools->evaluate("OFM + IS", {2, 71, 14, 24}, {});
  EXPECT_TRUE(papers.fits) << papers.explanation;
  EXPECT_GT(papers.metrics.cycles.value, 0);
  const target::Alternative large = tools->evaluate("OFM + IS", {18, 71, 14, 24}, {});
  EXPECT_FALSE(large.fits);
  EXPECT_THAT(large.explanation, HasSubstr("MB0 (IN) needs 40880 bytes and has 8192: 32688 too many"));
  const target::Alternative outside = tools->evaluate("OFM + IS", {2, 72, 14, 24}, {});
  EXPECT_FALSE(outside.fits);
  EXPECT_THAT(outside.explanation, HasSubstr("T_C is 72; it runs from 1 to 71"));
  EXPECT_EQ(outside.plan, nullptr);
  EXPECT_THAT(tools->evaluate("OFM + IS", {1}, {}).explanation, HasSubstr("4 sizes"));
  EXPECT_THAT(tools->evaluate("OFM", {1, 1, 1, 1}, {}).explanation, HasSubstr("no strategy"));
}

TEST(TilingTools, TilingsMadeByHandCanBeStopped) {
  const auto layer = compile(paper_networks()[0].layers[4], preset("nmp-board"));
  const auto tools = layer->tiling_tools();
  std::stop_source stop;
  stop.request_stop();
  for (const std::string& strategy : tools->strategies())
    EXPECT_THROW(tools->evaluate(strategy, {1, 1, 1, 1}, stop.get_token()), Cancelled) << strategy;
}

TEST(NmpMachine, RefusesWhatCannotBe) {
  arch::ParameterValues machine(machine_description());
  for (const auto& [name, value] : {std::pair{"tles", "0"}, std::pair{"burst", "100"}, std::pair{"bandwidth", "0"},
                                    std::pair{"output_memory", "12"}, std::pair{"mac_efficiency", "1.5"}}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(machine.set(name, value, diagnostics)) << name;
    EXPECT_THAT(diagnostics.text(), HasSubstr(name));
  }
  Diagnostics diagnostics;
  ASSERT_TRUE(machine.set("partial_sum", "8", diagnostics));
  EXPECT_FALSE(machine.check(diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("partial sums must be at least as wide"));
}

TEST(NmpMachine, DescriptionAgreesWithItself) {
  Diagnostics diagnostics;
  EXPECT_TRUE(arch::ParameterValues(machine_description()).check(diagnostics)) << diagnostics.text();
}

}  // namespace
}  // namespace convscope::nmp
