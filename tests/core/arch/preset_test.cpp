#include "core/arch/preset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_up_machine.h"

namespace convscope::arch {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::optional<Preset> read(const std::string& xml, Diagnostics& diagnostics) {
  return read_preset(xml, "p.xml", made_up_machine(), diagnostics);
}

std::string refusal(const std::string& body) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read("<preset target='toaster' name='n'>\n" + body + "\n</preset>", diagnostics)) << body;
  EXPECT_TRUE(diagnostics.has_errors());
  return diagnostics.text();
}

std::string refused_document(const std::string& xml) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read(xml, diagnostics)) << xml;
  EXPECT_TRUE(diagnostics.has_errors());
  return diagnostics.text();
}

TEST(Preset, SetsWhatItNamesAndKeepsDefaults) {
  Diagnostics diagnostics;
  const auto preset = read(
      "<?xml version='1.0'?>\n<!-- breakfast -->\n<preset target='toaster' name='n' title='T &amp; T'>"
      "<parameter name='lanes'>\n 32 </parameter><!-- more --><parameter name='memory'>single</parameter></preset>",
      diagnostics);
  ASSERT_TRUE(preset) << diagnostics.text();
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(preset->name, "n");
  EXPECT_EQ(preset->title, "T & T");
  EXPECT_EQ(preset->values.get_int("lanes"), 32);
  EXPECT_EQ(preset->values.get_choice("memory"), "single");
  EXPECT_EQ(preset->values.get_int("registers"), 4);
}

TEST(Preset, MayNameNoParameter) {
  Diagnostics diagnostics;
  const auto preset = read("<preset target='toaster' name='n'/>", diagnostics);
  ASSERT_TRUE(preset) << diagnostics.text();
  EXPECT_TRUE(preset->values == ParameterValues(made_up_machine()));
}

TEST(Preset, IsReadBackAsWritten) {
  Preset preset{"a <b> \"c\"", "Tïtle & more", ParameterValues(made_up_machine())};
  Diagnostics diagnostics;
  ASSERT_TRUE(preset.values.set("clock", "66.6", diagnostics));
  ASSERT_TRUE(preset.values.set("bandwidth", "1234.5678", diagnostics));
  ASSERT_TRUE(preset.values.set("memory", "banked", diagnostics));
  const auto again = read(write_preset(preset), diagnostics);
  ASSERT_TRUE(again) << diagnostics.text();
  EXPECT_EQ(again->name, preset.name);
  EXPECT_EQ(again->title, preset.title);
  EXPECT_TRUE(again->values == preset.values);
  EXPECT_EQ(write_preset(*again), write_preset(preset));
}

TEST(Preset, TellsItsTarget) {
  Diagnostics diagnostics;
  EXPECT_EQ(preset_target("<preset target='oven'><nonsense/></preset>", "p.xml", diagnostics), "oven");
  EXPECT_EQ(preset_name("<preset target='oven' name='my own'><nonsense/></preset>", "p.xml", diagnostics), "my own");
  EXPECT_EQ(preset_name("<preset target='oven'/>", "p.xml", diagnostics), "");
  EXPECT_TRUE(diagnostics.empty());
}

TEST(Preset, WithoutTargetIsRefused) {
  for (const char* xml : {"<preset name='n'/>", "<preset target='' name='n'/>", "<network target='toaster'/>", "", "x",
                          "<preset target='toaster' name='n'>"}) {
    Diagnostics diagnostics;
    EXPECT_EQ(preset_target(xml, "p.xml", diagnostics), "") << xml;
    EXPECT_EQ(diagnostics.items().size(), 1u) << xml;
    EXPECT_THAT(diagnostics.text(), StartsWith("p.xml:")) << xml;
    refused_document(xml);
  }
}

TEST(Preset, OfAnotherTargetIsRefused) {
  EXPECT_THAT(refused_document("\n<preset target='oven' name='n'><parameter name='heat'>9</parameter></preset>"),
              AllOf(StartsWith("p.xml:2: error"), HasSubstr("'oven'"), HasSubstr("expected target=\"toaster\"")));
}

TEST(Preset, WithoutNameIsRefused) {
  EXPECT_THAT(refused_document("<preset target='toaster'/>"), HasSubstr("attribute 'name' is missing"));
}

TEST(Preset, RefusesUnknownElementsAttributesAndText) {
  EXPECT_THAT(refusal("<paramter name='lanes'>16</paramter>"), StartsWith("p.xml:2: error: element <paramter>"));
  EXPECT_THAT(refusal("<parameter name='lanes' unit='x'>16</parameter>"), HasSubstr("unknown attribute 'unit'"));
  EXPECT_THAT(refusal("<parameter>16</parameter>"), HasSubstr("attribute 'name' is missing"));
  EXPECT_THAT(refusal("lanes 16"), HasSubstr("text outside of a <parameter>"));
  EXPECT_THAT(refused_document("<preset target='toaster' name='n' nam='m'/>"), HasSubstr("unknown attribute 'nam'"));
}

TEST(Preset, RefusesValuesThatAreNotPlain) {
  EXPECT_THAT(refusal("<parameter name='lanes'><b>16</b></parameter>"), HasSubstr("inside a value"));
  EXPECT_THAT(refusal("<parameter name='lanes'>1<!-- -->6</parameter>"), HasSubstr("inside a value"));
  EXPECT_THAT(refusal("<parameter name='lanes'/>"), HasSubstr("'' is not a number"));
}

TEST(Preset, RefusesBadParametersWithTheirLines) {
  EXPECT_THAT(refusal("\n<parameter name='lnaes'>16</parameter>"),
              AllOf(StartsWith("p.xml:3: error: parameter 'lnaes'"), HasSubstr("did you mean 'lanes'?")));
  EXPECT_THAT(refusal("<parameter name='lanes'>24</parameter>"), HasSubstr("a power of two from 4 to 64"));
  EXPECT_THAT(refusal("<parameter name='clock'>66,6</parameter>"), HasSubstr("'66,6' is not a number"));
  EXPECT_THAT(refusal("<parameter name='memory'>triple</parameter>"), HasSubstr("one of single, dual, banked"));
}

TEST(Preset, RefusesAParameterGivenTwice) {
  EXPECT_THAT(refusal("<parameter name='lanes'>16</parameter>\n<parameter name='toaster.lanes'>32</parameter>"),
              StartsWith("p.xml:3: error: parameter 'toaster.lanes': given twice, first in line 2"));
}

TEST(Preset, RefusesValuesThatDoNotGoTogether) {
  EXPECT_THAT(refusal("<parameter name='lanes'>4</parameter>\n<parameter name='clock'>50</parameter>"),
              AllOf(StartsWith("p.xml:2: error: parameters 'registers', 'lanes'"), HasSubstr("at least twice")));
}

TEST(Preset, CollectsAllMistakes) {
  Diagnostics diagnostics;
  EXPECT_FALSE(
      read("<preset target='toaster'>\n<parameter name='lanes'>1</parameter>\n<x/>\n"
           "<parameter name='y'>1</parameter>\n<parameter name='clock'>fast</parameter></preset>",
           diagnostics));
  EXPECT_EQ(diagnostics.items().size(), 5u) << diagnostics.text();
}

TEST(Preset, ErrorsOfAnEarlierFileDoNotRefuseThisOne) {
  Diagnostics diagnostics;
  diagnostics.error({}, "earlier");
  EXPECT_TRUE(read("<preset target='toaster' name='n'/>", diagnostics));
}

TEST(Preset, CutShortAnywhereIsRefused) {
  const std::string whole = write_preset({"n", "t", ParameterValues(made_up_machine())});
  Diagnostics diagnostics;
  const std::size_t end = whole.rfind('>');
  for (std::size_t length = 0; length < end; ++length)
    EXPECT_FALSE(read(whole.substr(0, length), diagnostics)) << length;
  EXPECT_TRUE(read(whole, diagnostics));
}

}  // namespace
}  // namespace convscope::arch
