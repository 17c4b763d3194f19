#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "spaces.h"

namespace convscope::explore::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string refusal(const std::string& machines) {
  return refusal_of(space_xml(machines));
}

TEST(SpaceRefusal, UnknownParameterWithItsLine) {
  EXPECT_THAT(refusal("<parameter name='lines'>1</parameter>"),
              AllOf(HasSubstr("space.xml:4:"), HasSubstr("unknown parameter 'lines'"), HasSubstr("'lanes'")));
}

TEST(SpaceRefusal, EmptyRangesAndLists) {
  EXPECT_THAT(refusal("<parameter name='lanes' from='8' to='4'/>"), HasSubstr("the range from 8 to 4 is empty"));
  EXPECT_THAT(refusal("<parameter name='lanes'/>"), HasSubstr("no value"));
  EXPECT_THAT(refusal("<parameter name='lanes' from='1' to='8' step='0'/>"), HasSubstr("a step of 0"));
  EXPECT_THAT(refusal("<parameter name='lanes' from='1' to='8' factor='1'/>"), HasSubstr("a factor of 1"));
  EXPECT_THAT(refusal("<parameter name='lanes' from='1' to='8' step='1' factor='2'/>"), HasSubstr("both"));
  EXPECT_THAT(refusal("<parameter name='lanes' from='x'/>"), HasSubstr("is no number"));
  EXPECT_THAT(refusal("<parameter name='lanes' from='1' to='8' step='1e-9'/>"), HasSubstr("a range of 7e+09 values"));
}

// A factor leads from nothing below 1 to anywhere.
TEST(SpaceRefusal, LogarithmicRangesThatBeginAtZeroOrBelow) {
  for (const char* from : {"-1", "0", "-1e300", "-1e-300"}) {
    EXPECT_THAT(refusal("<parameter name='lanes' from='" + std::string(from) + "' factor='2'/>"),
                HasSubstr("a range above 0"));
  }
  EXPECT_THAT(refusal("<parameter name='lanes' from='-2' to='-1' factor='2'/>"), HasSubstr("a range above 0"));
  EXPECT_THAT(refusal("<parameter name='lanes' from='1e-300' factor='2'/>"), HasSubstr("1e-300 is out of range"));
  EXPECT_THAT(refusal("<parameter name='bandwidth' from='1e-300' to='1e300' factor='1.0001'/>"),
              HasSubstr("a range of inf values"));
}

TEST(SpaceRefusal, ValuesThatTheMachineRefuses) {
  EXPECT_THAT(refusal("<parameter name='lanes'>4 5000</parameter>"), HasSubstr("5000 is out of range"));
  EXPECT_THAT(refusal("<parameter name='lanes' from='1' to='2' step='0.5'/>"), HasSubstr("1.5 is not allowed"));
  EXPECT_THAT(refusal("<parameter name='lanes'>4 4</parameter>"), HasSubstr("listed twice"));
}

TEST(SpaceRefusal, ContradictoryLinks) {
  EXPECT_THAT(refusal("<parameter name='lanes' equals='bandwidth'/><parameter name='bandwidth' equals='lanes + 1'/>"),
              AllOf(HasSubstr("contradict"), HasSubstr("lanes = bandwidth, bandwidth = lanes + 1")));
  EXPECT_THAT(refusal("<parameter name='lanes' equals='lanes'/>"), HasSubstr("contradict"));
  EXPECT_THAT(refusal("<parameter name='lanes'>4</parameter><parameter name='lanes' equals='bandwidth'/>"),
              HasSubstr("given twice"));
  EXPECT_THAT(refusal("<parameter name='lanes' equals='4' from='1'/>"), HasSubstr("both a range and a link"));
  EXPECT_THAT(refusal("<parameter name='lanes' equals='4'>5</parameter>"), HasSubstr("both a list and a link"));
  EXPECT_THAT(refusal("<parameter name='lanes' equals='lines'/>"), HasSubstr("unknown name 'lines'"));
}

TEST(SpaceRefusal, LinksAndConstraintsThatLeaveNothing) {
  EXPECT_THAT(refusal("<parameter name='lanes'>1 2</parameter><constraint>lanes > 2</constraint>"),
              AllOf(HasSubstr("leave no point"), HasSubstr("lanes > 2 does not hold (2 points)")));
  EXPECT_THAT(refusal("<parameter name='lanes' equals='2000'/>"), HasSubstr("'lanes' = 2000 is not an integer"));
}

TEST(SpaceRefusal, MorePointsThanAnybodyCanLookAt) {
  const auto read = [](const std::string& more, Diagnostics& diagnostics) {
    const std::string xml =
        "<space name='s'><network file='networks/filter_3x3.xml'/><machines target='nmp'>"
        "<parameter name='bandwidth' from='0.1' step='0.1'/>"
        "<parameter name='cas' from='0.01' step='0.01'/><parameter name='clock' from='10'/>" +
        more + "</machines></space>";
    return read_space(xml, "space.xml", *file_sources(sample_path(""), catalogue::standard()), diagnostics);
  };
  const auto refused = [&](const std::string& more) {
    Diagnostics diagnostics;
    EXPECT_FALSE(read(more, diagnostics));
    return diagnostics.text();
  };
  Diagnostics diagnostics;
  const auto largest = read("", diagnostics);
  ASSERT_TRUE(largest) << diagnostics.text();
  EXPECT_EQ(largest->size(), largest_space);
  EXPECT_THAT(refused("<parameter name='macs_8_bit' from='1'/>"), HasSubstr("the space has 1.02e+15 points"));
  std::string more;
  for (const char* name : {"macs_8_bit", "macs_16_bit", "dram_window", "tles", "tlts"})
    more += "<parameter name='" + std::string(name) + "' from='1'/>";
  EXPECT_THAT(refused(more), HasSubstr("more points than 64 bits count"));
}

TEST(SpaceRefusal, WhatIsNoSpace) {
  EXPECT_THAT(refusal_of("<preset/>"), HasSubstr("this is no space"));
  EXPECT_THAT(refusal_of("<space name='s'"), HasSubstr("error"));
  EXPECT_THAT(refusal_of("<space/>"),
              AllOf(HasSubstr("attribute 'name'"), HasSubstr("no network"), HasSubstr("no machines")));
  EXPECT_THAT(refusal_of("<space name='s' size='3'/>"), HasSubstr("unknown attribute 'size'"));
  EXPECT_THAT(refusal_of("<space name='s'><net/></space>"), HasSubstr("unknown element"));
  EXPECT_THAT(refusal_of("<space name='s'>text</space>"), HasSubstr("text outside"));
}

TEST(SpaceRefusal, TargetsLevelsPresetsNetworksObjectives) {
  const auto with = [](const std::string& what) { return refusal_of("<space name='s'>" + what + "</space>"); };
  EXPECT_THAT(with("<machines target='tpu'/>"), HasSubstr("there is no target 'tpu'"));
  EXPECT_THAT(with("<machines target='counting' levels='best'/>"), HasSubstr("has no level 'best'"));
  EXPECT_THAT(with("<machines target='counting' presets='none'/>"), HasSubstr("there is no preset 'none'"));
  EXPECT_THAT(with("<machines target='counting' presets='other other'/>"), HasSubstr("listed twice"));
  EXPECT_THAT(with("<network file='missing'/>"), HasSubstr("there is no such network"));
  EXPECT_THAT(with("<network file='1' weight='0'/>"), HasSubstr("a weight of 0"));
  EXPECT_THAT(with("<network file='1' batch='1.5'/>"), HasSubstr("a batch of 1.5"));
  EXPECT_THAT(with("<network file='1' input-size='224'/>"), HasSubstr("HEIGHTxWIDTH"));
  EXPECT_THAT(with("<network file='0'/>"), HasSubstr("multiplies"));
  EXPECT_THAT(with("<objective name='area'/>"), HasSubstr("unknown objective 'area'"));
  EXPECT_THAT(with("<objective name='cycles' best='worst'/>"), HasSubstr("least or most"));
  EXPECT_THAT(with("<objective name='cycles'/><objective name='cycles'/>"), HasSubstr("given twice"));
}

TEST(SpaceRefusal, CollectsEverythingAtOnce) {
  const std::string text = refusal("<parameter name='lines'>1</parameter>\n<parameter name='bandwidth'>0</parameter>");
  EXPECT_THAT(text, AllOf(HasSubstr("space.xml:4:"), HasSubstr("space.xml:5:")));
}

}  // namespace
}  // namespace convscope::explore::test
