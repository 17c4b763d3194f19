// Operators that are no convolutions: what they are taken for, what they cost, and that the search for them is exact.

#include "core/nmp/operators/operators.h"

#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/atomic_file.h"
#include "core/base/resources.h"
#include "core/network/shape_inference.h"
#include "core/nmp/artifacts/plan.h"
#include "core/nmp/nmp_target.h"
#include "core/nmp/search/search.h"
#include "core/readers/layer_list/layer_list.h"
#include "oracle.h"
#include "random_problems.h"

namespace convscope::nmp {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

network::Network read(const std::string& text) {
  Diagnostics diagnostics;
  auto network = readers::read_layer_list_text(text, "n.xml", diagnostics);
  EXPECT_TRUE(network) << diagnostics.text();
  network::set_shapes(*network, {}, diagnostics);
  return *network;
}

network::Network sample(const std::string& name) {
  Diagnostics diagnostics;
  return read(*read_file(sample_path("networks/" + name + ".xml"), diagnostics));
}

network::Network layers(const std::string& elements) {
  return read("<layer_list name='n'>" + elements + "</layer_list>");
}

arch::ParameterValues machine_with(const std::map<std::string, std::string>& changes) {
  arch::ParameterValues values = parameter_values(board());
  Diagnostics diagnostics;
  for (const auto& [name, value] : changes) EXPECT_TRUE(values.set(name, value, diagnostics)) << diagnostics.text();
  return values;
}

/// Without a plan of the network no sum is computed with the layer before.
struct CompiledNetwork {
  network::Network network;
  target::CompiledLayers layers;
  artifact::Metrics total;
  artifact::Roofline roofline;
};

CompiledNetwork compiled(const network::Network& network, const arch::ParameterValues& machine,
                         const std::string& level = "burst", bool plans = true) {
  const auto target = make_nmp_target();
  target::NoCache cache;
  CompiledNetwork result{network, {}, {}, {}};
  const auto plan = plans ? target->prepare({&network, &machine, level}, cache, {}) : nullptr;
  for (std::size_t i = 0; i < network.layers.size(); ++i)
    result.layers.push_back(target->compile({&network, static_cast<int>(i), &machine, level, plan.get()}, cache, {}));
  result.total = target->total(result.layers, machine);
  result.roofline = target->roofline(network, result.layers, machine);
  return result;
}

/// Milliseconds of the layers whose operators are among these.
double milliseconds(const CompiledNetwork& network, const std::vector<std::string>& operators) {
  double sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i)
    if (std::find(operators.begin(), operators.end(), network.network.layers[i].operator_name) != operators.end())
      sum += network.layers[i]->metrics().seconds.value * 1e3;
  return sum;
}

const std::vector<std::string> pools{"MaxPool", "AveragePool", "GlobalAveragePool"};

// 04b, 'Other operators': pools and additions of ResNet-50, pools of InceptionV3 and SqueezeNet.
TEST(NmpOperators, TakeWhatTheFormulasSay) {
  const auto machine = machine_with({{"operators", "all"}});
  const auto resnet = compiled(sample("resnet50"), machine);
  EXPECT_NEAR(milliseconds(resnet, pools), 0.7, 0.05);
  EXPECT_EQ(milliseconds(resnet, {"Add"}), 0);  // computed with the convolutions before
  EXPECT_NEAR(milliseconds(compiled(sample("resnet50"), machine, "burst", false), {"Add"}), 8.3, 0.03 * 8.3);
  EXPECT_NEAR(milliseconds(compiled(sample("inception_v3"), machine), pools), 4.7, 0.03 * 4.7);
  EXPECT_NEAR(milliseconds(compiled(sample("squeezenet_1_0"), machine), pools), 2.2, 0.03 * 2.2);
}

// 04b again: 1,063 us against 1,140 of a fully connected layer as a convolution; its tilings need 2 to 5 % less
// commands.
TEST(NmpOperators, PerceptsTakeLessThanConvolutionsToOnePixel) {
  const auto network = sample("resnet50");
  for (const auto& [borders, tolerance] : {std::pair{"exact", 0.035}, std::pair{"full-tiles", 0.055}}) {
    const auto as_convolution = compiled(network, machine_with({{"borders", borders}}));
    const auto as_percept = compiled(network, machine_with({{"borders", borders}, {"operators", "all"}}));
    EXPECT_NEAR(milliseconds(as_convolution, {"Gemm"}), 1.14, tolerance * 1.14);
    EXPECT_NEAR(milliseconds(as_percept, {"Gemm"}), 1.063, tolerance * 1.063);
  }
}

TEST(NmpOperators, AddUpInTheTotal) {
  const auto network = sample("resnet50");
  const auto without = compiled(network, machine_with({})),
             with = compiled(network, machine_with({{"operators", "all"}}));
  double sum = 0;
  for (const auto& layer : with.layers)
    if (layer->mapped()) sum += layer->metrics().seconds.value;
  EXPECT_NEAR(with.total.seconds.value, sum, 1e-9);
  EXPECT_EQ(with.total.macs, without.total.macs);
  EXPECT_EQ(milliseconds(without, pools) + milliseconds(without, {"Add"}), 0);
  EXPECT_TRUE(without.layers[0]->metrics().text("operation").empty());
  for (const artifact::RooflinePoint& point : with.roofline.points) EXPECT_GT(point.operations_per_second, 0);
}

TEST(NmpOperators, AreToldApart) {
  const auto network = layers(
      "<input name='image' maps='8' height='8' width='8'/>"
      "<conv name='a' maps='8' kernel='1' activation='relu'/>"
      "<conv name='b' maps='8' kernel='3' pad='same'/>"
      "<add name='sum' from='a b' activation='relu'/>"
      "<concat name='both' from='a sum'/>"
      "<max_pool name='pool' kernel='2' stride='2'/>"
      "<fc name='fc' maps='10'/>"
      "<softmax name='prob'/>");
  const OperatorPlan plan = plan_operators(network);
  std::map<std::string, OperatorUse> uses;
  for (std::size_t i = 0; i < network.layers.size(); ++i) uses[network.layers[i].name] = plan.uses[i];
  EXPECT_EQ(uses["a/relu"].kind, OperatorUse::Kind::free);
  EXPECT_EQ(uses["a/relu"].text, "folded into a");
  EXPECT_EQ(uses["sum"].kind, OperatorUse::Kind::elements);
  EXPECT_EQ(uses["sum"].operands, 2);
  EXPECT_EQ(uses["sum"].elements, 512);
  EXPECT_EQ(uses["sum/relu"].text, "folded into sum");
  EXPECT_EQ(uses["both"].kind, OperatorUse::Kind::free);
  EXPECT_EQ(uses["pool"].kind, OperatorUse::Kind::pool);
  EXPECT_EQ(uses["pool"].text, "MaxPool of 2 x 2");
  EXPECT_EQ(uses["fc/flatten"].kind, OperatorUse::Kind::free);
  EXPECT_EQ(uses["prob"].kind, OperatorUse::Kind::unmapped);
  EXPECT_THAT(uses["prob"].text, HasSubstr("no instruction for Softmax"));
}

TEST(NmpOperators, RefusePoolsBeyondCounting) {
  network::Network network =
      layers("<input name='image' maps='8' height='8' width='8'/><max_pool name='pool' kernel='2' stride='2'/>");
  ASSERT_EQ(plan_operators(network).uses[0].kind, OperatorUse::Kind::pool);
  network.layers[0].in = network.layers[0].out = {1 << 20, {1 << 14, 1 << 14}};
  EXPECT_EQ(plan_operators(network).uses[0].kind, OperatorUse::Kind::unmapped);
  EXPECT_EQ(plan_operators(network).uses[0].text, "it is too large to search");
  network.layers[0].in.size = {};
  EXPECT_EQ(plan_operators(network).uses[0].kind, OperatorUse::Kind::unmapped);
}

/// A mean over axes of 8 maps of 6 x 5 numbers.
OperatorUse use_of_mean(const std::vector<std::int64_t>& axes) {
  network::Network network =
      layers("<input name='image' maps='8' height='6' width='5'/><global_average_pool name='mean'/>");
  network::Graph graph = *network.graph;
  graph.nodes[0].operator_name = network.layers[0].operator_name = "ReduceMean";
  graph.nodes[0].attributes.set("axes", axes);
  network.graph = std::make_shared<const network::Graph>(std::move(graph));
  return plan_operators(network).uses[0];
}

TEST(NmpOperators, ReduceRowsColumnsOrBoth) {
  const auto window = [](const OperatorUse& use) {
    return use.pool ? std::pair(use.pool->rows.kernel, use.pool->columns.kernel) : std::pair(0, 0);
  };
  EXPECT_EQ(window(use_of_mean({2, 3})), std::pair(6, 5));
  EXPECT_EQ(window(use_of_mean({2})), std::pair(6, 1));
  EXPECT_EQ(window(use_of_mean({-1})), std::pair(1, 5));
  EXPECT_EQ(use_of_mean({-1}).pool->rows.out, 6);
  for (const auto& axes : {std::vector<std::int64_t>{1}, {0, 2}, {4}, {}})
    EXPECT_THAT(use_of_mean(axes).text, HasSubstr("reduces rows, columns or both"));
}

/// A transposition of 8 maps of one row of `columns`.
OperatorUse use_of_transposition(int columns, const std::vector<std::int64_t>& order) {
  network::Network network =
      layers("<input name='image' maps='8' height='1' width='" + std::to_string(columns) + "'/><relu name='turn'/>");
  network::Graph graph = *network.graph;
  graph.nodes[0].operator_name = network.layers[0].operator_name = "Transpose";
  graph.nodes[0].attributes.set("perm", order);
  network.graph = std::make_shared<const network::Graph>(std::move(graph));
  return plan_operators(network).uses[0];
}

TEST(NmpOperators, TransposeNothingWhereOrderIsKept) {
  EXPECT_EQ(use_of_transposition(1, {0, 2, 3, 1}).kind, OperatorUse::Kind::free);
  EXPECT_EQ(use_of_transposition(5, {2, 0, 1, 3}).kind, OperatorUse::Kind::free);
  EXPECT_EQ(use_of_transposition(5, {0, 2, 3, 1}).kind, OperatorUse::Kind::unmapped);
  EXPECT_EQ(use_of_transposition(1, {}).kind, OperatorUse::Kind::free);  // all dimensions the other way round
  for (const auto& wrong : {std::vector<std::int64_t>{0, 1}, {0, 1, 2, 9}, {0, 1, 2, -1}, {0, 1, 1, 3}})
    EXPECT_EQ(use_of_transposition(1, wrong).kind, OperatorUse::Kind::unmapped);
}

// An activation that reads what others read, too, can't change it on its way out.
TEST(NmpOperators, FoldOnlyWhereNobodyElseReads) {
  const auto network = layers(
      "<input name='image' maps='8' height='8' width='8'/>"
      "<conv name='a' maps='8' kernel='1'/>"
      "<relu name='r' from='a'/>"
      "<add name='sum' from='a r'/>");
  const OperatorPlan plan = plan_operators(network);
  EXPECT_EQ(plan.uses[1].kind, OperatorUse::Kind::elements);
  EXPECT_EQ(plan.uses[1].operands, 1);
}

void compare(Borders borders, unsigned seed) {
  RandomProblems random(seed);
  std::map<Operator, int> mapped;
  for (int i = 0; i < 150; ++i) {
    const Problem p = random.next_operator(borders);
    const CostModel model(p.convolution, p.machine);
    const auto found = best_tiling(model, {}, {});
    const OracleBest best = oracle_best(p.convolution, p.machine, false);
    ASSERT_EQ(found.has_value(), std::isfinite(best.seconds)) << i;
    if (!found) continue;
    ++mapped[p.convolution.operation];
    ASSERT_NEAR(found->price, best.seconds, 1e-9 * best.seconds) << i << " " << tiling_text(found->tiling);
  }
  for (const Operator operation : {Operator::fully_connected, Operator::pool, Operator::pairs})
    EXPECT_GT(mapped[operation], 15);
}

TEST(NmpOperators, SearchEqualsTheOracle) {
  compare(Borders::full, 41);
  compare(Borders::exact, 42);
}

// What is drawn is what is charged: both operands of an addition, its sum, nothing else.
TEST(NmpOperators, AnAdditionsPlanMovesWhatItsMetricsSay) {
  const auto network = layers(
      "<input name='image' maps='40' height='31' width='31'/>"
      "<conv name='a' maps='40' kernel='1'/><conv name='b' maps='40' kernel='1'/><add name='sum' from='a b'/>");
  for (const char* level : {"volume", "burst", "banked", "walk"}) {
    const auto all = compiled(network, machine_with({{"operators", "all"}}), level, false);
    const auto& sum = *all.layers[2];
    ASSERT_TRUE(sum.mapped()) << sum.reason();
    const auto plan = sum.tile_plan();
    std::int64_t loaded = 0, stored = 0;
    for (std::int64_t i = 0; i < plan->steps(); ++i)
      for (const auto& transfer : plan->step(i).transfers)
        (artifact::is_load(transfer.move) ? loaded : stored) += transfer.bytes;
    EXPECT_EQ(loaded, sum.metrics().bytes_in) << level;
    EXPECT_EQ(stored, sum.metrics().bytes_out) << level;
    EXPECT_EQ(sum.metrics().bytes_weights, 0);
    EXPECT_GE(stored, 40 * 31 * 31 * 2);
    EXPECT_LE(stored, 40 * 31 * 31 * 2 * 1.01);
    EXPECT_EQ(sum.metrics().macs, 0);
    EXPECT_TRUE(sum.timeline(0));
    EXPECT_LE(static_cast<double>(sum.metrics().bound.cycles), sum.metrics().cycles.value);
  }
}

TEST(NmpOperators, TakeHalfMemoriesWhereTheyAreDoubled) {
  const auto network = sample("mobilenet_v2");
  const auto single = compiled(network, machine_with({{"operators", "all"}}));
  const auto chosen = compiled(network, machine_with({{"operators", "all"}, {"double_buffering", "chosen"}}));
  for (std::size_t i = 0; i < single.layers.size(); ++i)
    EXPECT_LE(chosen.layers[i]->metrics().seconds.value, single.layers[i]->metrics().seconds.value * (1 + 1e-9)) << i;
}

TEST(NmpOperators, HoldOnSmallAndOddMachines) {
  const auto network = sample("squeezenet_1_0");
  for (const auto& changes :
       {std::map<std::string, std::string>{{"input_memory", "64"}, {"weight_memory", "64"}, {"output_memory", "64"}},
        std::map<std::string, std::string>{{"tle_timing", "free-running"}},
        std::map<std::string, std::string>{{"array", "lanes"}, {"array_height", "4"}, {"array_width", "2"}}}) {
    auto machine = changes;
    machine["operators"] = "all";
    const auto all = compiled(network, machine_with(machine));
    EXPECT_GT(milliseconds(all, pools), 0);
  }
}

}  // namespace
}  // namespace convscope::nmp
