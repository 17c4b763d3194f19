// The workbench with a made-up target: what must be refused, and what must survive it.

#include <QFile>
#include <QTemporaryDir>
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/made/catalogues.h"
#include "tests/ui/made_up_target.h"
#include "tests/ui/session.h"
#include "ui/document/workbench.h"

namespace convscope::ui::test {
namespace {

class WorkbenchRefusalTest : public testing::Test {
 protected:
  QString file(const QByteArray& content) {
    QFile out(folder.filePath("bad.xml"));
    EXPECT_TRUE(out.open(QIODevice::WriteOnly));
    out.write(content);
    return out.fileName();
  }
  bool idle() {
    return wait_until([&] { return !workbench.busy(); });
  }

  QTemporaryDir folder;
  std::shared_ptr<MadeUpTarget> target = std::make_shared<MadeUpTarget>();
  Workbench workbench{made::catalogue_of({target})};
};

TEST_F(WorkbenchRefusalTest, ABadFileKeepsTheNetworkAndSaysWhy) {
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  const auto before = cycles(workbench);
  const auto network = workbench.network();
  for (const QByteArray& content : {QByteArray("<convNetDescriptor><layer>"), QByteArray(""), QByteArray("\0\1\2", 3),
                                    QByteArray("<convNetDescriptor/>")}) {
    open_and_wait(workbench, file(content));
    EXPECT_TRUE(workbench.messages().has_errors()) << content.toStdString();
    EXPECT_EQ(workbench.network(), network);
    EXPECT_EQ(cycles(workbench), before);
  }
  ASSERT_TRUE(open_and_wait(workbench, sample("filter_3x3")));
  EXPECT_FALSE(workbench.messages().has_errors()) << workbench.messages().text();
}

TEST_F(WorkbenchRefusalTest, AMissingFileIsNamed) {
  EXPECT_FALSE(open_and_wait(workbench, "/no/such/network.xml"));
  EXPECT_NE(workbench.messages().text().find("/no/such/network.xml"), std::string::npos);
}

TEST_F(WorkbenchRefusalTest, AConstraintThatDoesNotHoldStopsTheCompilation) {
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  const auto before = workbench.snapshot().previous;
  workbench.set_parameter(2, 8);
  ASSERT_TRUE(idle());
  EXPECT_NE(workbench.messages().text().find("depth must be at least 8 words a lane"), std::string::npos);
  EXPECT_FALSE(workbench.snapshot().message.isEmpty());
  EXPECT_EQ(workbench.snapshot().previous, before);
  workbench.undo_stack().undo();
  ASSERT_TRUE(idle());
  EXPECT_FALSE(workbench.messages().has_errors());
  EXPECT_TRUE(workbench.snapshot().message.isEmpty());
  EXPECT_TRUE(workbench.snapshot().compiled->complete);
}

TEST_F(WorkbenchRefusalTest, ABrokenCompilerIsAMessage) {
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  const auto before = workbench.snapshot().previous;
  workbench.set_level("broken");
  ASSERT_TRUE(idle());
  EXPECT_NE(workbench.messages().text().find("the made-up compiler is broken"), std::string::npos);
  EXPECT_EQ(workbench.snapshot().previous, before);
  workbench.set_level("better");
  ASSERT_TRUE(idle());
  EXPECT_FALSE(workbench.messages().has_errors());
}

TEST_F(WorkbenchRefusalTest, ABadPresetLeavesTheMachine) {
  const auto before = workbench.machine();
  const QString bad =
      file("<preset target=\"made-up\" name=\"x\" title=\"x\"><parameter name=\"lanes\">7</parameter></preset>");
  for (const QString& preset : {bad, QString("no-such-preset"), QString("/no/such/file.xml")}) {
    workbench.load_preset(preset);
    ASSERT_TRUE(wait_until([&] { return workbench.messages().has_errors(); })) << preset.toStdString();
    EXPECT_EQ(workbench.machine(), before);
    EXPECT_FALSE(workbench.undo_stack().canUndo());
    workbench.load_preset("");
    ASSERT_TRUE(wait_until([&] { return !workbench.messages().has_errors(); }));
  }
}

TEST_F(WorkbenchRefusalTest, AnUnknownLevelChangesNothing) {
  workbench.set_level("no such level");
  EXPECT_EQ(workbench.level(), "plain");
  EXPECT_FALSE(workbench.undo_stack().canUndo());
}

TEST_F(WorkbenchRefusalTest, ConfigureRefusesAndChangesNothing) {
  const auto before = workbench.machine();
  for (const StartOptions& options :
       {StartOptions{"no-such-target", "", "", {}}, StartOptions{"", "no-such-preset", "", {}},
        StartOptions{"", "", "no-such-level", {}}, StartOptions{"", "", "", {"lanes=7"}},
        StartOptions{"", "", "", {"lanes"}}, StartOptions{"", "", "", {"no_such_parameter=1"}},
        StartOptions{"", "", "", {"depth=8"}}}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(workbench.configure(options, diagnostics));
    EXPECT_TRUE(diagnostics.has_errors());
    EXPECT_EQ(workbench.machine(), before);
  }
}

TEST_F(WorkbenchRefusalTest, AnUnmappedLayerIsAMessageNotAFailure) {
  const QString path = sample("squeezenet_1_0");
  ASSERT_TRUE(open_and_wait(workbench, path));
  const auto& layers = workbench.snapshot().compiled->layers;
  std::size_t unmapped = 0;
  for (const auto& layer : layers) unmapped += layer->mapped() ? 0 : 1;
  ASSERT_GT(unmapped, 1U);
  std::vector<std::string> named;
  for (const Diagnostic& each : workbench.messages().items()) {
    if (each.what == "not mapped: too many output maps") named.push_back(each.where.element);
  }
  EXPECT_LT(named.size(), unmapped) << "one message for one kind and reason";
  const auto is_of_convolutions = [](const std::string& text) { return text.find(" Conv layers (") != text.npos; };
  EXPECT_EQ(std::count_if(named.begin(), named.end(), is_of_convolutions), 1);
}

}  // namespace
}  // namespace convscope::ui::test
