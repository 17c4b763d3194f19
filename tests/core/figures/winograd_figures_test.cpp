// Tables 6.1 and 6.2 of the thesis on Genvolution, and the transforms' operations, memory and error.

#include "figures_fixture.h"

namespace convscope::figures {
namespace {

using WinogradFigures = FiguresFixture;

TEST_F(WinogradFigures, Table61HoldsForThreeByThreeOfTwoAndThreeAlone) {
  const Figure figure = make("cpu-table6.1");
  ASSERT_EQ(figure.rows.size(), 6U);
  const double kernel[] = {4 / 3., 5 / 3., 2, 6 / 5., 7 / 5., 8 / 5.};
  const double tiles[] = {2, 5 / 3., 3 / 2., 3, 7 / 3., 2};
  for (std::size_t row = 0; row < 6; ++row) {
    EXPECT_NEAR(*value(figure, row, "kernel here"), kernel[row], 1e-12);
    EXPECT_NEAR(*value(figure, row, "tiles here"), tiles[row], 1e-12);
    EXPECT_NEAR(*value(figure, row, "outputs here"), tiles[row], 1e-12);
    double difference = 0;
    for (const char* what : {"kernel", "tiles", "outputs"})
      difference += std::abs(*value(figure, row, std::string(what) + " here") -
                             *value(figure, row, std::string(what) + " printed"));
    EXPECT_EQ(difference < 1e-9, row < 2) << row;
  }
}

TEST_F(WinogradFigures, Table62IsRightButForCutDigits) {
  const Figure figure = make("cpu-table6.2");
  ASSERT_EQ(figure.rows.size(), 9U);
  for (std::size_t row = 0; row < 9; ++row) {
    EXPECT_EQ(value(figure, row, "direct here"), value(figure, row, "direct printed"));
    for (const char* what : {"two dimensions", "one dimension"}) {
      const double cut =
          *value(figure, row, std::string(what) + " here") - *value(figure, row, std::string(what) + " printed");
      EXPECT_LT(std::abs(cut), 0.0055) << row;
    }
  }
}

TEST_F(WinogradFigures, OperationsAreCountedInFourWays) {
  const Figure figure = make("cpu-winograd-operations");
  ASSERT_EQ(figure.rows.size(), 8U);
  EXPECT_EQ(cell(figure, 0, "thesis").text, "25/12");
  EXPECT_EQ(value(figure, 0, "additions printed, shared"), 27);
  EXPECT_EQ(cell(figure, 3, "nested").text, "144/96");
}

TEST_F(WinogradFigures, OneDimensionTakesLessMemory) {
  const Figure figure = make("cpu-winograd-memory");
  for (std::size_t row = 0; row < figure.rows.size(); ++row) {
    EXPECT_LT(*value(figure, row, "tiles and outputs, 1D"), *value(figure, row, "tiles and outputs, 2D")) << row;
    EXPECT_LT(*value(figure, row, "kernels, 1D"), *value(figure, row, "kernels, 2D")) << row;
  }
}

TEST_F(WinogradFigures, BetterPointsErrLess) {
  const Figure figure = make("cpu-winograd-error");
  EXPECT_LT(*value(figure, 3, "max |e| / rms(y)"), *value(figure, 1, "max |e| / rms(y)") / 3);
  EXPECT_LT(*value(figure, 6, "|e| / |y|"), 1e-3);  // F(8,3): three digits and more
  EXPECT_EQ(value(figure, 6, "digits as the thesis has them"), 2);
  EXPECT_GT(*value(figure, 6, "digits here, at worst"), 2);
  EXPECT_FALSE(value(figure, 1, "digits as the thesis has them")) << "it says nothing of F(4,3)";
}

}  // namespace
}  // namespace convscope::figures
