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

}  // namespace
}  // namespace convscope
