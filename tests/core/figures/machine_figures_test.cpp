// Modern networks on every machine: what stands side by side covers the networks, and says where it comes from.

#include <map>

#include "tests/core/figures/figures_fixture.h"

namespace convscope::figures {
namespace {

class MachineFigures : public FiguresFixture {};

TEST_F(MachineFigures, CoverEachNetworkOnEachMachine) {
  const Figure figure = make("machines");
  ASSERT_EQ(figure.rows.size(), 12u);
  std::map<std::string, int> machines;
  const std::map<std::string, Origin> origins{{"nve-wide", Origin::derived},
                                              {"nmp-board", Origin::estimate},
                                              {"snowflake-zc706", Origin::simulated},
                                              {"cpu-avx2", Origin::estimate}};
  for (std::size_t row = 0; row < figure.rows.size(); ++row) {
    const std::string machine = cell(figure, row, "machine").text;
    ++machines[machine];
    EXPECT_GE(value(figure, row, "MACs mapped"), 0.99) << row;
    EXPECT_GT(value(figure, row, "of the peak"), 0.0) << row;
    EXPECT_LE(value(figure, row, "of the peak"), 1.0) << row;
    EXPECT_EQ(cell(figure, row, "ms").origin, origins.at(machine)) << machine;
  }
  for (const auto& [machine, networks] : machines) EXPECT_EQ(networks, 3) << machine;
}

}  // namespace
}  // namespace convscope::figures
