#include "core/analysis/table.h"

#include <string>

#include <gtest/gtest.h>

namespace convscope::analysis {
namespace {

TEST(Table, ColumnsAreAsWideAsTheirWidestCell) {
  const TextTable table{{"layer", "cycles"}, {{"a", "12"}, {"longer", "3"}}};
  EXPECT_EQ(aligned_text(table), "layer   cycles\na           12\nlonger       3\n");
}

TEST(Table, CellsThatNobodyCanReadAreShortenedForPeopleAlone) {
  const std::string name(5'000'000, 'n');
  const TextTable table{{"layer", "cycles"}, {{name, "12"}, {"a", "3"}}};
  EXPECT_LT(aligned_text(table).size(), 2'000u);
  EXPECT_NE(aligned_text(table).find("nn…nn"), std::string::npos);
  EXPECT_GT(comma_separated(table).size(), name.size()) << "programs get what there is";
}

TEST(Table, LongNamesLeaveRoomForFigures) {
  const std::string name = "model/activation/Relu;model/batch_normalization/FusedBatchNormV3;model/conv2d/Conv2D1";
  const TextTable table{{"layer", "what"}, {{name, name}}};
  const std::string text = aligned_text(table);
  EXPECT_NE(text.find("model/activation/Relu;model/batch_normaliz…;model/conv2d/Conv2D1  " + name), std::string::npos)
      << text;
  EXPECT_NE(comma_separated(table).find(name), std::string::npos);
}

}  // namespace
}  // namespace convscope::analysis
