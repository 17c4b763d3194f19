#include <gtest/gtest.h>

#include "core/analysis/published.h"
#include "core/analysis/published_reader.h"

namespace convscope::analysis {
namespace {

PublishedTables shipped() {
  Diagnostics diagnostics;
  PublishedTables tables = PublishedTables::load(CONVSCOPE_SOURCE_DIR "/resources/published", diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  return tables;
}

TEST(Published, HoldsTable1InBaseUnits) {
  const PublishedTables tables = shipped();
  EXPECT_EQ(tables.find("thesis-table1", "Face Detector", "L1", "macs"), 32.9e6);
  EXPECT_EQ(tables.find("thesis-table1", "Speed Sign Detector", "", "macs"), 1.03e9);
  EXPECT_EQ(tables.find("thesis-table1", "Face Detector", "L4", "bytes_once"), 0.72 * 1048576);
}

TEST(Published, HoldsTable5WithManualAndAutomaticApart) {
  const auto layer = shipped().of_layer("Face Detector", "L2");
  EXPECT_EQ(layer.at("thesis-table5-manual").at("mac_per_instruction"), 10.95);
  EXPECT_EQ(layer.at("thesis-table5-automatic").at("mac_per_instruction"), 12.06);
  EXPECT_DOUBLE_EQ(layer.at("thesis-table5").at("workload"), 0.23);
  const auto total = shipped().of_layer("Speed Sign Detector", "");
  EXPECT_EQ(total.at("thesis-table5-automatic").at("mac_per_instruction"), 15.45);
}

TEST(Published, WorkloadsAddUpToOne) {
  const PublishedTables tables = shipped();
  for (const char* network : {"Face Detector", "Speed Sign Detector"}) {
    double sum = 0;
    for (const char* layer : {"L1", "L2", "L3", "L4"}) sum += *tables.find("thesis-table5", network, layer, "workload");
    EXPECT_NEAR(sum, 1, 1e-9) << network;
  }
}

TEST(Published, HoldsFiguresOfTheCortexA9) {
  const PublishedTables tables = shipped();
  EXPECT_EQ(tables.find("thesis-section7.1.1", "", "", "cortex_a9_peak_operations_per_second"), 2.67e9);
  EXPECT_EQ(tables.find("thesis-section7.1.1", "Speed Sign Detector", "L3", "cortex_a9_operations_per_second"), 1.8e9);
}

TEST(Published, EachFigureNamesAKnownSourceWithCitation) {
  const PublishedTables tables = shipped();
  ASSERT_FALSE(tables.figures().empty());
  for (const PublishedFigure& figure : tables.figures()) {
    const PublishedSource* source = tables.source(figure.source);
    ASSERT_NE(source, nullptr) << figure.source;
    EXPECT_FALSE(source->citation.empty());
  }
}

TEST(Published, SlotTablesHoldTenMultiplicationsAndTheirLengths) {
  const PublishedTables tables = shipped();
  const std::pair<const char*, std::size_t> expected[] = {
      {"thesis-figure17", 14}, {"thesis-figure24", 14}, {"thesis-figure26", 10}};
  for (const auto& [id, length] : expected) {
    const PublishedSchedule* schedule = tables.schedule(id);
    ASSERT_NE(schedule, nullptr) << id;
    EXPECT_EQ(schedule->cycles.size(), length);
    int macs = 0, writes = 0;
    for (const auto& cycle : schedule->cycles) {
      macs += cycle[4] == "mac" ? 1 : 0;
      writes += cycle[0] == "wr" ? 1 : 0;
    }
    EXPECT_EQ(macs, 9) << id;
    EXPECT_EQ(writes, 3) << id;
  }
}

TEST(Published, UnknownFiguresAreNothing) {
  EXPECT_FALSE(shipped().find("thesis-table1", "Face Detector", "L9", "macs"));
  EXPECT_TRUE(shipped().of_layer("Another", "L1").empty());
  EXPECT_EQ(shipped().schedule("thesis-figure99"), nullptr);
}

}  // namespace
}  // namespace convscope::analysis
