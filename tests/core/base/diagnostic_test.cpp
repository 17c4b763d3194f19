#include "core/base/diagnostic.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

TEST(Diagnostic, IsOneLineInTheContractsForm) {
  const Diagnostic diagnostic{Severity::error, {"net.xml", 12, "layer 'L2'"}, "cnt is 3", "2", "count again"};
  EXPECT_EQ(diagnostic.text(), "net.xml:12: error: layer 'L2': cnt is 3; expected 2; hint: count again");
}

TEST(Diagnostic, LeavesOutWhatIsUnknown) {
  EXPECT_EQ((Diagnostic{Severity::warning, {}, "odd", {}, {}}).text(), "warning: odd");
  EXPECT_EQ((Diagnostic{Severity::note, {"f", 0, {}}, "seen", {}, {}}).text(), "f: note: seen");
}

TEST(Diagnostic, StaysOneLineWhateverAFilePutIntoAName) {
  const Diagnostic diagnostic{Severity::error, {"f", 1, "layer 'a\nb'"}, "x\r\x1b[31m", {}, {}};
  EXPECT_EQ(diagnostic.text(), "f:1: error: layer 'a b': x  [31m");
}

TEST(Diagnostic, IsTextThatATerminalCanShow) {
  const Diagnostic diagnostic{
      Severity::error, {"\xff\xfe.xml", 0, "layer '\xc3('"}, "\xc2\x9b is cut: \xe2\x82", "ß", ""};
  EXPECT_EQ(diagnostic.text(), "??.xml: error: layer '?(': ?? is cut: ??; expected ß");
}

TEST(Diagnostics, CollectInOrder) {
  Diagnostics diagnostics;
  EXPECT_TRUE(diagnostics.empty());
  diagnostics.warning({}, "first");
  diagnostics.note({}, "second");
  EXPECT_FALSE(diagnostics.has_errors());
  Diagnostics more;
  more.error({}, "third");
  diagnostics.append(more);
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.text(), "warning: first\nnote: second\nerror: third\n");
}

TEST(Diagnostics, ListTheFirstHundredOfEachSeverity) {
  Diagnostics diagnostics;
  for (int i = 0; i < 1000; ++i) diagnostics.error({}, "wrong", {}, "mend it");
  diagnostics.warning({}, "odd");
  ASSERT_EQ(diagnostics.items().size(), 101u);
  EXPECT_EQ(diagnostics.items()[98].hint, "mend it");
  EXPECT_EQ(diagnostics.items()[99].hint, "further errors are not listed");
  EXPECT_EQ(diagnostics.items()[100].what, "odd");
  EXPECT_EQ(diagnostics.count(Severity::error), 1000u);
  EXPECT_EQ(diagnostics.count(Severity::note), 0u);
}

TEST(Diagnostics, NamesOfMegabytesFloodNoTerminal) {
  const std::string name(5'000'000, 'n');
  Diagnostics diagnostics;
  diagnostics.error({"f", 1, name}, name, name, name);
  EXPECT_LT(diagnostics.text().size(), 100'000u);
  EXPECT_EQ(diagnostics.items().front().what.size(), name.size());
}

TEST(Diagnostics, OfSeveralFilesShareTheCap) {
  Diagnostics one, all;
  for (int i = 0; i < 150; ++i) one.error({}, "wrong");
  all.error({}, "first");
  all.append(one);
  all.append(one);
  EXPECT_EQ(all.items().size(), Diagnostics::cap);
  EXPECT_EQ(all.count(Severity::error), 301u);
}

}  // namespace
}  // namespace convscope
