// A target's own figures and costs as objectives: in spaces, sweeps, results files and fronts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/sqlite.h"
#include "core/catalogue/standard.h"
#include "core/explore/results/results_front.h"
#include "core/explore/results/results_table.h"
#include "core/explore/results/results_writer.h"
#include "core/explore/results/sweep_table_builder.h"
#include "spaces.h"

namespace convscope::explore::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

/// Counts steps, rates its work by lanes, and is made of adders.
class RatingTarget : public CountingTarget {
 public:
  const std::vector<artifact::FigureDescription>& figures() const override {
    static const std::vector<artifact::FigureDescription> figures = {
        {.key = "rate", .label = "Rate", .better = artifact::Better::more, .ratio = true, .objective = true},
        {.key = "steps", .label = "Steps", .better = artifact::Better::less, .objective = true},
        {.key = "aside", .label = "Not swept over"},
        {.key = "adders", .label = "Adders", .better = artifact::Better::less, .objective = true, .cost = true}};
    return figures;
  }
  artifact::Metrics total(const std::vector<std::shared_ptr<const target::CompiledLayer>>& layers,
                          const arch::ParameterValues& machine) const override {
    artifact::Metrics sum = CountingTarget::total(layers, machine);
    sum.target_figures = {{"rate", {1 / machine.get("lanes"), "", Origin::estimate}},
                          {"steps", {static_cast<double>(layers.size()), "", Origin::derived}},
                          {"aside", {1, "", Origin::derived}}};
    return sum;
  }
  std::vector<artifact::NamedQuantity> resources(const arch::ParameterValues& machine) const override {
    return {{"adders", {3 * machine.get("lanes"), "", Origin::derived}}};
  }
};

MadeUpSources rating() {
  MadeUpSources sources;
  sources.counting = std::make_shared<RatingTarget>();
  return sources;
}

std::string xml_over(const std::string& objectives) {
  return "<space name='made-up'>" + objectives +
         "<network file='3'/><machines target='counting'><parameter name='lanes'>1 2 4</parameter></machines></space>";
}

const char* const both = "<objective name='rate'/><objective name='adders'/>";

std::vector<std::string> columns_of(const std::string& path, const char* table) {
  const Database database(path, Database::Access::read);
  const Statement statement(database, std::string("SELECT * FROM ") + table);
  std::vector<std::string> names;
  for (int i = 0; i < statement.columns(); ++i) names.push_back(statement.name(i));
  return names;
}

/// The results of every point, in a file that isn't finished yet.
std::vector<PointResult> swept(const std::string& path, const std::shared_ptr<const Space>& space) {
  Diagnostics diagnostics;
  const auto file = ResultsFile::create(path, space, {"test 1", "grid", {}}, diagnostics);
  EXPECT_TRUE(file) << diagnostics.text();
  const auto cache = make_sweep_cache();
  std::vector<PointResult> results;
  for (std::uint64_t i = 0; i < space->size(); ++i)
    results.push_back(evaluate(*space, space->point(i), *cache, std::stop_token()));
  file->add(results);
  for (const PointResult& each : results) EXPECT_EQ(file->read(each.point), each);
  return results;
}

TEST(OwnObjectives, AreKnownOnlyWhereTheTargetIsSwept) {
  const auto space = space_of(xml_over(both), rating());
  EXPECT_EQ(space->objectives, (std::vector<Objective>{{"rate", true}, {"adders", false}}));
  EXPECT_THAT(refusal_of(xml_over(both)), HasSubstr("unknown objective 'rate'"));
  Diagnostics diagnostics;
  EXPECT_FALSE(read_space(xml_over("<objective name='aside'/>"), "space.xml", rating(), diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("bytes_weights, rate, steps, mac_units"));
}

TEST(OwnObjectives, AreNotedOfEveryPointAndDecideAboutTheFront) {
  const auto space = space_of(xml_over(both), rating());
  const Folder folder;
  const std::string path = folder.path("results.db");
  const std::vector<PointResult> results = swept(path, space);
  EXPECT_EQ(noted(results[1], space->outcomes, "rate"), (Noted{0.5, Origin::estimate}));
  EXPECT_EQ(noted(results[1], space->outcomes, "adders").value, 6);
  EXPECT_FALSE(noted(results[1], space->outcomes, "aside").value);
  EXPECT_EQ(objective_vector(results[1], *space), (Vector{-0.5, 6}));
  Diagnostics diagnostics;
  const auto front = read_front(path, {}, diagnostics);
  ASSERT_TRUE(front) << diagnostics.text();
  ASSERT_EQ(front->rows.size(), 1u) << "one lane has the highest rate and the fewest adders";
  EXPECT_THAT(front_json(*front), HasSubstr("\"rate\": 1.0"));
}

TEST(OwnObjectives, AreColumnsOfTablesWithTheirLabels) {
  const auto space = space_of(xml_over(both), rating());
  const Folder folder;
  const std::string path = folder.path("results.db");
  SweepTableBuilder builder(space);
  for (const PointResult& each : swept(path, space)) builder.add(each);
  const auto table = builder.table("test");
  ASSERT_TRUE(table->column("rate") && table->column("steps") && table->column("adders"));
  EXPECT_EQ(table->column("rate")->label, "Rate");
  EXPECT_TRUE(table->column("rate")->maximize);
  EXPECT_EQ(table->column("rate")->origin, Origin::estimate);
  EXPECT_THAT(table->column("adders")->values, ElementsAre(3, 6, 12));
  EXPECT_FALSE(table->column("aside"));
}

TEST(OwnObjectives, OfAnUnknownTargetAreReadByWhatTheFileSays) {
  const Folder folder;
  const std::string path = folder.path("results.db");
  swept(path, space_of(xml_over(both), rating()));
  Diagnostics diagnostics;
  const auto table = read_results_table(path, {}, "read", catalogue::standard(), diagnostics);
  ASSERT_TRUE(table) << diagnostics.text();
  ASSERT_TRUE(table->column("rate"));
  EXPECT_EQ(table->column("rate")->label, "rate");
  EXPECT_EQ(table->column("rate")->origin, Origin::estimate);
  EXPECT_THAT(table->on_front, ElementsAre(1, 0, 0));
}

TEST(OwnObjectives, StandBehindTheColumnsThatEverySpaceHas) {
  const Folder folder;
  swept(folder.path("own.db"), space_of(xml_over(both), rating()));
  swept(folder.path("plain.db"), space_of(xml_over(""), MadeUpSources()));
  std::vector<std::string> every = {"point",  "network",       "seconds",     "seconds_origin",
                                    "cycles", "cycles_origin", "utilization", "utilization_origin",
                                    "macs",   "bytes_in",      "bytes_out",   "bytes_weights",
                                    "bytes",  "coverage",      "verified"};
  EXPECT_EQ(columns_of(folder.path("plain.db"), "figures"), every);
  for (const char* own : {"rate", "rate_origin", "steps", "steps_origin"}) every.emplace_back(own);
  EXPECT_EQ(columns_of(folder.path("own.db"), "figures"), every);
  EXPECT_THAT(columns_of(folder.path("own.db"), "points"), Contains("adders"));
}

TEST(OwnObjectives, AFileFromBeforeTheyWereListedIsStillRead) {
  const Folder folder;
  const std::string path = folder.path("results.db");
  swept(path, space_of(xml_over(""), MadeUpSources()));
  const auto space = space_of(xml_over(""), rating());
  const Database database(path, Database::Access::read);
  ResultsReader reader(database, space);
  reader.seek(0);
  const auto first = reader.next();
  ASSERT_TRUE(first);
  EXPECT_TRUE(noted(*first, space->outcomes, "cycles").value);
  EXPECT_FALSE(noted(*first, space->outcomes, "rate").value);
}

TEST(OwnObjectives, OfSeveralNetworksAddUpOrAreMeansByCycles) {
  const auto target = std::make_shared<RatingTarget>();
  const Outcomes outcomes = outcomes_of({target});
  const auto network = engine::test::made_up_network(1);
  const std::vector<WeightedNetwork> networks = {{"a", network, 1, ""}, {"b", network, 2, ""}};
  const std::vector<Figures> figures = {figures_with(outcomes, {{"cycles", 10}, {"rate", 1}, {"steps", 5}}),
                                        figures_with(outcomes, {{"cycles", 20}, {"rate", 0.5}, {"steps", 7}})};
  PointResult result;
  result.total = weighted_total(networks, figures, outcomes);
  EXPECT_DOUBLE_EQ(*noted(result, outcomes, "cycles").value, 50);
  EXPECT_DOUBLE_EQ(*noted(result, outcomes, "steps").value, 19);
  EXPECT_DOUBLE_EQ(*noted(result, outcomes, "rate").value, (1 * 10 + 2 * 0.5 * 20) / 50);
  EXPECT_FALSE(noted(result, outcomes, "seconds").value) << "no network states it";
}

}  // namespace
}  // namespace convscope::explore::test
