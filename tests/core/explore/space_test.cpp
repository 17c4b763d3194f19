#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spaces.h"

namespace convscope::explore::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Space, BuildsEachPointFromItsNumber) {
  const auto space = space_of(space_xml("<parameter name='lanes'>1 2, 4</parameter>"
                                        "<parameter name='bandwidth' from='10' to='40' step='10'/>"),
                              MadeUpSources());
  ASSERT_EQ(space->size(), 12u);
  EXPECT_EQ(space->point(0).machine.get("lanes"), 1);
  EXPECT_EQ(space->point(0).machine.get("bandwidth"), 10);
  EXPECT_EQ(space->point(1).machine.get("bandwidth"), 20) << "the last axis varies fastest";
  EXPECT_EQ(space->point(11).machine.get("lanes"), 4);
  EXPECT_EQ(space->point(11).machine.get("bandwidth"), 40);
  for (std::uint64_t i = 0; i < space->size(); ++i) EXPECT_EQ(space->index(space->place(i)), i);
}

TEST(Space, ReadsRangesByStepsAndByFactors) {
  const auto space = space_of(space_xml("<parameter name='lanes' from='2' to='100' factor='3'/>"
                                        "<parameter name='bandwidth' from='998'/>"),
                              MadeUpSources());
  EXPECT_THAT(space->families[0].axes[0].values, ElementsAre(2, 6, 18, 54));
  EXPECT_THAT(space->families[0].axes[1].values, ElementsAre(998, 999, 1000)) << "up to its end, in its own steps";
}

TEST(Space, LinksFollowOthersInAnyOrder) {
  const auto space = space_of(space_xml("<parameter name='bandwidth' equals='lanes * 10 + 1'/>"
                                        "<parameter name='lanes'>1 2 200</parameter>"),
                              MadeUpSources());
  ASSERT_EQ(space->size(), 3u);
  EXPECT_EQ(space->point(1).machine.get("bandwidth"), 21);
  EXPECT_EQ(space->point(1).removed, "");
  EXPECT_THAT(space->point(2).removed, HasSubstr("'bandwidth' = lanes * 10 + 1 is not an integer from 1 to 1000"));
}

TEST(Space, ConstraintsRemovePointsWithTheirReason) {
  const auto space = space_of(space_xml("<parameter name='lanes' from='1' to='8'/>"
                                        "<constraint reason='odd ones are out'>lanes % 2 = 0</constraint>"
                                        "<constraint>lanes &lt; 7</constraint>"),
                              MadeUpSources());
  std::vector<std::string> reasons;
  for (std::uint64_t i = 0; i < space->size(); ++i) reasons.push_back(space->point(i).removed);
  const std::string odd = "odd ones are out";
  EXPECT_THAT(reasons, ElementsAre(odd, "", odd, "", odd, "", odd, "lanes < 7 does not hold"));
}

TEST(Space, IsTheUnionOfItsFamilies) {
  const auto space = space_of(
      "<space name='union'><network file='1' weight='2'/><network file='2'/>"
      "<machines target='counting' presets='counting other'><parameter name='lanes'>1 2</parameter></machines>"
      "<machines target='counting' levels='only'><parameter name='bandwidth'>5 6 7</parameter></machines>"
      "<objective name='utilization'/><objective name='mac_units' best='most'/></space>",
      MadeUpSources());
  ASSERT_EQ(space->size(), 7u);
  EXPECT_EQ(space->point(3).preset, 1u);
  EXPECT_EQ(space->point(4).family, 1u);
  EXPECT_EQ(space->point(6).machine.get("bandwidth"), 7);
  EXPECT_THAT(space->objectives, ElementsAre(Objective{"utilization", true}, Objective{"mac_units", true}));
  EXPECT_EQ(space->networks[0].weight, 2);
}

TEST(Space, ShardsArePartsWithoutGapsOrOverlaps) {
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{10}, largest_space}) {
    for (const std::uint64_t parts : {1u, 3u, 7u, 999'999u}) {
      EXPECT_EQ((Shard{0, parts}.begin(size)), 0u);
      EXPECT_EQ((Shard{parts - 1, parts}.end(size)), size);
      for (const std::uint64_t part : {std::uint64_t{0}, parts / 2}) {
        const Shard shard{part, parts};
        EXPECT_LE(shard.end(size) - shard.begin(size), size / parts + 1);
      }
    }
  }
}

TEST(Space, ItsHashFollowsEverythingThatDecidesAboutPoints) {
  const auto hash = [](const std::string& xml) { return space_of(xml, MadeUpSources())->hash; };
  std::set<std::string> hashes = {hash(space_xml("<parameter name='lanes'>1</parameter>")),
                                  hash(space_xml("<parameter name='lanes'>2</parameter>"))};
  EXPECT_EQ(hashes.size(), 2u);
  EXPECT_TRUE(hashes.count(hash(space_xml("<parameter name='lanes'>2</parameter>"))));
}

}  // namespace
}  // namespace convscope::explore::test
