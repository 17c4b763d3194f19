// Tables 4.1 to 4.3 of the thesis on Genvolution: the memory columns.

#include "figures_fixture.h"

namespace convscope::figures {
namespace {

using GenvolutionFigures = FiguresFixture;

TEST_F(GenvolutionFigures, Im2colTakesWhatTheTablesPrint) {
  for (const auto& [id, rows] :
       {std::pair<const char*, std::size_t>{"cpu-table4.1", 28}, {"cpu-table4.2", 28}, {"cpu-table4.3", 28}}) {
    const Figure figure = make(id);
    ASSERT_EQ(figure.rows.size(), rows) << id;
    for (std::size_t row = 0; row < rows; ++row)
      EXPECT_EQ(value(figure, row, "im2col here"), value(figure, row, "im2col published")) << id << ' ' << row;
  }
}

TEST_F(GenvolutionFigures, GeneratedProgramsTakeLessThanAFifthOfIt) {
  for (const char* id : {"cpu-table4.1", "cpu-table4.2", "cpu-table4.3"}) {
    const Figure figure = make(id);
    for (std::size_t row = 0; row < figure.rows.size(); ++row) {
      ASSERT_TRUE(value(figure, row, "bytes here")) << id << ' ' << cell(figure, row, "convolution").text;
      EXPECT_LT(*value(figure, row, "of im2col here"), 0.2) << id << ' ' << cell(figure, row, "convolution").text;
    }
  }
}

TEST_F(GenvolutionFigures, RatiosOfTheTablesFollowFromTheirBytes) {
  const Figure figure = make("cpu-table4.3");
  double worst = 0;
  for (std::size_t row = 0; row < figure.rows.size(); ++row)
    worst = std::max(worst, *value(figure, row, "of im2col published"));
  EXPECT_NEAR(worst, 0.0428, 1e-4);
}

}  // namespace
}  // namespace convscope::figures
