// The thesis's figures out of our model, each within the tolerance that docs/command-line.md states.

#include <cmath>
#include <map>
#include <set>

#include "core/analysis/comparison.h"
#include "core/figures/nve_thesis/nve_levels.h"
#include "core/figures/samples.h"
#include "figures_fixture.h"

namespace convscope::figures {
namespace {

using NveFigures = FiguresFixture;

// Those that compile and simulate whole networks again and again are made once, by tests of their own.
TEST_F(NveFigures, EveryListedFigureCanBeMadeInEveryForm) {
  std::set<std::string> elsewhere{"snowflake-table1", "snowflake-table2", "snowflake-table3", "snowflake-ablations"};
  for (const FigureEntry& entry : figure_list())
    if (elsewhere.erase(entry.id) == 0) make(entry.id);
  EXPECT_TRUE(elsewhere.empty()) << *elsewhere.begin() << " isn't listed";
}

TEST_F(NveFigures, AnUnknownFigureIsADiagnostic) {
  EXPECT_FALSE(make_figure("nve-fig99", environment_, diagnostics_));
  EXPECT_TRUE(diagnostics_.has_errors());
}

TEST_F(NveFigures, Table1) {
  const Figure figure = make("nve-table1");
  ASSERT_EQ(figure.rows.size(), 10u);
  for (std::size_t row = 0; row < figure.rows.size(); ++row) {
    const std::string name = figure.rows[row][0].text + " " + figure.rows[row][1].text;
    EXPECT_LT(std::abs(*value(figure, row, "MMAC difference")), 0.005) << name;
    // The published bytes of L1 and L4 are not quite consistent with the others.
    const bool consistent = figure.rows[row][1].text != "L1" && figure.rows[row][1].text != "L4";
    EXPECT_LT(std::abs(*value(figure, row, "MiB difference")), consistent ? 0.01 : 0.07) << name;
  }
}

TEST_F(NveFigures, Table5) {
  const Figure figure = make("nve-table5");
  int compared = 0;
  for (std::size_t row = 0; row < figure.rows.size(); ++row) {
    const auto difference = value(figure, row, "from automatic");
    if (!difference) continue;
    const bool face_l2 = figure.rows[row][0].text == "Face Detector" && figure.rows[row][1].text == "L2";
    EXPECT_LT(std::abs(*difference), face_l2 ? 0.03 : 0.02) << figure.rows[row][0].text << figure.rows[row][1].text;
    ++compared;
  }
  EXPECT_EQ(compared, 10);  // eight layers and two totals
}

TEST_F(NveFigures, SlotTablesEqualThePublishedOnesUpToWrites) {
  const std::map<std::string, std::size_t> lengths{{"17", 14}, {"24", 14}, {"26", 10}};
  for (const auto& [number, length] : lengths) {
    const Figure figure = make("nve-fig" + number);
    EXPECT_EQ(figure.rows.size(), length) << number;
    for (std::size_t row = 0; row < figure.rows.size(); ++row) {
      for (std::size_t column = 1; column <= 6; ++column) {
        const std::string& ours = figure.rows[row][column].text;
        const std::string& theirs = figure.rows[row][column + 6].text;
        if (ours == "wr" || theirs == "wr") continue;
        EXPECT_EQ(ours, theirs) << "figure " << number << ", cycle " << row + 1 << ", " << figure.columns[column];
      }
    }
  }
}

TEST_F(NveFigures, Figure35OrdersTheTransferModesAsTheMarkers) {
  const Figure figure = make("nve-fig35");
  std::map<std::string, double> rate;
  for (std::size_t row = 0; row < figure.rows.size(); ++row)
    rate[figure.rows[row][0].text] = *value(figure, row, "of peak");
  EXPECT_GT(rate["continuous"], 0.85);  // "nearly reach the top performance"
  EXPECT_LT(rate["continuous"], 1);
  EXPECT_GT(rate["continuous"], rate["host-reordered"]);
  EXPECT_GT(rate["host-reordered"], rate["scatter-gather"]);
}

TEST_F(NveFigures, Figure36ImprovesOrKeepsFromLevelToLevel) {
  const Figure figure = make("nve-fig36");
  for (std::size_t row = 0; row < figure.rows.size(); ++row) {
    EXPECT_GE(*value(figure, row, "modulo"), *value(figure, row, "packing") - 1e-9) << row;
    EXPECT_GE(*value(figure, row, "fusion"), *value(figure, row, "modulo") * 0.99) << row;
    EXPECT_GE(*value(figure, row, "optimal-thesis-layout"), *value(figure, row, "fusion") * 0.998) << row;
    EXPECT_GE(*value(figure, row, "optimal"), *value(figure, row, "optimal-thesis-layout")) << row;
    EXPECT_GT(*value(figure, row, "optimal"), *value(figure, row, "manual published")) << row;
  }
}

TEST_F(NveFigures, Figure37FusionSavesTransfersWhereTheThesisSaysSo) {
  const Figure figure = make("nve-fig37");
  for (std::size_t row = 0; row < figure.rows.size(); ++row) {
    const std::string& layer = figure.rows[row][1].text;
    const double change = *value(figure, row, "fusion from modulo");
    EXPECT_LE(change, layer == "L1" ? -0.6 : 0.0) << figure.rows[row][0].text << " " << layer;
  }
}

}  // namespace
}  // namespace convscope::figures
