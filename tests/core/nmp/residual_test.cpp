// Convolutions that begin from what lies where their outputs will be: by hand, in files, without their wait; which sums
// of a network are computed so, and that none takes longer for it.

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/atomic_file.h"
#include "core/base/resources.h"
#include "core/network/shape_inference.h"
#include "core/nmp/architecture/assembly.h"
#include "core/nmp/architecture/configuration.h"
#include "core/nmp/artifacts/plan.h"
#include "core/nmp/artifacts/program_view.h"
#include "core/nmp/generate/generate.h"
#include "core/nmp/host/run.h"
#include "core/nmp/nmp_target.h"
#include "core/nmp/operators/fused_sums.h"
#include "core/nmp/simulate/convolve.h"
#include "core/nmp/verify/verify_program.h"
#include "core/readers/layer_list/layer_list.h"
#include "generated_tilings.h"

namespace convscope::nmp {
namespace {

using testing::HasSubstr;

/// Two filters of one weight each, 1 and 2; IN is 10, 20, 30; biases 4 and 0.
ConvolutionSettings two_filters() {
  ConvolutionSettings s;
  s.in_rows = s.out_rows = 1;
  s.in_columns = s.out_columns = 3;
  s.channels = 1;
  s.units = 2;
  s.filter_pitch = 1;
  s.element_bytes = 1;
  s.residual = true;
  s.residual_shift = 2;
  return s;
}

/// OUT after a convolution that found `residual` there.
std::vector<int> out_of(const ConvolutionSettings& s, const std::vector<std::int8_t>& residual) {
  const std::vector<std::uint8_t> in{10, 20, 30}, weights{1, 2};
  const std::vector<std::int32_t> biases{4, 0};
  std::vector<std::uint8_t> out(24);
  std::copy(residual.begin(), residual.end(), out.begin());
  EXPECT_EQ(simulation::Convolver().convolve(s, {in, weights, out, biases}), "");
  std::vector<int> numbers;
  for (std::size_t i = 0; i < 6; ++i) {
    const std::size_t at = s.last ? i : 2 * i;
    numbers.push_back(s.last ? static_cast<std::int8_t>(out[at])
                             : static_cast<std::int16_t>(out[at] | out[at + 1] << 8));
  }
  return numbers;
}

TEST(NmpResidual, BeginsSumsFromOutTimesAPower) {
  ConvolutionSettings s = two_filters();
  s.partial_sum_bytes = 1;
  EXPECT_EQ(out_of(s, {1, -1, 2, 3, 0, -5}), (std::vector<int>{18, 20, 42, 32, 40, 40}));
  s.shift = 1;
  s.guard = 1;
  EXPECT_EQ(out_of(s, {1, -1, 2, 3, 0, -5}), (std::vector<int>{9, 10, 21, 16, 20, 20}));
  s.clamp_high = 16;
  EXPECT_EQ(out_of(s, {1, -1, 2, 3, 0, -5}), (std::vector<int>{9, 10, 16, 16, 16, 16}));
}

// Sums of the first filter lie where the second one's residual was.
TEST(NmpResidual, IsReadBeforeWiderSumsAreWritten) {
  ConvolutionSettings s = two_filters();
  s.partial_sum_bytes = 2;
  s.last = false;
  EXPECT_EQ(out_of(s, {1, -1, 2, 3, 0, -5}), (std::vector<int>{18, 20, 42, 32, 40, 40}));
}

TEST(NmpResidual, IsRefusedWhereItMeansNothing) {
  const auto refusal = [](Computation computation, std::uint32_t flags, std::uint32_t shift) {
    Configuration configuration{};
    ConvolutionSettings s = two_filters();
    s.residual_shift = 0;
    s.partial_sum_bytes = 1;
    s.units = 1;
    s.depthwise = true;
    set(configuration, s);
    configuration[registers::first_last] = flags;
    configuration[registers::residual_shift] = shift;
    std::string why;
    convolution_settings(configuration, computation, why);
    return why;
  };
  EXPECT_EQ(refusal(Computation::convolution, 7, 47), "");
  EXPECT_EQ(refusal(Computation::convolution, 3, 99), "");  // as before there was a residual, nobody looks at C47
  EXPECT_EQ(refusal(Computation::max_pool, 3, 0), "");
  EXPECT_THAT(refusal(Computation::convolution, 7, 48), HasSubstr("C47"));
  EXPECT_THAT(refusal(Computation::convolution, 7, 0xffffffff), HasSubstr("C47"));
  EXPECT_THAT(refusal(Computation::convolution, 6, 0), HasSubstr("first channels"));
  EXPECT_THAT(refusal(Computation::convolution, 11, 0), HasSubstr("C41"));
  EXPECT_THAT(refusal(Computation::max_pool, 7, 0), HasSubstr("C41"));
}

std::string complaints_of(const Program& program) {
  Diagnostics diagnostics;
  verify_program(program, diagnostics);
  return diagnostics.text();
}

/// 7 maps of 11 x 9 to 20; 3 x 3.
Convolution layer_with_residual() {
  Convolution c;
  c.rows = {11, 11, 3, 1, 1, 1};
  c.columns = {9, 9, 3, 1, 1, 1};
  c.channels = 7;
  c.units = 20;
  c.residual = true;
  return c;
}

Program with_residual(Schedule schedule, int residual_shift) {
  const Convolution c = layer_with_residual();
  Machine machine = plain(board());
  machine.weight_bytes = 64;  // a filter has 126
  ProgramRequest request = request_for_seeded_data("L", c, usual_computing(c), machine, CostLevel::burst,
                                                   {Partition::filters_and_rows, schedule, 3, 4, 2, 1});
  request.format.residual_shift = residual_shift;
  GeneratedProgram made = generate(request);
  EXPECT_TRUE(made.program) << made.reason;
  return made.program.value_or(Program{});
}

/// Cycles of a resource by what it does, in all sections.
std::map<std::string, double> cycles_of(const artifact::Timeline& timeline, int resource) {
  std::map<std::string, double> cycles;
  for (const artifact::TimelineSection& section : timeline.sections())
    for (const artifact::TimelineCell& cell : section.cells)
      if (cell.resource == resource) cycles[cell.label] += static_cast<double>(cell.length * section.repeats);
  return cycles;
}

// The estimate's timeline, its tile plan and the run of its program: each shows a load as long as the outputs' store.
TEST(NmpResidual, IsSeenWhereverLoadsAre) {
  Problem p;
  p.machine = plain(board());
  p.machine.command_seconds = 0;
  p.convolution = layer_with_residual();
  for (const bool free_running : {false, true}) {
    p.machine.free_running = free_running;
    target::NoCache cache;
    const auto solution = solve(p.convolution, p.machine, {}, cache, {});
    const auto estimated = make_timeline(p.convolution, p.machine, *solution);
    ASSERT_TRUE(estimated);
    auto cycles = cycles_of(*estimated, 0);
    EXPECT_GT(cycles["OUT"], 0);
    EXPECT_NEAR(cycles["residual"], cycles["OUT"], 0.02 * cycles["OUT"]);
    const auto made = generate_for_seeded_data("L", p.convolution, usual_computing(p.convolution), p.machine,
                                               CostLevel::burst, solution->tiling);
    cycles = cycles_of(*make_program_timeline(*made.program), 0);
    EXPECT_NEAR(cycles["residual"], cycles["OUT"], 0.02 * cycles["OUT"]);
    const auto plan = make_tile_plan(p.convolution, p.machine, solution->tiling);
    std::int64_t loaded = 0;
    for (std::int64_t i = 0; i < plan->steps(); ++i)
      for (const auto& transfer : plan->step(i).transfers)
        if (transfer.box.tensor == artifact::TileTensor::output && artifact::is_load(transfer.move))
          loaded += transfer.bytes;
    EXPECT_EQ(loaded, solution->totals.residual.bytes);
    EXPECT_EQ(loaded, std::int64_t{20} * 11 * 9 * 2);
  }
}

TEST(NmpResidual, HasAFormatOfItsOwn) {
  for (const Schedule schedule : schedules)
    for (const int shift : {0, 5, 20, 27}) {
      const Program program = with_residual(schedule, shift);
      EXPECT_EQ(complaints_of(program), "");
      EXPECT_EQ(program.layers[0].partial_sums.region >= 0, schedule == Schedule::weight_stationary);
      const ComparedRun run = run_and_compare(program, 2);
      EXPECT_TRUE(run.equal()) << run.text();
      EXPECT_EQ(run.result.traffic, program.traffic);
    }
  Convolution c;
  c.residual = true;
  c.rows = c.columns = {1, 1, 1, 1, 1, 0};
  c.channels = c.units = 1;
  ProgramRequest request = request_for_seeded_data("L", c, usual_computing(c), plain(board()), CostLevel::burst, {});
  request.format.residual_shift = 32;
  EXPECT_THAT(generate(request).reason, HasSubstr("48 bits"));
  request.format.residual_shift = 48;
  EXPECT_THAT(generate(request).reason, HasSubstr("a shift of 48"));
}

/// The instruction at a position, and all alike, do nothing.
Program without(Program program, Operation operation, int semaphore) {
  int left_out = 0;
  for (EncodedInstruction& word : program.code)
    if (const auto i = decode(word); i && i->operation == operation && i->rd == semaphore) {
      word = encode({.operation = Operation::addi});
      ++left_out;
    }
  EXPECT_EQ(left_out, 1);
  return program;
}

TEST(NmpResidual, IsWaitedFor) {
  const Program program = with_residual(Schedule::output_stationary, 20);
  constexpr int sums = 2;
  EXPECT_THAT(complaints_of(without(program, Operation::wait, sums)), HasSubstr("race: "));
  Program mutant = without(without(program, Operation::wait, sums), Operation::load_3d, sums);
  EXPECT_THAT(complaints_of(mutant), HasSubstr("never-written: "));
  mutant = program;
  for (auto& region : mutant.regions)
    if (region.name == "residual") region.kind = RegionKind::output;
  EXPECT_THAT(complaints_of(mutant), HasSubstr("never-written: "));
}

TEST(NmpResidual, SumsStayWithin48Bits) {
  Program program = with_residual(Schedule::output_stationary, 27);
  EXPECT_EQ(complaints_of(program), "");
  const auto set_shift = [&](int shift) {  // the upper half of C46 and C47's pair is written by an `addi`
    for (EncodedInstruction& word : program.code)
      if (const auto i = decode(word); i && i->operation == Operation::addi && i->rs1 == 0 && i->immediate == 27)
        word = encode({.operation = Operation::addi, .rd = i->rd, .immediate = shift});
  };
  set_shift(33);
  EXPECT_THAT(complaints_of(program), HasSubstr("wide-sum: "));
}

TEST(NmpResidual, IsAMemberOfFilesThatHaveOne) {
  const Program program = with_residual(Schedule::output_stationary, 20);
  Diagnostics diagnostics;
  const std::string file = write_program_file(program);
  EXPECT_EQ(read_any_program(file, "file", diagnostics), program) << diagnostics.text();
  EXPECT_EQ(read_any_program(print_assembly(program), "text", diagnostics), program) << diagnostics.text();
  const auto complaint = [&](const std::string& from, const std::string& to) {
    std::string wrong = file;
    const std::size_t place = wrong.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    if (place != std::string::npos) wrong.replace(place, from.size(), to);
    Diagnostics found;
    EXPECT_FALSE(read_any_program(wrong, "file", found));
    return found.text();
  };
  EXPECT_THAT(complaint("\"residual_shift\":20", "\"residual_shift\":48"), HasSubstr("residual_shift"));
  EXPECT_THAT(complaint(",\"residual_shift\":20", ""), HasSubstr("no member 'residual_shift'"));
  EXPECT_THAT(complaint("\"residual\":{\"region\":3", "\"residual\":{\"region\":-1"), HasSubstr("no region"));
  EXPECT_THAT(complaint("\"residual\":{\"region\":3", "\"residual\":{\"region\":1"), HasSubstr("residual"));
  // Files of before have none, and none is written where there is none.
  Program none = program;
  none.layers[0].residual = {};
  none.layers[0].residual_shift = 0;
  EXPECT_EQ(write_program_file(none).find("residual_shift"), std::string::npos);
  EXPECT_EQ(read_any_program(write_program_file(none), "file", diagnostics), none) << diagnostics.text();
}

network::Network read_layers(const std::string& elements) {
  Diagnostics diagnostics;
  auto network = readers::read_layer_list_text(
      "<layer_list name='n'><input name='image' maps='8' height='8' width='8'/>" + elements + "</layer_list>", "n.xml",
      diagnostics);
  EXPECT_TRUE(network) << diagnostics.text();
  network::set_shapes(*network, {}, diagnostics);
  return network.value_or(network::Network{});
}

/// What becomes of each layer where every sum would save time.
std::map<std::string, OperatorUse> uses_of(const std::string& elements) {
  const network::Network network = read_layers(elements);
  const OperatorPlan plan = plan_operators(network, [](const network::Layer&, const OperatorUse&) { return true; });
  std::map<std::string, OperatorUse> uses;
  for (std::size_t i = 0; i < network.layers.size(); ++i) uses[network.layers[i].name] = plan.uses[i];
  return uses;
}

TEST(NmpResidual, IsTheOtherOperandOfASum) {
  const std::string two = "<conv name='a' maps='8' kernel='1'/><conv name='b' maps='8' kernel='3' pad='same'/>";
  auto uses = uses_of(two + "<add name='sum' from='b a' activation='relu'/>");
  // a is read by b as well: b takes it.
  EXPECT_EQ(uses["sum"].kind, OperatorUse::Kind::free);
  EXPECT_EQ(uses["sum"].text, "computed with b");
  EXPECT_EQ(uses["sum/relu"].text, "folded into b");
  EXPECT_GE(uses["b"].residual, 0);
  EXPECT_EQ(uses["b"].text, "with sum");
  EXPECT_EQ(uses["a"].residual, -1);
  // Of a projection and the convolution beside it, the later one.
  uses = uses_of(
      "<conv name='a' maps='8' kernel='1'/><conv name='b' maps='8' kernel='1' from='image'/>"
      "<add name='sum' from='b a'/>");
  EXPECT_EQ(uses["sum"].text, "computed with b");
  // What one sum is, another one can begin from; and one layer begins from one alone.
  uses = uses_of(two +
                 "<add name='sum' from='a b'/><conv name='c' maps='8' kernel='1'/>"
                 "<add name='next' from='c sum'/><add name='last' from='next a'/>");
  EXPECT_EQ(uses["next"].text, "computed with c");
  EXPECT_EQ(uses["last"].kind, OperatorUse::Kind::elements);
}

TEST(NmpResidual, IsNoneWhereSumsDiffer) {
  for (const char* elements :
       {"<conv name='a' maps='8' kernel='1' activation='relu'/><add name='sum' from='a image'/>",  // clamped before
        "<conv name='a' maps='8' kernel='1'/><max_pool name='p' kernel='1' from='a'/>"
        "<add name='sum' from='a p'/>",  // read twice
        "<conv name='a' maps='8' kernel='1'/><max_pool name='p' kernel='1' from='image'/>"
        "<add name='sum' from='a p'/>",  // there after it
        "<softmax name='s'/><conv name='a' maps='8' kernel='1' from='image'/><add name='sum' from='a s'/>",
        "<conv name='a' maps='8' kernel='1'/><add name='sum' from='a a'/>"}) {
    const auto uses = uses_of(elements);
    ASSERT_TRUE(uses.contains("sum")) << elements;
    EXPECT_EQ(uses.at("sum").kind, OperatorUse::Kind::elements) << elements;
    for (const auto& [name, use] : uses) EXPECT_EQ(use.residual, -1) << elements << name;
  }
}

struct SampleOfSums {
  const char* name;
  int sums;             ///< that are computed with the layer before
  double least_saving;  ///< of all layers' time
};

/// By layer; without a plan, no sum is computed with another layer.
target::CompiledLayers compile_all(const network::Network& network, const arch::ParameterValues& machine, bool plans) {
  const auto target = make_nmp_target();
  target::NoCache cache;
  const auto plan = plans ? target->prepare({&network, &machine, "burst"}, cache, {}) : nullptr;
  target::CompiledLayers layers;
  for (std::size_t i = 0; i < network.layers.size(); ++i)
    layers.push_back(target->compile({&network, static_cast<int>(i), &machine, "burst", plan.get()}, cache, {}));
  return layers;
}

double seconds_of_all(const target::CompiledLayers& layers) {
  double sum = 0;
  for (const auto& layer : layers)
    if (layer->mapped()) sum += layer->metrics().seconds.value;
  return sum;
}

TEST(NmpResidual, SavesTimeOfNetworks) {
  for (const SampleOfSums& sample : {SampleOfSums{"mobilenet_v2", 5, 0.005}, {"resnet50", 16, 0.05}}) {
    Diagnostics diagnostics;
    const auto text = read_file(sample_path(std::string("networks/") + sample.name + ".xml"), diagnostics);
    auto network = readers::read_layer_list_text(*text, "n.xml", diagnostics);
    ASSERT_TRUE(network) << diagnostics.text();
    network::set_shapes(*network, {}, diagnostics);
    Machine machine = board();
    machine.borders = Borders::exact;
    machine.all_operators = true;
    const auto with = compile_all(*network, parameter_values(machine), true),
               without = compile_all(*network, parameter_values(machine), false);
    int fused = 0;
    for (std::size_t i = 0; i < with.size(); ++i) {
      const std::string_view what = with[i]->metrics().text("operation");
      fused += what.starts_with("computed with ") ? 1 : 0;
    }
    EXPECT_EQ(fused, sample.sums) << sample.name;
    EXPECT_LT(seconds_of_all(with), (1 - sample.least_saving) * seconds_of_all(without)) << sample.name;
  }
}

// Rows of outputs shorter than a burst: loading a tile of them takes longer than two long pieces more.
TEST(NmpResidual, IsLeftAloneWhereItSavesNothing) {
  int chosen = 0, left = 0;
  for (const int memory : {64, 1024, 16384})
    for (const int columns : {7, 60}) {
      Machine machine = board();
      machine.borders = Borders::exact;
      machine.all_operators = true;
      machine.output_bytes = memory;
      network::Network network = read_layers("<conv name='a' maps='8' kernel='1'/><add name='sum' from='a image'/>");
      network.layers[0].in.size = network.layers[0].out.size = {30, columns};
      OperatorUse sum;
      sum.kind = OperatorUse::Kind::elements;
      sum.elements = std::int64_t{8} * 30 * columns;
      sum.operands = 2;
      target::NoCache cache;
      std::string reason;
      Convolution c = *convolution_of(network.layers[0], reason);
      const double alone = solve(c, machine, {}, cache, {})->seconds.total() +
                           solve_operator(sum, machine, CostLevel::burst, cache, {}).solution->seconds.total();
      c.residual = true;
      const double together = solve(c, machine, {}, cache, {})->seconds.total();
      const bool saves = saves_time(network.layers[0], sum, machine, CostLevel::burst, cache, {});
      EXPECT_EQ(saves, together < alone);
      ++(saves ? chosen : left);
    }
  EXPECT_GT(chosen, 0);
  EXPECT_GT(left, 0);
}

}  // namespace
}  // namespace convscope::nmp
