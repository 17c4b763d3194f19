// The target as a whole: levels, figures, artifacts, what a key holds.

#include <cstdlib>
#include <filesystem>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/cpu/architecture/machine.h"
#include "core/cpu/cpu_target.h"
#include "core/cpu/layers/layer_problem.h"
#include "core/cpu/run/host.h"
#include "core/cpu/run/test_data.h"
#include "core/cpu/store/store.h"
#include "core/cpu/stored/stored_peers.h"
#include "core/cpu/tree/tree.h"
#include "core/cpu/tree/winograd.h"
#include "core/target/pass_cache.h"
#include "tests/core/cpu/drawing.h"

namespace convscope::cpu {
namespace {

using testing::HasSubstr;

network::Network network_in_words(const std::vector<std::string>& texts) {
  Diagnostics diagnostics;
  std::vector<Problem> problems;
  for (const std::string& each : texts) problems.push_back(parse_problem(each, diagnostics).value());
  return network_of(problems, "words");
}

std::shared_ptr<const target::CompiledLayer> compiled(const network::Network& network, const Machine& machine = {},
                                                      const std::string& level = "estimate",
                                                      const std::string& store = "/nowhere/at.all") {
  const auto target = make_cpu_target(store);
  const arch::ParameterValues values = parameter_values(machine);
  target::NoCache cache;
  const auto plan = target->prepare({&network, &values, level}, cache, {});
  return target->compile({&network, 0, &values, level, plan.get()}, cache, {});
}

/// Of paths few are enough here.
Machine quick() {
  Machine machine;
  machine.ranked = 40;
  return machine;
}

TEST(CpuTarget, EstimatesAreMarkedAndNoFasterThanThePeak) {
  const auto layer = compiled(network_in_words({"56x56x64 -> 64, 3x3"}), quick());
  ASSERT_TRUE(layer->mapped()) << layer->reason();
  const artifact::Metrics& metrics = layer->metrics();
  EXPECT_EQ(metrics.seconds.origin, Origin::estimate);
  EXPECT_EQ(metrics.cycles.origin, Origin::estimate);
  EXPECT_GT(metrics.utilization.value, 0.2);
  EXPECT_LE(metrics.utilization.value, 1);
  EXPECT_LE(static_cast<double>(metrics.bound.cycles), metrics.cycles.value);
  EXPECT_NEAR(metrics.find("gflops")->value, 2e-9 * metrics.find("valid_macs")->value / metrics.seconds.value, 1e-6);
  EXPECT_FALSE(metrics.text("path").empty());
}

TEST(CpuTarget, TheSameSeedGivesTheSameProgramAndMorePathsNoWorseOne) {
  const auto network = network_in_words({"28x28x128 -> 128, 3x3"});
  Machine more = quick();
  more.ranked = 120;
  const auto few = compiled(network, quick()), again = compiled(network, quick()), many = compiled(network, more);
  EXPECT_EQ(few->metrics().text("path"), again->metrics().text("path"));
  EXPECT_LE(many->metrics().seconds.value, few->metrics().seconds.value);
}

TEST(CpuTarget, ShowsTheTransformsOfWinogradPrograms) {
  Machine machine = quick();
  machine.methods = Methods::winograd;
  const auto layer = compiled(network_in_words({"28x28x64 -> 64, 3x3"}), machine);
  ASSERT_TRUE(layer->mapped()) << layer->reason();
  ASSERT_EQ(layer->program_count(), 4);
  EXPECT_TRUE(layer->source(0));
  EXPECT_FALSE(layer->listing(0));
  EXPECT_THAT(layer->program_name(1), HasSubstr("transform of the input by BT"));
  EXPECT_THAT(layer->program_name(2), HasSubstr("transform of the kernel by G"));
  for (int program = 1; program < layer->program_count(); ++program) {
    const auto listing = layer->listing(program);
    const auto graph = layer->task_graph(program);
    ASSERT_TRUE(listing && graph) << program;
    EXPECT_EQ(listing->lines.front().fields.size(), listing->columns.size());
    EXPECT_GT(graph->dependences.size(), graph->operations.size());
    EXPECT_FALSE(layer->source(program));
  }
}

TEST(CpuTarget, HasNoTransformsOfDirectPrograms) {
  Machine machine = quick();
  machine.methods = Methods::direct;
  const auto layer = compiled(network_in_words({"28x28x64 -> 64, 3x3"}), machine);
  ASSERT_TRUE(layer->mapped()) << layer->reason();
  EXPECT_EQ(layer->program_count(), 1);
  EXPECT_FALSE(layer->task_graph(0));
}

TEST(CpuTarget, EveryFamilyHasAPath) {
  for (const Family family : {Family::scalar, Family::avx2, Family::avx512, Family::neon32, Family::neon64}) {
    Machine machine = quick();
    machine.family = family;
    const auto layer = compiled(network_in_words({"14x14x64 -> 64, 3x3"}), machine);
    EXPECT_TRUE(layer->mapped()) << traits(family).key << ": " << layer->reason();
  }
}

TEST(CpuTarget, LayersWithoutAProgramSayWhy) {
  auto network = network_in_words({"8x8x4 -> 8, 3x3"});
  network.layers[0].kernel = {0, 0};
  network.layers[0].operator_name = "Relu";
  EXPECT_THAT(compiled(network)->reason(), HasSubstr("Relu"));
}

TEST(CpuTarget, ASlowerMemoryRanksAnewAndDrawsNothing) {
  const auto network = network_in_words({"112x112x64 -> 64, 1x1"});
  Machine slow = quick();
  slow.dram.bandwidth = 1e9;
  slow.l3.bytes = 0;
  const auto fast = compiled(network, quick()), slower = compiled(network, slow);
  EXPECT_GT(slower->metrics().seconds.value, 2 * fast->metrics().seconds.value);
  EXPECT_EQ(slower->metrics().text("roof"), "DRAM");
  std::set<std::string> paths, other;
  const auto tree = fast->decision_tree(), other_tree = slower->decision_tree();
  for (const auto& tried : tree->tried) paths.insert(tried.path);
  for (const auto& tried : other_tree->tried) other.insert(tried.path);
  EXPECT_EQ(paths, other);
}

TEST(CpuTarget, TheDecisionTreeTakesWhatThePathSays) {
  const auto layer = compiled(network_in_words({"28x28x64 -> 64, 3x3"}), quick());
  const auto tree = layer->decision_tree();
  ASSERT_TRUE(tree && !tree->levels.empty());
  std::size_t rejected = 0, chosen = 0;
  for (const artifact::DecisionLevel& level : tree->levels) {
    ASSERT_GE(level.taken, 0) << level.name;
    const auto& taken = level.values[static_cast<std::size_t>(level.taken)];
    EXPECT_TRUE(taken.rejected.empty()) << level.name << ' ' << taken.value;
    EXPECT_THAT(std::string(layer->metrics().text("path")), HasSubstr(taken.value));
    double sum = 0;
    for (const auto& value : level.values) {
      sum += value.weight;
      rejected += value.rejected.empty() ? 0 : 1;
      EXPECT_TRUE(value.rejected.empty() || value.weight == 0) << level.name;
    }
    EXPECT_NEAR(sum, 1, 1e-9) << level.name;
  }
  EXPECT_GT(rejected, 0u);
  for (const auto& tried : tree->tried) {
    chosen += tried.chosen ? 1 : 0;
    EXPECT_GE(tried.estimate.value, layer->metrics().seconds.value * (1 - 1e-12));
  }
  EXPECT_EQ(chosen, 1u);
}

TEST(CpuTarget, TheSourceKnowsItsTreeAndItsCompanions) {
  const auto layer = compiled(network_in_words({"28x28x64 -> 64, 3x3"}), quick());
  const auto source = layer->source(0);
  ASSERT_TRUE(source);
  EXPECT_THAT(source->main.text, HasSubstr("28x28x64 -> 64, 3x3"));
  EXPECT_THAT(source->main.text, HasSubstr("void convolution("));
  ASSERT_EQ(source->beside.size(), 2u);
  ASSERT_FALSE(source->stages.empty());
  const artifact::SourceStage& last = source->stages.back();
  ASSERT_FALSE(last.nodes.empty());
  double largest = 0;
  for (const artifact::SourceNode& node : last.nodes) largest = std::max(largest, node.share);
  EXPECT_NEAR(largest, 1, 1e-9);
  const int lines = static_cast<int>(artifact::line_starts(source->main.text).size()) - 1;
  int linked = 0;
  for (const artifact::SourceNode& node : last.nodes) {
    EXPECT_LE(node.share, 1 + 1e-9) << node.text;
    if (node.first_line < 0) continue;
    ++linked;
    EXPECT_LE(node.first_line, node.last_line);
    EXPECT_LT(node.last_line, lines);
    EXPECT_GE(artifact::node_at_line(last, node.first_line), 0);
  }
  EXPECT_GT(linked, 0);
}

TEST(CpuTarget, RoofsAreThePeakAndTheLevelsThatThereAre) {
  const auto network = network_in_words({"28x28x64 -> 64, 3x3"});
  Machine machine = quick();
  machine.l3.bytes = 0;
  const auto roofline = make_cpu_target()->roofline(network, {compiled(network, machine)}, parameter_values(machine));
  ASSERT_EQ(roofline.roofs.size(), 4u);
  EXPECT_DOUBLE_EQ(roofline.roofs[0].operations_per_second, 96e9);
  EXPECT_EQ(roofline.roofs[3].name, "DRAM");
  ASSERT_EQ(roofline.points.size(), 1u);
  EXPECT_LE(roofline.points[0].operations_per_second, 96e9);
}

class StoredLevel : public testing::Test {
 protected:
  StoredLevel() {
    std::string name = (std::filesystem::temp_directory_path() / "convscope-stored-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~StoredLevel() override { std::filesystem::remove_all(folder_); }

  /// Keeps a run of a drawn path on a host.
  Path keep(const std::string& host, double seconds) const {
    Diagnostics diagnostics;
    const auto store = Store::open(file(), diagnostics);
    const auto weights = standard_weights(diagnostics);
    EXPECT_TRUE(store && weights) << diagnostics.text();
    const auto path = draw(problem_, {{Family::avx2}, 1 << 19, 1}, *weights, Drawing::weighted, 77);
    Record record;
    record.problem = problem_;
    record.path = *path;
    record.host = host;
    record.algorithm = "final";
    record.outcome.ending = Ending::ran;
    record.outcome.minimum = record.outcome.first_quartile = record.outcome.median = seconds;
    record.outcome.samples = 15;
    record.outcome.gated = true;
    record.outcome.peak = 120e9;
    record.outcome.error = 1e-6;
    record.outcome.bound = relative_bound(problem_, kernel_transform(decode(problem_, *path)).error_growth) * .5;
    EXPECT_TRUE(store->add(record, diagnostics)) << diagnostics.text();
    return *path;
  }
  std::string file() const { return folder_ + "/store.sqlite"; }

  std::string folder_;
  network::Network network_ = network_in_words({"28x28x64 -> 64, 3x3"});
  Problem problem_ = [this] {
    std::string reason;
    return problem_of(network_.layers[0], 1, reason).value();
  }();
};

TEST_F(StoredLevel, IsTheEstimateWithAWordWhereNothingIsStored) {
  const auto layer = compiled(network_, quick(), "stored", file());
  ASSERT_TRUE(layer->mapped());
  EXPECT_EQ(layer->metrics().seconds.origin, Origin::estimate);
  EXPECT_THAT(layer->explanation()->summary, HasSubstr("this is the estimate"));
  EXPECT_FALSE(std::filesystem::exists(file())) << "reports make no store";
}

TEST_F(StoredLevel, HasTheRunOfThisHost) {
  const Path path = keep(this_host().identity(), 1e-3);
  const auto layer = compiled(network_, quick(), "stored", file());
  ASSERT_TRUE(layer->mapped());
  const artifact::Metrics& metrics = layer->metrics();
  EXPECT_EQ(metrics.seconds.value, 1e-3);
  EXPECT_EQ(metrics.seconds.origin, Origin::measured);
  EXPECT_EQ(metrics.text("path"), json(path));
  EXPECT_EQ(metrics.find("samples")->value, 15);
  EXPECT_NEAR(metrics.utilization.value, 2 * metrics.find("valid_macs")->value / 1e-3 / 120e9, 1e-9);
  const auto tree = layer->decision_tree();
  const auto measured = std::count_if(tree->tried.begin(), tree->tried.end(), [](const auto& t) { return t.measured; });
  EXPECT_EQ(measured, 1);
  const auto run = std::find_if(tree->tried.begin(), tree->tried.end(), [](const auto& t) { return t.measured; });
  EXPECT_FALSE(run->kind.empty());
  EXPECT_GT(run->chain, 0);
  ASSERT_TRUE(run->error);
  EXPECT_NEAR(run->error->value, 2e-6, 1e-12);
  EXPECT_EQ(tree->error_bound, usual_error) << "no search is stored that asked for another one";
}

TEST_F(StoredLevel, HasTheFastestOtherLibraryBesideItsRun) {
  const Path path = keep(this_host().identity(), 1e-3);
  Diagnostics diagnostics;
  const auto store = Store::open(file(), diagnostics);
  Record ours;
  ours.problem = problem_;
  ours.path = path;
  ours.host = this_host().identity();
  const auto ran = [](double seconds) {
    Outcome outcome;
    outcome.ending = Ending::ran;
    outcome.minimum = seconds;
    return outcome;
  };
  ASSERT_TRUE(keep_peers(
      *store, ours, {{{"im2col", "Haswell", 0, ran(4e-3)}, {"oneDNN direct", "jit", 0, ran(2e-3)}}, {ran(1e-3)}, true},
      diagnostics));
  const auto layer = compiled(network_, quick(), "stored", file());
  const artifact::Metrics& metrics = layer->metrics();
  EXPECT_EQ(metrics.text("peer"), "oneDNN direct");
  EXPECT_EQ(metrics.find("peer_seconds")->value, 2e-3);
  EXPECT_DOUBLE_EQ(metrics.find("peer_ratio")->value, 2);
  EXPECT_THAT(layer->explanation()->summary, HasSubstr("im2col takes 4.00 of its time (Haswell)"));
  const auto target = make_cpu_target(file());
  const auto machine = parameter_values(quick());
  EXPECT_DOUBLE_EQ(target->total({layer}, machine).find("peer_ratio")->value, 2);
  const artifact::Roofline roofline = target->roofline(network_, {layer}, machine);
  ASSERT_EQ(roofline.points.size(), 2U);
  EXPECT_EQ(roofline.points[0].series, "generated");
  EXPECT_EQ(roofline.points[1].series, "oneDNN direct");
  EXPECT_EQ(roofline.points[1].operations_per_byte, roofline.points[0].operations_per_byte);
  EXPECT_DOUBLE_EQ(roofline.points[0].operations_per_second / roofline.points[1].operations_per_second, 2);
}

/// Relative error of a run whose bound is what a sum may err, of outputs whose root mean square is 1.
Record run_of(const Problem& problem, const Path& path, double seconds, double error, const std::string& algorithm) {
  Record record;
  record.problem = problem;
  record.path = path;
  record.host = this_host().identity();
  record.algorithm = algorithm;
  record.outcome.ending = Ending::ran;
  record.outcome.minimum = record.outcome.median = seconds;
  record.outcome.error = error;
  record.outcome.bound = relative_bound(problem, kernel_transform(decode(problem, path)).error_growth);
  return record;
}

std::string stored_path(const network::Network& network, const std::string& file) {
  return std::string(compiled(network, quick(), "stored", file)->metrics().text("path"));
}

TEST_F(StoredLevel, LeavesOutWhatErrsMoreThanTheLatestSearchAllowed) {
  Diagnostics diagnostics;
  const auto store = Store::open(file(), diagnostics);
  const auto fast = draw_with(problem_, {{"family", "avx2"}, {"microkernel", "winograd_2d"}, {"transform", "6"}}, 1);
  const auto right = draw_with(problem_, {{"family", "avx2"}, {"microkernel", "winograd_2d"}, {"transform", "2"}}, 1);
  ASSERT_TRUE(store && fast && right);
  const auto add = [&](const Record& record) { EXPECT_TRUE(store->add(record, diagnostics)) << diagnostics.text(); };
  add(run_of(problem_, *fast, 1e-3, 8e-5, "guided, max error up to 0.0001"));
  add(run_of(problem_, *fast, 1e-3, 8e-5, "final"));
  EXPECT_EQ(stored_path(network_, file()), json(*fast)) << "that much was allowed";
  add(run_of(problem_, *right, 2e-3, 1e-6, "guided"));
  EXPECT_EQ(stored_path(network_, file()), json(*right)) << "1e-5 is, unless another bound is asked for";
  Record left_out = run_of(problem_, *right, 2e-3, 1e-6, "guided, max error up to 5e-07");
  left_out.outcome.ending = Ending::inaccurate;
  add(left_out);
  const auto layer = compiled(network_, quick(), "stored", file());
  EXPECT_EQ(layer->metrics().seconds.origin, Origin::estimate);
  EXPECT_THAT(layer->explanation()->summary, HasSubstr("errs more than the latest search allowed"));
  add(run_of(problem_, *fast, 1e-3, 8e-5, "guided, l2 error up to 1e-05"));
  EXPECT_EQ(stored_path(network_, file()), json(*fast)) << "the search looked at the other metric";
}

TEST_F(StoredLevel, APathOfBeforePartialTilesHadALevelIsOneThatDiscards) {
  const network::Network odd = network_in_words({"27x27x16 -> 16, 3x3"});
  std::string reason;
  const Problem problem = problem_of(odd.layers[0], 1, reason).value();
  const auto path = draw_with(
      problem, {{"family", "avx2"}, {"microkernel", "winograd_2d"}, {"transform", "2"}, {"partial", "discard"}}, 1);
  ASSERT_TRUE(path);
  Path old = *path;
  std::erase_if(old.choices, [](const Choice& choice) { return choice.level == "partial"; });
  ASSERT_EQ(old.choices.size() + 1, path->choices.size());
  Diagnostics diagnostics;
  EXPECT_FALSE(check(problem, any_machine(problem), old, diagnostics));
  Record record = run_of(problem, *path, 1e-3, 1e-6, "guided");
  record.path = old;
  ASSERT_TRUE(Store::open(file(), diagnostics)->add(record, diagnostics));
  EXPECT_EQ(stored_path(odd, file()), json(*path));
}

TEST_F(StoredLevel, ShowsAnotherHostsRunAsThat) {
  keep("another host", 1e-3);
  const auto layer = compiled(network_, quick(), "stored", file());
  EXPECT_EQ(layer->metrics().seconds.origin, Origin::estimate);
  EXPECT_THAT(layer->explanation()->summary, HasSubstr("another host alone (1 ms"));
}

}  // namespace
}  // namespace convscope::cpu
