// Tables of sweeps: from results as they come, and from files.

#include <algorithm>
#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "core/explore/results/results_table.h"
#include "core/explore/results/sweep_table_builder.h"
#include "spaces.h"

namespace convscope::explore::test {
namespace {

using testing::HasSubstr;

const char* const grid_of_30 =
    "<parameter name='lanes'>1 2 4 8 16 32</parameter><parameter name='bandwidth' from='20' to='100' step='20'/>"
    "<constraint reason='too lean'>bandwidth > lanes</constraint>";

std::vector<PointResult> results_of(const std::shared_ptr<const Space>& space) {
  const auto cache = make_sweep_cache();
  std::vector<PointResult> results;
  for (std::uint64_t i = 0; i < space->size(); ++i)
    results.push_back(evaluate(*space, space->point(i), *cache, std::stop_token()));
  return results;
}

std::shared_ptr<const SweepTable> table_of(const std::shared_ptr<const Space>& space,
                                           const std::vector<PointResult>& results) {
  SweepTableBuilder builder(space);
  for (const PointResult& result : results) builder.add(result);
  return builder.table("test");
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

void expect_same(const SweepTable& a, const SweepTable& b, bool all_columns = true) {
  EXPECT_EQ(a.points, b.points);
  EXPECT_EQ(a.on_front, b.on_front);
  EXPECT_EQ(a.comparable, b.comparable);
  EXPECT_EQ(a.removed, b.removed);
  EXPECT_EQ(a.size, b.size);
  EXPECT_EQ(a.seen, b.seen);
  EXPECT_TRUE(!all_columns || a.columns.size() == b.columns.size());
  for (const SweepColumn& column : a.columns) {
    const SweepColumn* other = b.column(column.key);
    if (!other && !all_columns) continue;
    ASSERT_TRUE(other) << column.key;
    EXPECT_EQ(column.label, other->label);
    EXPECT_EQ(column.names, other->names) << column.key;
    EXPECT_EQ(column.origin, other->origin) << column.key;
    EXPECT_TRUE(
        std::equal(column.values.begin(), column.values.end(), other->values.begin(), other->values.end(), same))
        << column.key;
  }
}

TEST(SweepTable, IsTheSameInWhateverOrderResultsCome) {
  const MadeUpSources sources;
  const auto space = space_of(space_xml(grid_of_30), sources);
  auto results = results_of(space);
  const auto in_order = table_of(space, results);
  for (unsigned seed = 0; seed < 5; ++seed) {
    std::shuffle(results.begin(), results.end(), std::mt19937(seed));
    expect_same(*table_of(space, results), *in_order);
  }
}

TEST(SweepTable, HasARowForEachCompiledPointAndCountsTheRest) {
  const MadeUpSources sources;
  const auto space = space_of(space_xml(grid_of_30), sources);
  const auto table = table_of(space, results_of(space));
  EXPECT_EQ(table->size, 30U);
  EXPECT_EQ(table->seen, 30U);
  EXPECT_EQ(table->removed.at("too lean"), 30 - table->rows());
  ASSERT_TRUE(table->column("counting.lanes"));
  for (std::size_t row = 0; row < table->rows(); ++row) {
    const Point point = space->point(table->points[row]);
    EXPECT_EQ(table->column("counting.lanes")->values[row], point.machine.get("lanes"));
    EXPECT_EQ(table->column("counting.bandwidth")->values[row], point.machine.get("bandwidth"));
    EXPECT_EQ(table->row(table->points[row]), row);
  }
  EXPECT_FALSE(table->row(10'000));
}

TEST(SweepTable, MarksTheFrontOfWhatIsThere) {
  const MadeUpSources sources;
  const auto space = space_of(space_xml(grid_of_30), sources);
  const auto results = results_of(space);
  const auto table = table_of(space, results);
  Front front;
  for (const PointResult& result : results)
    if (const auto vector = objective_vector(result, *space)) front.add(result.point, *vector);
  std::uint64_t marked = 0;
  for (const std::uint8_t mark : table->on_front) marked += mark;
  EXPECT_EQ(marked, front.members().size());
  for (const Front::Member& member : front.members()) EXPECT_TRUE(table->on_front[*table->row(member.point)]);
}

std::string results_file(const Folder& folder, const std::shared_ptr<const Space>& space) {
  const std::string path = folder.path("results.db");
  Diagnostics diagnostics;
  const auto file = ResultsFile::resume(path, space, {"test 1", "grid", {}}, diagnostics);
  EXPECT_TRUE(file) << diagnostics.text();
  file->add(results_of(space));
  EXPECT_TRUE(file->finish(diagnostics));
  return path;
}

TEST(SweepTable, ComesFromAFileWithoutItsSpace) {
  const MadeUpSources sources;
  const auto space = space_of(space_xml(grid_of_30), sources);
  const Folder folder;
  Diagnostics diagnostics;
  const auto table = read_results_table(results_file(folder, space), {}, "read", catalogue::standard(), diagnostics);
  ASSERT_TRUE(table) << diagnostics.text();
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_THAT(diagnostics.text(), HasSubstr("space of these results can't be read"));
  EXPECT_FALSE(table->space);
  EXPECT_EQ(table->state, "read");
  expect_same(*table_of(space, results_of(space)), *table, false);
}

TEST(SweepTable, ComesFromAFileWithTheSpaceOfItsFolder) {
  Diagnostics diagnostics;
  auto read =
      read_space_file(sample_path("spaces/nve_lanes_ports_instructions.xml"), catalogue::standard(), diagnostics);
  ASSERT_TRUE(read) << diagnostics.text();
  const auto space = std::make_shared<const Space>(std::move(*read));
  const Folder folder;
  const std::string path = folder.path("results.db");
  const auto cache = make_sweep_cache();
  const std::vector<PointResult> results = {evaluate(*space, space->point(70), *cache, std::stop_token())};
  {
    const auto file = ResultsFile::resume(path, space, {"test 1", "grid", {}}, diagnostics);
    ASSERT_TRUE(file);
    file->add(results);
  }
  const auto table = read_results_table(path, {}, "read", catalogue::standard(), diagnostics);
  ASSERT_TRUE(table) << diagnostics.text();
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  ASSERT_TRUE(table->space);
  EXPECT_EQ(table->space->hash, space->hash);
  expect_same(*table, *table_of(space, results));
}

TEST(SweepTable, TellsTheMachineOfAStoredPoint) {
  const MadeUpSources sources;
  const auto space = space_of(space_xml(grid_of_30), sources);
  const Folder folder;
  const std::string path = results_file(folder, space);
  Diagnostics diagnostics;
  const auto machine = read_stored_machine(path, 7, diagnostics);
  ASSERT_TRUE(machine) << diagnostics.text();
  EXPECT_EQ(machine->target, "counting");
  EXPECT_EQ(machine->preset, "counting");
  const Point point = space->point(7);
  for (const auto& [name, value] : machine->parameters)
    EXPECT_EQ(value, point.machine.text(*point.machine.description().find(name)));
  EXPECT_FALSE(read_stored_machine(path, 1000, diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("there is no point 1000"));
}

TEST(SweepTable, RefusesWhatIsNoResultsFile) {
  for (const std::string& path : {sample_path("spaces/equal_machines.xml"), std::string("/nowhere/results.db")}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(read_results_table(path, {}, "read", catalogue::standard(), diagnostics));
    EXPECT_TRUE(diagnostics.has_errors());
  }
}

}  // namespace
}  // namespace convscope::explore::test
