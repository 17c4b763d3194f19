// ConvNet descriptors that must be refused: one test per rule, with line and text.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/readers/convnet_xml/convnet_xml.h"

namespace convscope::readers {
namespace {

// Two layers, one element a line: line 2 is the root, 3-11 and 12-22 the layers.
const std::vector<std::string> correct_lines = {
    "<?xml version='1.0'?>",                        // 1
    "<convNetDescriptor name='N' layerCount='2'>",  // 2
    "<layerDescriptor idx='0'>",                    // 3
    "<outHeight>10</outHeight>",                    // 4
    "<outWidth>12</outWidth>",                      // 5
    "<kernelHeight>3</kernelHeight>",               // 6
    "<kernelWidth>3</kernelWidth>",                 // 7
    "<subHeight>1</subHeight>",                     // 8
    "<subWidth>1</subWidth>",                       // 9
    "<outCount>2</outCount>",                       // 10
    "<outNet idx='0' cnt='1'>0</outNet>",           // 11
    "<outNet idx='1' cnt='1'>0</outNet>",           // 12
    "</layerDescriptor>",                           // 13
    "<layerDescriptor idx='1'>",                    // 14
    "<outHeight>4</outHeight>",                     // 15
    "<outWidth>5</outWidth>",                       // 16
    "<kernelHeight>4</kernelHeight>",               // 17
    "<kernelWidth>4</kernelWidth>",                 // 18
    "<subHeight>2</subHeight>",                     // 19
    "<subWidth>2</subWidth>",                       // 20
    "<outCount>1</outCount>",                       // 21
    "<outNet idx='0' cnt='2'>0,1</outNet>",         // 22
    "</layerDescriptor>",                           // 23
    "</convNetDescriptor>",                         // 24
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// The correct text with one line (from 1) replaced.
std::string with_line(std::size_t line, const std::string& replacement) {
  std::vector<std::string> lines = correct_lines;
  lines.at(line - 1) = replacement;
  return joined(lines);
}

std::vector<Diagnostic> errors_of(const std::string& text) {
  Diagnostics diagnostics;
  const auto network = read_convnet_xml(text, "n.xml", diagnostics);
  EXPECT_EQ(network.has_value(), !diagnostics.has_errors());
  std::vector<Diagnostic> errors;
  for (const Diagnostic& item : diagnostics.items())
    if (item.severity == Severity::error) errors.push_back(item);
  return errors;
}

void expect_error(const std::string& text, int line, const std::string& element, const std::string& what) {
  const auto errors = errors_of(text);
  for (const Diagnostic& error : errors)
    if (error.where == Location{"n.xml", line, element} && error.what == what) return;
  std::string found;
  for (const Diagnostic& error : errors) found += "\n  " + error.text();
  ADD_FAILURE() << "no error in line " << line << " at " << element << ": " << what << "; instead:" << found;
}

void expect_only_error(const std::string& text, int line, const std::string& element, const std::string& what) {
  expect_error(text, line, element, what);
  EXPECT_EQ(errors_of(text).size(), 1U);
}

TEST(ConvnetXmlRefused, NothingInTheCorrectText) {
  EXPECT_TRUE(errors_of(joined(correct_lines)).empty());
}

TEST(ConvnetXmlRefused, WrongRoot) {
  expect_only_error("\n<convnet/>", 2, "", "the root element is 'convnet'");
}

TEST(ConvnetXmlRefused, SecondRoot) {
  expect_only_error(with_line(24, "</convNetDescriptor>\n<more/>"), 25, "element <more>", "a second outermost element");
}

TEST(ConvnetXmlRefused, Name) {
  expect_only_error(with_line(2, "<convNetDescriptor layerCount='2'>"), 2, "convNetDescriptor",
                    "attribute 'name' is missing or empty");
  for (const char* bytes : {"\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x01"})
    EXPECT_EQ(errors_of(with_line(2, "<convNetDescriptor name='" + std::string(bytes) + "' layerCount='2'>")).size(),
              1U)
        << bytes;
  EXPECT_EQ(errors_of(with_line(2, "<convNetDescriptor name='" + std::string(201, 'x') + "' layerCount='2'>")).size(),
            1U);
}

TEST(ConvnetXmlRefused, LayerCount) {
  expect_only_error(with_line(2, "<convNetDescriptor name='N'>"), 2, "convNetDescriptor",
                    "attribute 'layerCount' is missing");
  expect_only_error(with_line(2, "<convNetDescriptor name='N' layerCount='3'>"), 2, "convNetDescriptor",
                    "layerCount is 3 but there are 2 layers");
  expect_only_error(with_line(2, "<convNetDescriptor name='N' layerCount='two'>"), 2, "convNetDescriptor",
                    "layerCount is 'two', which is not an integer");
  expect_only_error("<convNetDescriptor name='N' layerCount='0'/>", 1, "convNetDescriptor",
                    "layerCount is '0', out of range");
}

TEST(ConvnetXmlRefused, LayerIndex) {
  expect_only_error(with_line(14, "<layerDescriptor>"), 14, "layer 'L2'", "attribute 'idx' is missing");
  expect_only_error(with_line(14, "<layerDescriptor idx='0'>"), 14, "layer 'L2'",
                    "layer idx 0 stands twice, first in line 3");
  expect_only_error(with_line(14, "<layerDescriptor idx='2'>"), 14, "layer 'L2'", "layer idx 2 is out of order");
  expect_only_error(with_line(14, "<layerDescriptor idx='1x'>"), 14, "layer 'L2'",
                    "idx is '1x', which is not an integer");
  expect_only_error(with_line(14, "<layerDescriptor idx='-1'>"), 14, "layer 'L2'", "idx is '-1', out of range");
}

TEST(ConvnetXmlRefused, MissingElements) {
  const char* names[] = {"outHeight", "outWidth", "kernelHeight", "kernelWidth", "subHeight", "subWidth", "outCount"};
  for (std::size_t i = 0; i < std::size(names); ++i)
    expect_only_error(with_line(15 + i, ""), 14, "layer 'L2'", "element '" + std::string(names[i]) + "' is missing");
}

TEST(ConvnetXmlRefused, DuplicateElement) {
  expect_only_error(with_line(16, "<outWidth>5</outWidth>\n<outWidth>5</outWidth>"), 17, "layer 'L2', outWidth",
                    "element 'outWidth' stands twice, first in line 16");
}

TEST(ConvnetXmlRefused, UnknownElements) {
  expect_only_error(with_line(16, "<outWidth>5</outWidth><padding>1</padding>"), 16, "layer 'L2'",
                    "unknown element 'padding'");
  expect_only_error(with_line(13, "</layerDescriptor><poolDescriptor/>"), 13, "convNetDescriptor",
                    "unknown element 'poolDescriptor'");
  expect_only_error(with_line(16, "<outWidth>5<b/></outWidth>"), 16, "layer 'L2', outWidth", "unknown element 'b'");
  expect_only_error(with_line(22, "<outNet idx='0' cnt='2'>0,1<b/></outNet>"), 22, "layer 'L2', outNet 0",
                    "unknown element 'b'");
}

TEST(ConvnetXmlRefused, StrayText) {
  expect_only_error(with_line(13, "oops</layerDescriptor>"), 3, "layer 'L1'", "unexpected text 'oops'");
  expect_only_error(with_line(13, "</layerDescriptor>oops<!-- -->"), 2, "convNetDescriptor", "unexpected text 'oops'");
}

TEST(ConvnetXmlRefused, Attributes) {
  expect_only_error(with_line(2, "<convNetDescriptor name='N' layerCount='2' version='1'>"), 2, "convNetDescriptor",
                    "unknown attribute 'version'");
  expect_only_error(with_line(14, "<layerDescriptor idx='1' idx='1'>"), 14, "element <layerDescriptor>",
                    "an attribute is given twice");
  expect_only_error(with_line(16, "<outWidth unit='px'>5</outWidth>"), 16, "layer 'L2', outWidth",
                    "unknown attribute 'unit'");
  expect_only_error(with_line(22, "<outNet idx='0' cnt='2' x='0'>0,1</outNet>"), 22, "layer 'L2', outNet 0",
                    "unknown attribute 'x'");
}

TEST(ConvnetXmlRefused, NumbersOfAllFields) {
  const char* names[] = {"outHeight", "outWidth", "kernelHeight", "kernelWidth", "subHeight", "subWidth", "outCount"};
  for (std::size_t i = 0; i < std::size(names); ++i) {
    const std::string name = names[i];
    const auto with = [&](const std::string& value) {
      return with_line(15 + i, "<" + name + ">" + value + "</" + name + ">");
    };
    const std::string element = "layer 'L2', " + name;
    const int line = static_cast<int>(15 + i);
    expect_only_error(with(""), line, element, name + " is empty");
    for (const std::string value : {"x", "3.5", "3 4", "+3", "1e3", "0x10"})
      expect_only_error(with(value), line, element, name + " is '" + value + "', which is not an integer");
    for (const std::string value : {"0", "-1", "65537", "99999999999999999999"})
      expect_only_error(with(value), line, element, name + " is '" + value + "', out of range");
  }
}

TEST(ConvnetXmlRefused, OutCountAgainstOutNets) {
  expect_error(with_line(10, "<outCount>3</outCount>"), 10, "layer 'L1', outCount",
               "outCount is 3 but there are 2 outNet elements");
  expect_error(with_line(21, "<outCount>65536</outCount>"), 21, "layer 'L2', outCount",
               "outCount is 65536 but there are 1 outNet elements");
}

TEST(ConvnetXmlRefused, OutNetIndex) {
  expect_only_error(with_line(12, "<outNet cnt='1'>0</outNet>"), 12, "layer 'L1', outNet 1",
                    "attribute 'idx' is missing");
  expect_only_error(with_line(12, "<outNet idx='0' cnt='1'>0</outNet>"), 12, "layer 'L1', outNet 1",
                    "outNet idx 0 stands twice, first in line 11");
  expect_only_error(with_line(12, "<outNet idx='2' cnt='1'>0</outNet>"), 12, "layer 'L1', outNet 1",
                    "idx is '2', out of range");
  expect_only_error(with_line(12, "<outNet idx='?' cnt='1'>0</outNet>"), 12, "layer 'L1', outNet 1",
                    "idx is '?', which is not an integer");
}

TEST(ConvnetXmlRefused, Count) {
  expect_only_error(with_line(22, "<outNet idx='0'>0,1</outNet>"), 22, "layer 'L2', outNet 0",
                    "attribute 'cnt' is missing");
  expect_only_error(with_line(22, "<outNet idx='0' cnt='3'>0,1</outNet>"), 22, "layer 'L2', outNet 0",
                    "cnt is 3 but the list has 2 entries");
  expect_only_error(with_line(22, "<outNet idx='0' cnt='2'></outNet>"), 22, "layer 'L2', outNet 0",
                    "cnt is 2 but the list has 0 entries");
  expect_only_error(with_line(22, "<outNet idx='0' cnt='0'></outNet>"), 22, "layer 'L2', outNet 0",
                    "cnt is '0', out of range");
}

TEST(ConvnetXmlRefused, ListEntries) {
  const std::string element = "layer 'L2', outNet 0";
  expect_only_error(with_line(22, "<outNet idx='0' cnt='2'>0,one</outNet>"), 22, element,
                    "entry 2 is 'one', which is not an integer");
  expect_only_error(with_line(22, "<outNet idx='0' cnt='2'>0,2</outNet>"), 22, element, "entry 2 is '2', out of range");
  expect_only_error(with_line(22, "<outNet idx='0' cnt='2'>-1,1</outNet>"), 22, element,
                    "entry 1 is '-1', out of range");
  expect_only_error(with_line(22, "<outNet idx='0' cnt='3'>0,1,0</outNet>"), 22, element,
                    "input map 0 stands twice in the list");
  expect_only_error(with_line(11, "<outNet idx='0' cnt='1'>65536</outNet>"), 11, "layer 'L1', outNet 0",
                    "entry 1 is '65536', out of range");
}

TEST(ConvnetXmlRefused, GarbageInLists) {
  const std::string element = "layer 'L2', outNet 0";
  expect_only_error(with_line(22, "<outNet idx='0' cnt='2'>0,1 x</outNet>"), 22, element,
                    "entry 2 is '1 x', which is not an integer");
  expect_only_error(with_line(22, "<outNet idx='0' cnt='3'>0,1,</outNet>"), 22, element, "entry 3 is empty");
  expect_only_error(with_line(22, "<outNet idx='0' cnt='3'>0,,1</outNet>"), 22, element, "entry 2 is empty");
  expect_only_error(with_line(22, "<outNet idx='0' cnt='1'>0 1</outNet>"), 22, element,
                    "entry 1 is '0 1', which is not an integer");
}

TEST(ConvnetXmlRefused, ListEntrySaysHowManyMapsThereAre) {
  const auto errors = errors_of(with_line(22, "<outNet idx='0' cnt='2'>0,2</outNet>"));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].expected, "a map from 0 to 1: layer 'L1' has 2 maps");
}

TEST(ConvnetXmlRefused, SizesThatCannotFollow) {
  // Subsampling 2: 12 rows would be one more than the 11 that zeros may fill up from 10.
  expect_only_error(with_line(15, "<outHeight>5</outHeight>"), 15, "layer 'L2', outHeight",
                    "5 rows of output need 12 rows of input where layer 'L1' gives 10");
  expect_only_error(with_line(16, "<outWidth>6</outWidth>"), 16, "layer 'L2', outWidth",
                    "6 columns of output need 14 columns of input where layer 'L1' gives 12");
  EXPECT_TRUE(errors_of(with_line(17, "<kernelHeight>5</kernelHeight>")).empty()) << "one row more is zeros";
  expect_only_error(with_line(17, "<kernelHeight>6</kernelHeight>"), 15, "layer 'L2', outHeight",
                    "4 rows of output need 12 rows of input where layer 'L1' gives 10");
}

TEST(ConvnetXmlRefused, WithoutSubsamplingNothingIsFilledUp) {
  std::vector<std::string> lines = correct_lines;
  lines[18] = "<subHeight>1</subHeight>";
  lines[14] = "<outHeight>8</outHeight>";
  expect_only_error(joined(lines), 15, "layer 'L2', outHeight",
                    "8 rows of output need 11 rows of input where layer 'L1' gives 10");
}

TEST(ConvnetXmlRefused, InputBeyondTheCap) {
  std::vector<std::string> lines = correct_lines;
  lines[3] = "<outHeight>65536</outHeight>";
  lines[7] = "<subHeight>65536</subHeight>";
  expect_only_error(joined(lines), 4, "layer 'L1', outHeight", "the layer needs an input of 4294901763 rows");
}

TEST(ConvnetXmlRefused, UncountableWork) {
  // 256 maps over 256 inputs, kernels and outputs of 32768 x 32768: 2^76 multiply-accumulates.
  std::string text =
      "<convNetDescriptor name='N' layerCount='1'>\n<layerDescriptor idx='0'><outHeight>32768</outHeight>"
      "<outWidth>32768</outWidth><kernelHeight>32768</kernelHeight><kernelWidth>32768</kernelWidth>"
      "<subHeight>1</subHeight><subWidth>1</subWidth><outCount>256</outCount>";
  std::string list = "0";
  for (int i = 1; i < 256; ++i) list += "," + std::to_string(i);
  for (int i = 0; i < 256; ++i) text += "<outNet idx='" + std::to_string(i) + "' cnt='256'>" + list + "</outNet>";
  expect_only_error(text + "</layerDescriptor></convNetDescriptor>", 2, "layer 'L1'", "too many multiply-accumulates");
}

TEST(ConvnetXmlRefused, MistakesAreCollected) {
  std::vector<std::string> lines = correct_lines;
  lines[1] = "<convNetDescriptor name='N' layerCount='5'>";
  lines[3] = "<outHeight>x</outHeight>";
  lines[13] = "<layerDescriptor>";
  lines[21] = "<outNet idx='0' cnt='2'>0,9</outNet>";
  std::vector<int> lines_found;
  for (const Diagnostic& error : errors_of(joined(lines))) lines_found.push_back(error.where.line);
  EXPECT_THAT(lines_found, ::testing::UnorderedElementsAre(2, 4, 14, 22));
}

TEST(ConvnetXmlRefused, AThousandMistakesAreNotAThousandMessages) {
  std::string text = "<convNetDescriptor name='N' layerCount='1'>";
  for (int i = 0; i < 1000; ++i) text += "<x/>";
  const auto errors = errors_of(text + "</convNetDescriptor>");
  ASSERT_EQ(errors.size(), 100U);
  EXPECT_EQ(errors.back().hint, "further errors are not listed");
}

TEST(ConvnetXmlRefused, HostileTextStaysOnOneShortLine) {
  const auto errors = errors_of(with_line(16, "<outWidth>" + std::string(100'000, '\x80') + "\n\x1b[31m</outWidth>"));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_LT(errors[0].text().size(), 300U);
  EXPECT_EQ(errors[0].text().find('\n'), std::string::npos);
}

TEST(ConvnetXmlRefused, TruncatedAnywhere) {
  const std::string text = joined(correct_lines);
  const std::size_t whole = text.rfind('>') + 1;
  for (std::size_t length = 0; length < whole; ++length) {
    const auto errors = errors_of(text.substr(0, length));
    ASSERT_FALSE(errors.empty()) << length;
  }
}

TEST(ConvnetXmlRefused, DeepAndHugeXml) {
  std::string deep;
  for (int i = 0; i < 200'000; ++i) deep += "<convNetDescriptor>";
  EXPECT_EQ(errors_of(deep).size(), 1U);
  std::string hidden;  // the closing marks in attributes hide the depth from a scan of the text
  for (int i = 0; i < 200'000; ++i) hidden += "<a b='/>'>";
  for (int i = 0; i < 200'000; ++i) hidden += "</a>";
  EXPECT_EQ(errors_of(hidden).size(), 1U);
  const auto errors =
      errors_of("<convNetDescriptor>" + std::string(std::size_t{17} << 20, ' ') + "</convNetDescriptor>");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].what, "the XML text is too large");
}

TEST(ConvnetXmlRefused, NotXml) {
  for (const std::string text :
       {"", " ", "garbage", "<", "<convNetDescriptor", "\xff\xfe<\0c\0", "<!DOCTYPE x [<!ENTITY"})
    EXPECT_EQ(errors_of(text).size(), 1U) << text;
}

}  // namespace
}  // namespace convscope::readers
