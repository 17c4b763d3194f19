#include "core/dram/parameters/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/arch/preset.h"
#include "core/dram/parameters/address.h"
#include "core/dram/parameters/kind_files.h"

namespace convscope::dram {
namespace {

using testing::HasSubstr;

TEST(DramKinds, AreReadWithoutAWord) {
  EXPECT_EQ(kind_files().size(), 6U);
  for (const std::string_view file : kind_files()) {
    Diagnostics diagnostics;
    const auto preset = arch::read_preset(file, "kind", description(), diagnostics);
    EXPECT_TRUE(preset) << diagnostics.text();
    EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  }
}

TEST(DramKinds, AreThoseThatAreDocumented) {
  std::vector<std::string> names;
  for (const Kind& k : kinds()) {
    names.push_back(k.name);
    EXPECT_EQ(contradiction(k.parameters), "") << k.name;
    EXPECT_EQ(parameters_from(values_of(k.parameters)), k.parameters) << k.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"DDR3-1866", "DDR3-2133", "DDR4-2400", "DDR4-3200", "LPDDR3-1600",
                                             "LPDDR4-2400"}));
  EXPECT_NEAR(kind("DDR4-3200").organization.peak(), 25.4e9, 0.05e9);
  EXPECT_EQ(kind("LPDDR4-2400").organization.line_bytes(), 128);
}

TEST(DramKinds, GiveTheSourceOfEachFigure) {
  for (const std::string_view file : kind_files()) {
    std::size_t parameters = 0, sources = 0;
    for (auto at = file.find("</parameter>"); at != file.npos; at = file.find("</parameter>", at + 1), ++parameters)
      if (file.substr(at + 12, 7) == "  <!-- ") ++sources;
    EXPECT_EQ(parameters, description()->parameters.size());
    EXPECT_EQ(parameters, sources);
  }
}

struct Wrong {
  const char* what;
  void (*change)(Parameters&);
  const char* message;
};

class DramRefuses : public testing::TestWithParam<Wrong> {};

TEST_P(DramRefuses, WhatContradictsItself) {
  Parameters p = kind("DDR4-2400");
  GetParam().change(p);
  EXPECT_THAT(contradiction(p), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    All, DramRefuses,
    testing::Values(
        Wrong{"cycle", [](Parameters& p) { p.timings.tRC = p.timings.tRAS + p.timings.tRP - 1; },
              "tRC must be at least"},
        Wrong{"column", [](Parameters& p) { p.timings.tCCD_L = p.timings.tCCD_S - 1; }, "tCCD_S must be at most"},
        Wrong{"activate", [](Parameters& p) { p.timings.tRRD_L = p.timings.tRRD_S - 1; }, "tRRD_S must be at most"},
        Wrong{"turn", [](Parameters& p) { p.timings.tWTR_L = p.timings.tWTR_S - 1; }, "tWTR_S must be at most"},
        Wrong{"window", [](Parameters& p) { p.timings.tFAW = p.timings.tRRD_S - 1; }, "tRRD_S must be at most tFAW"},
        Wrong{"open", [](Parameters& p) { p.timings.tRCD = p.timings.tRAS + 1; }, "tRCD must be at most tRAS"},
        Wrong{"refresh", [](Parameters& p) { p.timings.tREFI = p.timings.tRFC; }, "leave time for accesses"},
        Wrong{"ranks", [](Parameters& p) { p.organization.ranks = 16; }, "leave time for accesses"},
        Wrong{"groups", [](Parameters& p) { p.organization.banks = 2; }, "groups must be at most banks"},
        Wrong{"row", [](Parameters& p) { p.organization.row_bytes = 64, p.organization.bus_bits = 256; },
              "a row must hold an access"},
        Wrong{"channels", [](Parameters& p) { p.organization.channels = 2, p.organization.interleave_bytes = 16; },
              "channels change between accesses"},
        Wrong{"writes", [](Parameters& p) { p.controller.write_batch = p.controller.queue; }, "wait for ever"},
        Wrong{"three", [](Parameters& p) { p.organization.banks = 12; }, "power of two"},
        Wrong{"nothing", [](Parameters& p) { p.timings.CL = 0; }, "CL"}),
    [](const auto& tested) { return std::string(tested.param.what); });

TEST(DramMapping, HasEveryOrder) {
  EXPECT_EQ(all_mappings().size(), 120U);
  EXPECT_EQ(text_of(all_mappings().front()), "row:rank:bank:group:column");
  EXPECT_EQ(text_of(Mapping{}), "row:rank:bank:group:column");
}

TEST(DramMapping, GivesEveryLineAPlaceOfItsOwn) {
  Organization o = kind("DDR4-2400").organization;
  o.rows = 4;
  o.row_bytes = 256;
  o.channels = 2;
  const std::int64_t lines = 2 * 2 * 16 * 4 * 4;
  for (const std::size_t order : {0U, 17U, 60U, 119U}) {
    o.mapping = all_mappings()[order];
    const AddressMap map(o);
    std::vector<bool> seen(static_cast<std::size_t>(lines));
    for (std::int64_t i = 0; i < lines; ++i) {
      const Place p = map.place(static_cast<std::uint64_t>(i * 64));
      EXPECT_EQ(p.group, p.bank / 4);
      const std::int64_t id = (((p.channel * 2 + p.rank) * 16 + p.bank) * 4 + p.row) * 4 + p.column;
      ASSERT_TRUE(id >= 0 && id < lines);
      EXPECT_FALSE(seen[static_cast<std::size_t>(id)]) << text_of(o.mapping) << " line " << i;
      seen[static_cast<std::size_t>(id)] = true;
    }
  }
}

TEST(DramMapping, PutsTheLowestFieldNextToTheLine) {
  Organization o = kind("DDR4-2400").organization;
  EXPECT_EQ(AddressMap(o).place(64).column, 1);
  EXPECT_EQ(AddressMap(o).place(8192).group, 1);
  EXPECT_EQ(AddressMap(o).place(std::uint64_t{8192} * 16).rank, 1);
  o.mapping = {Field::row, Field::rank, Field::bank, Field::column, Field::group};
  EXPECT_EQ(AddressMap(o).place(64).group, 1);
}

}  // namespace
}  // namespace convscope::dram
