// Networks whose layers are joined to one program: it computes what the layers do one after the other, the verifier
// lets it pass and none that lacks a barrier, and maps share memory.

#include "core/nmp/linked_network.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/atomic_file.h"
#include "core/base/mapped_file.h"
#include "core/base/resources.h"
#include "core/network/shape_inference.h"
#include "core/nmp/architecture/assembly.h"
#include "core/nmp/host/run.h"
#include "core/nmp/nmp_target.h"
#include "core/nmp/verify/verify_program.h"
#include "core/readers/layer_list/layer_list.h"
#include "core/readers/onnx/onnx.h"
#include "core/target/programs.h"
#include "random_problems.h"

namespace convscope::nmp {
namespace {

using testing::HasSubstr;

bool in_full() {
  return std::getenv("CONVSCOPE_FULL") != nullptr;
}

network::Network network_of(const std::string& text) {
  Diagnostics diagnostics;
  auto network = readers::read_layer_list_text(text, "n.xml", diagnostics);
  EXPECT_TRUE(network) << diagnostics.text();
  network::set_shapes(*network, {}, diagnostics);
  return network.value_or(network::Network{});
}

Machine board_of_all(bool free_running, bool doubled_by_choice = false) {
  Machine machine = board();
  machine.borders = Borders::exact;
  machine.free_running = free_running;
  machine.choose_doubled = doubled_by_choice;
  machine.all_operators = true;
  return machine;
}

struct JoinedNetwork {
  network::Network network;
  target::CompiledLayers layers;
  std::shared_ptr<const target::LinkedNetwork> linked;
  double estimate = 0;  ///< seconds of all layers that have a program

  JoinedNetwork(const std::string& text, bool free_running) : JoinedNetwork(network_of(text), free_running) {}
  JoinedNetwork(network::Network joined, bool free_running, bool doubled_by_choice = false)
      : JoinedNetwork(std::move(joined), board_of_all(free_running, doubled_by_choice)) {}
  JoinedNetwork(network::Network joined, const Machine& machine) : network(std::move(joined)) {
    const arch::ParameterValues values = parameter_values(machine);
    const auto target = make_nmp_target();
    target::NoCache cache;
    const target::NetworkRequest request{&network, &values, "burst"};
    const auto plan = target->prepare(request, cache, {});
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
      layers.push_back(target->compile({&network, static_cast<int>(i), &values, "burst", plan.get()}, cache, {}));
      if (layers.back()->program_count() > 0) estimate += layers.back()->metrics().seconds.value;
    }
    linked = target->link(request, plan.get(), layers, cache, {});
  }

  Program program() const {
    Diagnostics diagnostics;
    const auto read = read_any_program(linked->program_file(0), "n.json", diagnostics);
    EXPECT_TRUE(read) << diagnostics.text();
    return read.value_or(Program{});
  }
};

std::string sample_text(const std::string& name) {
  Diagnostics diagnostics;
  return *read_file(sample_path("networks/" + name + ".xml"), diagnostics);
}

/// Every operator that programs know; an addition that a convolution begins from, in place.
std::string small_network() {
  return "<layer_list name='small'>"
         "<input name='image' maps='8' height='12' width='12'/>"
         "<conv name='a' maps='16' kernel='3' pad='same' activation='relu'/>"
         "<conv name='b' maps='16' kernel='1'/>"
         "<add name='sum' from='a b' activation='relu'/>"
         "<conv name='c' maps='8' kernel='3' pad='same'/>"
         "<max_pool name='m' from='sum' kernel='3' stride='1' pad='1'/>"
         "<concat name='both' from='c m'/>"
         "<average_pool name='pool' kernel='2' stride='2'/>"
         "<fc name='fc' maps='10'/>"
         "<softmax name='prob'/>"
         "</layer_list>";
}

std::string refusals_of(const Program& program) {
  Diagnostics diagnostics;
  verify_program(program, diagnostics);
  return diagnostics.text();
}

TEST(LinkedNetworks, ComputeWhatTheirLayersDoOneAfterTheOther) {
  for (const bool free_running : {false, true}) {
    const JoinedNetwork small(small_network(), free_running);
    ASSERT_EQ(small.linked->program_count(), 1);
    const Program program = small.program();
    EXPECT_EQ(program.layers.size(), free_running ? 6U : 7U);  // b begins from a where that saves time
    EXPECT_EQ(refusals_of(program), "");
    for (const double jitter : {0.0, 1.5}) {
      const ComparedRun run = run_and_compare(program, 3, {.jitter = jitter, .seed = 5});
      EXPECT_TRUE(run.equal()) << run.text();
      EXPECT_EQ(run.result.traffic, program.traffic);
    }
  }
}

// Each layer uses halves as it likes: the machine of the program knows nothing of them.
TEST(LinkedNetworks, HaveLayersWhoseMemoriesHoldTwoTiles) {
  const JoinedNetwork small(network_of(small_network()), false, true);
  ASSERT_EQ(small.linked->program_count(), 1);
  std::set<std::string> sets;
  for (const auto& layer : small.layers) sets.emplace(layer->metrics().text("doubled"));
  EXPECT_GE(sets.size(), 2U);
  const Program program = small.program();
  Machine whole = board();
  whole.borders = Borders::exact;
  whole.all_operators = true;
  EXPECT_EQ(program.machine, whole);
  EXPECT_EQ(refusals_of(program), "");
  for (const double jitter : {0.0, 1.5}) {
    const ComparedRun run = run_and_compare(program, 3, {.jitter = jitter, .seed = 5});
    EXPECT_TRUE(run.equal()) << run.text();
  }
}

TEST(LinkedNetworks, TakeTheTimeOfTheirLayersAndOfTheirTables) {
  const JoinedNetwork small(small_network(), false);
  ASSERT_EQ(small.linked->program_count(), 1);
  const Program program = small.program();
  const SimulationResult run = simulate(program, {.free_instructions = true});
  ASSERT_FALSE(run.refusal) << run.refusal->text();
  // One fetch for each TLT: the tables of all layers fit a data RAM together.
  const double bytes = static_cast<double>(program.traffic[static_cast<std::size_t>(TrafficKind::tables)]);
  const double tlts = program.tlts(), row = bytes / tlts;
  const double fetches = tlts * (program.machine.command_seconds +
                                 std::ceil(row / program.machine.burst_bytes) * program.machine.cas_seconds) +
                         bytes / program.machine.bandwidth;
  EXPECT_NEAR(run.seconds, small.estimate + fetches, 1e-9 * run.seconds);
}

/// All operators, additions of both kinds, and filters that don't fit a memory of 1 KiB.
network::Network batch_of(int images) {
  network::Network network = network_of(
      "<layer_list name='n'><input name='image' maps='6' height='11' width='10'/>"
      "<conv name='a' maps='16' kernel='3' pad='same' activation='relu'/><conv name='b' maps='16' kernel='1'/>"
      "<add name='sum' from='a b'/><conv name='c' maps='8' kernel='3' pad='same'/>"
      "<max_pool name='m' from='sum' kernel='3' stride='1' pad='1'/><concat name='both' from='c m'/>"
      "<conv name='d' maps='24' kernel='3' pad='same'/><add name='last' from='d both'/>"
      "<average_pool name='pool' kernel='2' stride='2'/><fc name='fc' maps='10'/></layer_list>");
  network.batch = images;
  return network;
}

TEST(LinkedNetworks, ComputeBatchesLayerAfterLayer) {
  int kept = 0;
  for (const bool free_running : {false, true})
    for (const bool doubled : {false, true})
      for (const std::int64_t bytes : {1024, 32768}) {
        Machine machine = board_of_all(free_running, doubled && !free_running);
        machine.double_buffering = doubled && free_running;
        machine.weight_bytes = bytes;
        const Program one = JoinedNetwork(batch_of(1), machine).program();
        for (const int images : {2, 5, 40}) {
          const JoinedNetwork batch(batch_of(images), machine);
          ASSERT_EQ(batch.linked->program_count(), 1) << batch.linked->metrics().text("operation");
          EXPECT_THAT(std::string(batch.linked->metrics().text("operation")),
                      HasSubstr(" for " + std::to_string(images) + " images"));
          const Program program = batch.program();
          EXPECT_EQ(program.layers.size(), one.layers.size() * static_cast<std::size_t>(images));
          if (images == 40 && doubled && !in_full()) continue;
          EXPECT_EQ(refusals_of(program), "") << images;
          const ComparedRun run = run_and_compare(program, 3, {.jitter = free_running ? 1.5 : 0.0, .seed = 5});
          EXPECT_TRUE(run.equal()) << images << ": " << run.text();
          EXPECT_EQ(run.result.traffic, program.traffic);
          const auto weights = static_cast<std::size_t>(TrafficKind::weights);
          EXPECT_LE(program.traffic[weights], images * one.traffic[weights]);
          kept += program.traffic[weights] < images * one.traffic[weights] ? 1 : 0;
        }
      }
  EXPECT_GT(kept, 8);
}

TEST(LinkedNetworks, SayWhichBatchesHaveNoRoom) {
  for (const auto& [images, reason] :
       {std::pair{1000, "are more than the 4096 that a program has room for"}, {INT32_MAX, "are more than"}}) {
    const JoinedNetwork batch(batch_of(images), false);
    EXPECT_EQ(batch.linked->program_count(), 0);
    EXPECT_THAT(std::string(batch.linked->metrics().text("operation")), HasSubstr(reason));
  }
  network::Network large = network_of(
      "<layer_list name='n'><input name='image' maps='8' height='1000' width='1000'/>"
      "<conv name='a' maps='8' kernel='1'/><conv name='b' maps='8' kernel='1'/></layer_list>");
  large.batch = 100;
  EXPECT_THAT(std::string(JoinedNetwork(large, false).linked->metrics().text("operation")),
              HasSubstr("of 100 images needs more than the 1073741824 bytes"));
}

// What orders two layers becomes an instruction that does nothing. Of c and m neither needs the other: between them
// there is nothing.
TEST(LinkedNetworks, NeedAllThatOrdersTheirLayers) {
  const Program program = JoinedNetwork(small_network(), true).program();
  int barriers = 0, waits = 0, told = 0;
  for (std::size_t i = 0; i + 2 < program.code.size(); ++i) {
    const Instruction instruction = decode(program.code[i]).value();
    const bool is_barrier = instruction.operation == Operation::sync;
    const bool is_wait = instruction.operation == Operation::wait && instruction.rd > 5;
    if (!is_barrier && !is_wait) continue;
    Program mutant = program;
    mutant.code[i] = encode({.operation = Operation::addi});
    const bool refused = !refusals_of(mutant).empty();
    ++(is_barrier ? barriers : waits);
    if (is_wait && instruction.rd > 7)
      told += refused ? 1 : 0;  // at some crossings nobody is told
    else
      EXPECT_TRUE(refused) << i;
  }
  EXPECT_EQ(barriers, 3);
  EXPECT_EQ(waits, 4);
  EXPECT_GE(told, 1);
}

// A single TLT, a single TLE, more TLEs than rows or filters that they could share out; small memories make for many
// tiles and for layers that share filters. Whoever waits for too few would read what isn't there yet, sooner or later.
TEST(LinkedNetworks, RunFreeOnOtherMachines) {
  const std::string deep =
      "<layer_list name='deep'><input name='image' maps='4' height='30' width='20'/>"
      "<conv name='a' maps='12' kernel='3' pad='same'/><conv name='b' maps='12' kernel='5' pad='same'/>"
      "<max_pool name='m' kernel='2' stride='2'/><conv name='c' maps='24' kernel='3' pad='same'/>"
      "<conv name='d' maps='24' kernel='1'/><conv name='e' maps='24' kernel='3' pad='same'/>"
      "<add name='sum' from='c e'/><conv name='f' maps='8' kernel='3' pad='same'/>"
      "<conv name='g' maps='8' kernel='3' pad='same'/><fc name='fc' maps='5'/></layer_list>";
  int told = 0;
  for (const int tles : {1, 2, 8, 32})
    for (const int tlts : {1, 4})
      for (const std::int64_t bytes : {std::int64_t{4096}, std::int64_t{32768}}) {
        Machine machine = board_of_all(true);
        machine.tles = tles;
        machine.tlts = tlts;
        machine.input_bytes = machine.weight_bytes = machine.output_bytes = bytes;
        const JoinedNetwork network(network_of(deep), machine);
        ASSERT_EQ(network.linked->program_count(), 1) << tles << ' ' << network.linked->metrics().text("operation");
        const Program program = network.program();
        EXPECT_EQ(refusals_of(program), "") << tles << ' ' << tlts << ' ' << bytes;
        for (const EncodedInstruction word : program.code)
          told += decode(word)->operation == Operation::post && posts_to_tles(*decode(word)) ? 1 : 0;
        for (const double jitter : {0.0, 1.5}) {
          const ComparedRun run = run_and_compare(program, 3, {.jitter = jitter, .seed = 7});
          EXPECT_TRUE(run.equal()) << tles << ' ' << tlts << ' ' << bytes << ": " << run.text();
        }
      }
  EXPECT_GT(told, 20);
}

// Layers share tiles with other TLEs than the layer before, and with the same.
TEST(LinkedNetworks, ShareTilesAroundARing) {
  const std::string deep =
      "<layer_list name='deep'><input name='image' maps='4' height='30' width='20'/>"
      "<conv name='a' maps='12' kernel='3' pad='same'/><conv name='b' maps='12' kernel='5' pad='same'/>"
      "<max_pool name='m' kernel='2' stride='2'/><conv name='c' maps='40' kernel='3' pad='same'/>"
      "<conv name='d' maps='40' kernel='1'/><conv name='e' maps='40' kernel='3' pad='same'/>"
      "<add name='sum' from='c e'/><conv name='f' maps='80' kernel='3' pad='same'/>"
      "<conv name='g' maps='8' kernel='3' pad='same'/><fc name='fc' maps='50'/></layer_list>";
  int faster = 0;
  for (const bool free_running : {false, true})
    for (const bool doubled : {false, true})
      for (const int tles : {2, 3, 4, 8})
        for (const int tlts : {1, 4}) {
          Machine machine = board_of_all(free_running, doubled && !free_running);
          machine.double_buffering = doubled && free_running;
          machine.tles = tles;
          machine.tlts = tlts;
          const double without = simulate(JoinedNetwork(network_of(deep), machine).program()).seconds;
          machine.ring.on = true;
          const JoinedNetwork network(network_of(deep), machine);
          ASSERT_EQ(network.linked->program_count(), 1) << tles << ' ' << network.linked->metrics().text("operation");
          const Program program = network.program();
          EXPECT_EQ(refusals_of(program), "") << tles << ' ' << tlts << ' ' << free_running << doubled;
          for (const double jitter : {0.0, 1.5}) {
            const ComparedRun run = run_and_compare(program, 3, {.jitter = jitter, .seed = 7});
            EXPECT_TRUE(run.equal()) << tles << ' ' << tlts << ' ' << free_running << doubled << ": " << run.text();
            EXPECT_EQ(run.result.traffic, program.traffic);
            EXPECT_GT(run.result.ring_seconds, 0) << tles;
            faster += jitter == 0 && run.result.seconds < without ? 1 : 0;
          }
        }
  EXPECT_GE(faster, 24);  // of 32
}

// b begins from a, d from b: in their place, as nobody else reads them any more. e reads d itself.
TEST(LinkedNetworks, BeginSumsFromResiduals) {
  const std::string text =
      "<layer_list name='n'><input name='image' maps='8' height='40' width='40'/>"
      "<conv name='a' maps='16' kernel='3' pad='same' activation='relu'/>"
      "<conv name='b' maps='16' kernel='1' from='image'/>"
      "<add name='first' from='a b' activation='relu'/>"
      "<conv name='c' maps='16' kernel='1'/><conv name='d' maps='16' kernel='3' pad='same'/>"
      "<add name='second' from='first d'/>"
      "<conv name='e' maps='16' kernel='3' pad='same' /><add name='third' from='e second'/></layer_list>";
  for (const bool free_running : {false, true}) {
    const JoinedNetwork network(text, free_running);
    ASSERT_EQ(network.linked->program_count(), 1);
    EXPECT_EQ(network.linked->metrics().text("operation"), "one program of 5 layers");
    const Program program = network.program();
    const auto place = [&](std::size_t layer) { return program.layers[layer].residual.first_byte; };
    EXPECT_EQ(place(1), program.layers[1].out.first_byte);
    EXPECT_EQ(place(3), program.layers[3].out.first_byte);
    EXPECT_NE(place(4), program.layers[4].out.first_byte);
    EXPECT_EQ(place(4), program.layers[4].in.first_byte);
    EXPECT_EQ(program.layers[1].clamp_high, 32767);
    EXPECT_EQ(program.layers[3].clamp_high, 0);
    EXPECT_EQ(refusals_of(program), "");
    const ComparedRun run = run_and_compare(program, 3, {.jitter = free_running ? 1.5 : 0.0, .seed = 5});
    EXPECT_TRUE(run.equal()) << run.text();
    EXPECT_EQ(run.result.traffic, program.traffic);
    Program elsewhere = program;
    elsewhere.layers[4].residual.first_byte += 2;
    EXPECT_FALSE(run_and_compare(elsewhere, 3).equal());
  }
}

TEST(LinkedNetworks, FetchTablesAlone) {
  const Program program = JoinedNetwork(small_network(), false).program();
  Program mutant = program;
  mutant.data[3][1] += 2;
  EXPECT_THAT(refusals_of(mutant), HasSubstr("whole words"));
  EXPECT_TRUE(simulate(mutant).refusal);
  mutant.data[3][1] = program.data[3][1] + (1U << 20);
  EXPECT_THAT(refusals_of(mutant), HasSubstr("outside-region"));
  EXPECT_TRUE(simulate(mutant).refusal);
  mutant = program;
  mutant.tables.pop_back();
  EXPECT_THAT(refusals_of(mutant), HasSubstr("malformed"));
}

TEST(LinkedNetworks, SayWhereMapsLieAndWhen) {
  const JoinedNetwork small(small_network(), false);
  const auto map = small.linked->memory_map(0);
  std::map<std::string, artifact::MemoryBlock> blocks;
  for (const artifact::MemoryBlock& block : map->memories[0].blocks) blocks[block.name] = block;
  ASSERT_TRUE(blocks.contains("image"));
  EXPECT_EQ(blocks["image"].live_from, 0);
  EXPECT_EQ(blocks["image"].words, 8 * 12 * 12 * 2);
  for (const auto& [name, a] : blocks)
    for (const auto& [other, b] : blocks)
      if (name < other && a.live_from < b.live_to && b.live_from < a.live_to) {
        EXPECT_TRUE(a.first_word + a.words <= b.first_word || b.first_word + b.words <= a.first_word)
            << name << " and " << other;
      }
  Diagnostics diagnostics;
  EXPECT_EQ(make_nmp_target()->program_tools()->assemble(small.linked->listing(0)->assembly, "n.s", diagnostics),
            small.linked->program_file(0));
}

std::string small_head() {
  return "<layer_list name='n'><input name='image' maps='8' height='8' width='8'/>";
}

TEST(LinkedNetworks, SayWhyLayersCanNotBeJoined) {
  const JoinedNetwork refused(small_head() + "<softmax name='s'/><conv name='a' maps='8' kernel='1'/></layer_list>",
                              false);
  EXPECT_EQ(refused.linked->program_count(), 0);
  EXPECT_EQ(refused.linked->metrics().text("operation"),
            "no program of the network: 'a' needs 's' (Softmax), which NMP has no program for");
}

// Who computes it stores it once.
TEST(LinkedNetworks, CopyWhatIsJoinedTwice) {
  const JoinedNetwork twice(small_head() +
                                "<conv name='a' maps='8' kernel='1'/><concat name='c' from='a a'/>"
                                "<conv name='b' maps='8' kernel='1'/></layer_list>",
                            false);
  EXPECT_EQ(twice.linked->metrics().text("operation"), "one program of 3 layers");
  const Program program = twice.program();
  EXPECT_EQ(refusals_of(program), "");
  EXPECT_EQ(program.layers[1].in.first_byte, program.layers[0].out.first_byte);
  EXPECT_EQ(program.layers[1].out.first_byte, program.layers[0].out.first_byte + 8 * 8 * 8 * 2);
  const ComparedRun run = run_and_compare(program, 2);
  EXPECT_TRUE(run.equal()) << run.text();
}

// What follows a Softmax is the host's, also what NMP could add up; its operand stays in memory to the end.
TEST(LinkedNetworks, LeaveTheirEndsToTheHost) {
  const JoinedNetwork network(small_head() +
                                  "<conv name='a' maps='8' kernel='3' pad='same'/>"
                                  "<conv name='b' maps='8' kernel='1' from='a'/>"
                                  "<softmax name='s' from='b'/><add name='sum' from='a s'/></layer_list>",
                              false);
  ASSERT_EQ(network.linked->program_count(), 1);
  EXPECT_EQ(network.linked->metrics().text("operation"), "one program of 2 layers; left to the host: s and 1 more");
  const Program program = network.program();
  EXPECT_EQ(refusals_of(program), "");
  const ComparedRun run = run_and_compare(program, 2);
  EXPECT_TRUE(run.equal()) << run.text();
  EXPECT_NE(program.layers[0].out.first_byte, program.layers[1].out.first_byte);
}

TEST(LinkedNetworks, LayMapsOverOneAnother) {
  RandomProblems random(4);
  int at_bound = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<Lifetime> lifetimes;
    for (int n = 1 + random.pick(20); n > 0; --n) {
      const int first = random.pick(12);
      lifetimes.push_back({1 + random.pick(5000), first, first + random.pick(4)});
    }
    const MemoryPlan plan = plan_memory(lifetimes, 128);
    for (std::size_t a = 0; a < lifetimes.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const bool meet = lifetimes[a].first <= lifetimes[b].last && lifetimes[b].first <= lifetimes[a].last;
        const bool apart = plan.first_bytes[a] + lifetimes[a].bytes <= plan.first_bytes[b] ||
                           plan.first_bytes[b] + lifetimes[b].bytes <= plan.first_bytes[a];
        ASSERT_TRUE(!meet || apart) << i;
      }
    ASSERT_GE(plan.bytes, plan.bound);
    at_bound += plan.bytes == plan.bound ? 1 : 0;
  }
  EXPECT_GT(at_bound, 200);
}

struct WholeNetwork {
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
  for (const WholeNetwork& whole : {WholeNetwork{"lenet", 1e5, true},
                                    {"squeezenet_1_0", 6e6, true},
                                    {"resnet50", 4.82e6, true},
                                    {"mobilenet_v2", 5e6, true},
                                    {"inception_v3", 4.2e6, false}}) {
    if (!in_full() && std::string(whole.sample) != "lenet") continue;
    const JoinedNetwork network(sample_text(whole.sample), false);
    ASSERT_EQ(network.linked->program_count(), 1) << whole.sample;
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
    const Program free_running = JoinedNetwork(sample_text(whole.sample), true).program();
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
    const Program program = JoinedNetwork(sample_text(sample), true).program();
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
    const std::string file = std::string(CONVSCOPE_MODELS) + "/" + real.file;
    if (!std::filesystem::exists(file)) GTEST_SKIP() << "no models at " << CONVSCOPE_MODELS;
    Diagnostics diagnostics;
    const auto mapped = MappedFile::open(file, diagnostics);
    ASSERT_TRUE(mapped) << diagnostics.text();
    auto read = readers::read_onnx(*mapped, file, diagnostics);
    ASSERT_TRUE(read) << diagnostics.text();
    network::set_shapes(*read, {}, diagnostics);
    const JoinedNetwork network(std::move(*read), real.free_running);
    EXPECT_EQ(network.linked->metrics().text("operation"), real.program);
    ASSERT_EQ(network.linked->program_count(), 1);
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
