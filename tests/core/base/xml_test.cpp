#include "core/base/xml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convscope {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string refusal(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(XmlDocument::parse(text, "f.xml", diagnostics));
  EXPECT_EQ(diagnostics.items().size(), 1u);
  return diagnostics.text();
}

std::string nested(int levels) {
  std::string text;
  for (int i = 0; i < levels; ++i) text += "<a>";
  for (int i = 0; i < levels; ++i) text += "</a>";
  return text;
}

TEST(Xml, KnowsTheLineOfEachNode) {
  Diagnostics diagnostics;
  const auto document =
      XmlDocument::parse("<?xml version='1.0'?>\n<net>\r\n  <a/><b\n x='1'/>\n\n<c/></net>", "f.xml", diagnostics);
  ASSERT_TRUE(document) << diagnostics.text();
  const auto root = document->root();
  EXPECT_EQ(document->line(root), 2);
  EXPECT_EQ(document->line(root.child("a")), 3);
  EXPECT_EQ(document->line(root.child("b")), 3);
  EXPECT_EQ(document->line(root.child("c")), 6);
  EXPECT_EQ(document->location(root.child("c"), "element <c>"), (Location{"f.xml", 6, "element <c>"}));
}

TEST(Xml, LinesSurviveAMove) {
  Diagnostics diagnostics;
  auto parsed = XmlDocument::parse("\n<a/>", "f.xml", diagnostics);
  ASSERT_TRUE(parsed);
  const XmlDocument moved = std::move(*parsed);
  EXPECT_EQ(moved.line(moved.root()), 2);
}

TEST(Xml, AcceptsTheDeepestAllowedNesting) {
  Diagnostics diagnostics;
  EXPECT_TRUE(XmlDocument::parse(nested(XmlDocument::depth_cap), "f.xml", diagnostics)) << diagnostics.text();
}

TEST(Xml, TellsOfUnknownAttributes) {
  Diagnostics diagnostics;
  const auto document = XmlDocument::parse("<a x='1' y='2' z='3'/>", "f.xml", diagnostics);
  ASSERT_TRUE(document);
  const Location where = document->location(document->root(), "element <a>");
  EXPECT_TRUE(check_attributes(document->root(), {"x", "y", "z"}, where, diagnostics));
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_FALSE(check_attributes(document->root(), {"x", "z"}, where, diagnostics));
  EXPECT_EQ(diagnostics.text(), "f.xml:1: error: element <a>: unknown attribute 'y'; expected only x, z\n");
  Diagnostics warnings;
  EXPECT_FALSE(check_attributes(document->root(), {}, where, warnings, Severity::warning));
  EXPECT_FALSE(warnings.has_errors());
  EXPECT_EQ(warnings.count(Severity::warning), 3u);
  EXPECT_THAT(warnings.text(), HasSubstr("unknown attribute 'x' is left out; expected no attributes"));
}

TEST(Xml, RefusesMalformedTextWithItsLine) {
  EXPECT_THAT(refusal("<a>\n<b>\n</c>\n</a>"), StartsWith("f.xml:3: error: not well-formed XML"));
  EXPECT_THAT(refusal("<a>\n<b>"), HasSubstr("not well-formed"));
  EXPECT_THAT(refusal(""), HasSubstr("not well-formed"));
  EXPECT_THAT(refusal("just words"), HasSubstr("not well-formed"));
  EXPECT_THAT(refusal(std::string("\0\0\0", 3)), HasSubstr("not well-formed"));
}

TEST(Xml, RefusesWhatPugixmlLetsPass) {
  EXPECT_THAT(refusal("<a/>\n<b/>"), StartsWith("f.xml:2: error: element <b>: a second outermost element"));
  EXPECT_THAT(refusal("<a>\n<b x='1' y='2' x='3'/></a>"), StartsWith("f.xml:2: error: element <b>: an attribute is"));
}

TEST(Xml, RefusesDeepNesting) {
  EXPECT_THAT(refusal(nested(XmlDocument::depth_cap + 1)), HasSubstr("at most 64 levels"));
  EXPECT_THAT(refusal(nested(400'000)), HasSubstr("at most 64 levels"));
}

TEST(Xml, CommentsAndAttributesDoNotHideDepth) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "<a x='/>'><!-- </a> -->";
  for (int i = 0; i < 100; ++i) text += "</a>";
  EXPECT_THAT(refusal(text), HasSubstr("nested too deeply"));
}

TEST(Xml, RefusesTooManyElementsAndTooMuchText) {
  std::string elements = "<a>";
  for (std::size_t i = 0; i < XmlDocument::element_cap; ++i) elements += "<b/>";
  EXPECT_THAT(refusal(elements + "</a>"), HasSubstr("too many elements"));
  EXPECT_THAT(refusal("<a>" + std::string(XmlDocument::size_cap, ' ') + "</a>"), HasSubstr("too large"));
}

TEST(Xml, DoesNotExpandEntities) {
  Diagnostics diagnostics;
  const auto document = XmlDocument::parse("<!DOCTYPE a [<!ENTITY e 'eeee'>]><a>&e;</a>", "f.xml", diagnostics);
  ASSERT_TRUE(document) << diagnostics.text();
  EXPECT_STREQ(document->root().text().get(), "&e;");
}

}  // namespace
}  // namespace convscope
