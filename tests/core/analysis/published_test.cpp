#include "core/analysis/published.h"

#include <gtest/gtest.h>

#include "core/analysis/published_reader.h"
#include "tests/core/analysis/shipped_tables.h"

namespace convscope::analysis {
namespace {

TEST(Published, HoldsTable1InBaseUnits) {
  const PublishedTables tables = shipped();
  EXPECT_EQ(tables.find("thesis-table1", "Face Detector", "L1", "macs"), 32.9e6);
  EXPECT_EQ(tables.find("thesis-table1", "Speed Sign Detector", "", "macs"), 1.03e9);
  EXPECT_EQ(tables.find("thesis-table1", "Face Detector", "L4", "bytes_once"), 0.72 * 1048576);
}

TEST(Published, HoldsTable5WithManualAndAutomaticApart) {
  const auto layer = shipped().of_layer("Face Detector", "L2", "nve");
  EXPECT_EQ(layer.at("thesis-table5-manual").at("mac_per_instruction"), 10.95);
  EXPECT_EQ(layer.at("thesis-table5-automatic").at("mac_per_instruction"), 12.06);
  EXPECT_DOUBLE_EQ(layer.at("thesis-table5").at("workload"), 0.23);
  const auto total = shipped().of_layer("Speed Sign Detector", "", "nve");
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

TEST(Published, OneMachinesFiguresStandBesideNoOther) {
  const PublishedTables tables = shipped();
  EXPECT_EQ(tables.of_layer("ResNet-50", "", "nmp").size(), 9u);
  EXPECT_TRUE(tables.of_layer("ResNet-50", "", "nve").empty());
  EXPECT_TRUE(tables.of_layer("Face Detector", "L1", "nve").contains("thesis-table5-manual"));
  const auto elsewhere = tables.of_layer("Face Detector", "L1", "nmp");
  ASSERT_EQ(elsewhere.size(), 1u);  // what is true of the network on any machine
  EXPECT_TRUE(elsewhere.contains("thesis-table1"));
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

TEST(Published, HoldsSnowflakesTables) {
  const PublishedTables tables = shipped();
  const auto seconds = [&](const char* code, const char* layer) {
    return tables.find(std::string("snowflake-table1-") + code, "AlexNetOWT", layer, "seconds").value_or(0);
  };
  double hand = 0, generated = 0;
  for (const char* layer : {"conv2", "conv3", "conv4", "conv5"}) {
    hand += seconds("hand", layer);
    generated += seconds("auto", layer);
    EXPECT_NEAR(seconds("auto", layer) / seconds("hand", layer), 1, 0.003) << layer;
  }
  EXPECT_NEAR(hand, 8.533e-3, 1e-9);
  EXPECT_NEAR(generated, 8.530e-3, 1e-9);
  EXPECT_DOUBLE_EQ(*tables.find("snowflake-table2", "ResNet50", "", "seconds_without_fc"), 218.61e-3);
  EXPECT_DOUBLE_EQ(*tables.find("snowflake-table3", "Table 3", "d", "imbalance"), 1.02);
  EXPECT_EQ(tables.find("snowflake-table3", "Table 3", "f", "speedup"), 1);
  EXPECT_DOUBLE_EQ(*tables.find("snowflake-fig4", "", "", "dram_bytes_per_second"), 4.2e9);
}

// What the abstract says of the networks is Table 2 rounded.
TEST(Published, SnowflakesAbstractAgreesWithTable2) {
  const PublishedTables tables = shipped();
  for (const char* network : {"AlexNetOWT", "ResNet18"}) {
    const double seconds = *tables.find("snowflake-table2", network, "", "seconds_without_fc");
    EXPECT_NEAR(1 / seconds, *tables.find("snowflake-abstract", network, "", "frames_per_second"), 0.05) << network;
    const char* rate = "bytes_per_second_without_fc";
    EXPECT_NEAR(*tables.find("snowflake-table2", network, "", rate),
                *tables.find("snowflake-abstract", network, "", rate), 0.05e9 * 1.001)
        << network;
  }
}

TEST(Published, UnknownFiguresAreNothing) {
  EXPECT_FALSE(shipped().find("thesis-table1", "Face Detector", "L9", "macs"));
  EXPECT_TRUE(shipped().of_layer("Another", "L1", "nve").empty());
  EXPECT_EQ(shipped().schedule("thesis-figure99"), nullptr);
}

}  // namespace
}  // namespace convscope::analysis
