#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/published_reader.h"

namespace convscope::analysis {
namespace {

using testing::HasSubstr;

struct Bad {
  const char* name;
  const char* body;  ///< inside <published>, from line 2
  const char* message;
};

class PublishedRefused : public testing::TestWithParam<Bad> {};

TEST_P(PublishedRefused, WithItsLine) {
  PublishedContent content;
  Diagnostics diagnostics;
  read_published(std::string("<published>\n") + GetParam().body + "\n</published>", "bad.xml", content, diagnostics);
  ASSERT_TRUE(diagnostics.has_errors());
  EXPECT_THAT(diagnostics.text(), HasSubstr(GetParam().message));
  EXPECT_THAT(diagnostics.items().front().where.line, 2);
}

INSTANTIATE_TEST_SUITE_P(
    All, PublishedRefused,
    testing::Values(
        Bad{"element", "<table/>", "unknown element"}, Bad{"id", "<source title='t' citation='c'/>", "attribute 'id'"},
        Bad{"citation", "<source id='s' title='t'/>", "attribute 'citation'"},
        Bad{"twice", "<source id='s' title='t' citation='c'/><source id='s' title='t' citation='c'/>", "defined twice"},
        Bad{"number", "<source id='s' title='t' citation='c'><figure metric='m'>1x</figure></source>", "not a number"},
        Bad{"empty", "<source id='s' title='t' citation='c'><figure metric='m'></figure></source>", "not a number"},
        Bad{"infinite", "<source id='s' title='t' citation='c'><figure metric='m'>inf</figure></source>",
            "not a number"},
        Bad{"unit", "<source id='s' title='t' citation='c'><figure metric='m' unit='furlong'>1</figure></source>",
            "unknown unit"},
        Bad{"duplicate",
            "<source id='s' title='t' citation='c'><figure metric='m'>1</figure><figure metric='m'>2</figure></source>",
            "given twice"},
        Bad{"schedule", "<source id='s' title='t' citation='c'><schedule network='n' layer='l' level='v'/></source>",
            "no cycles"},
        Bad{"ragged",
            "<source id='s' title='t' citation='c'><schedule network='n' layer='l' level='v'><cycle A=''/><cycle "
            "B=''/></schedule></source>",
            "other resources"}),
    [](const auto& parameter) { return parameter.param.name; });

TEST(PublishedRefused, WhatIsNoXml) {
  PublishedContent content;
  Diagnostics diagnostics;
  read_published("<published><source", "bad.xml", content, diagnostics);
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_TRUE(content.figures.empty());
}

TEST(PublishedRefused, AMissingFolder) {
  Diagnostics diagnostics;
  PublishedTables::load("/nonexistent", diagnostics);
  EXPECT_TRUE(diagnostics.has_errors());
}

TEST(PublishedRefused, OneMistakeKeepsTheRest) {
  PublishedContent content;
  Diagnostics diagnostics;
  read_published(
      "<published><source id='s' title='t' citation='c'><figure metric='a'>x</figure>"
      "<figure metric='b'>y</figure><figure metric='c' unit='%'>50</figure></source></published>",
      "bad.xml", content, diagnostics);
  EXPECT_EQ(diagnostics.items().size(), 2u);
  ASSERT_EQ(content.figures.size(), 1u);
  EXPECT_EQ(content.figures[0].value, 0.5);
}

}  // namespace
}  // namespace convscope::analysis
