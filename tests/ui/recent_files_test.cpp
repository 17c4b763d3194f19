// Files that were opened last, and files that are dropped.

#include "ui/window/recent_files.h"

#include <QAction>
#include <QCoreApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QMenu>
#include <QMimeData>
#include <QSettings>
#include <QTemporaryDir>
#include <QUrl>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/open_size_network.h"
#include "tests/ui/session.h"
#include "ui/window/main_window.h"

namespace convscope::ui::test {
namespace {

class Recent : public testing::Test {
 protected:
  void SetUp() override {
    QSettings().clear();
    ASSERT_TRUE(folder.isValid());
  }
  void TearDown() override { QSettings().clear(); }
  QString network(const QString& name) { return open_size_network(folder, name); }

  QTemporaryDir folder;
};

QStringList entries(MainWindow& window) {
  QStringList texts;
  for (const QAction* action : window.findChild<QMenu*>("recent")->actions()) {
    if (action->objectName().startsWith("recent-")) texts << action->toolTip();
  }
  return texts;
}

void drop(MainWindow& window, const QStringList& files) {
  QMimeData data;
  QList<QUrl> urls;
  for (const QString& file : files) urls << QUrl::fromLocalFile(file);
  data.setUrls(urls);
  QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&window, &enter);
  QDropEvent event(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&window, &event);
}

TEST_F(Recent, TheNewestIsFirstAndNothingTwice) {
  RecentFiles files;
  files.add("/a/1.onnx");
  files.add("/a/2.onnx");
  files.add("/a/1.onnx");
  EXPECT_EQ(files.paths(), QStringList({"/a/1.onnx", "/a/2.onnx"}));
  for (int i = 0; i < 20; ++i) files.add(QStringLiteral("/b/%1").arg(i));
  EXPECT_EQ(files.paths().size(), 10);
  EXPECT_EQ(files.paths().front(), "/b/19");
}

TEST_F(Recent, NetworksThatOpenAreInTheMenuOfTheNextRunToo) {
  const QString first = network("first.onnxtxt"), second = network("second.onnxtxt");
  {
    Workbench workbench{catalogue::standard()};
    MainWindow window(workbench);
    EXPECT_FALSE(window.findChild<QMenu*>("recent")->isEnabled());
    for (const QString& path : {first, second, sample("filter_3x3")}) ASSERT_TRUE(open_and_wait(workbench, path));
    EXPECT_EQ(entries(window), QStringList({second, first}));
  }
  Workbench workbench{catalogue::standard()};
  MainWindow window(workbench);
  ASSERT_EQ(entries(window), QStringList({second, first}));
  window.findChild<QAction*>("recent-2")->trigger();
  ASSERT_TRUE(wait_until([&] { return workbench.network() && !workbench.busy(); }));
  EXPECT_EQ(workbench.network()->source_file, first.toStdString());
  EXPECT_EQ(entries(window), QStringList({first, second}));
}

TEST_F(Recent, AFileThatIsGoneIsSaidAndTakenOut) {
  const QString path = network("gone.onnxtxt");
  Workbench workbench{catalogue::standard()};
  MainWindow window(workbench);
  ASSERT_TRUE(open_and_wait(workbench, path));
  const auto before = workbench.network();
  ASSERT_TRUE(QFile::remove(path));
  window.findChild<QAction*>("recent-1")->trigger();
  ASSERT_TRUE(wait_until([&] { return workbench.messages().has_errors(); }));
  EXPECT_TRUE(entries(window).isEmpty());
  EXPECT_EQ(workbench.network(), before);
}

TEST_F(Recent, ARefusedFileIsNotRemembered) {
  Workbench workbench{catalogue::standard()};
  MainWindow window(workbench);
  workbench.open_network(QStringLiteral(CONVSCOPE_SOURCE_DIR "/LICENSE"));
  ASSERT_TRUE(wait_until([&] { return workbench.messages().has_errors(); }));
  EXPECT_TRUE(RecentFiles().paths().isEmpty());
}

TEST_F(Recent, TheListIsCleared) {
  RecentFiles().add("/a/1.onnx");
  Workbench workbench{catalogue::standard()};
  MainWindow window(workbench);
  ASSERT_EQ(entries(window).size(), 1);
  window.findChild<QAction*>("clear-recent")->trigger();
  ASSERT_TRUE(wait_until([&] { return entries(window).isEmpty(); }));
  EXPECT_TRUE(RecentFiles().paths().isEmpty());
}

TEST_F(Recent, OfSeveralDroppedFilesTheFirstNetworkOpensAndTheOthersAreNamed) {
  Workbench workbench{catalogue::standard()};
  MainWindow window(workbench);
  const QString first = network("first.onnxtxt"), second = network("second.onnxtxt");
  drop(window, {QStringLiteral(CONVSCOPE_SOURCE_DIR "/LICENSE"), first, second});
  ASSERT_TRUE(wait_until([&] { return workbench.network() && !workbench.busy(); }));
  EXPECT_EQ(workbench.network()->source_file, first.toStdString());
  EXPECT_NE(workbench.messages().text().find("not opened: second.onnxtxt"), std::string::npos);
  EXPECT_NE(workbench.messages().text().find("LICENSE"), std::string::npos);
}

TEST_F(Recent, SeveralFilesThatAreNoNetworksChangeNothing) {
  Workbench workbench{catalogue::standard()};
  MainWindow window(workbench);
  ASSERT_TRUE(open_and_wait(workbench, sample("filter_3x3")));
  const auto before = workbench.network();
  drop(window, {QStringLiteral(CONVSCOPE_SOURCE_DIR "/LICENSE"), "/no/such/file.onnx"});
  ASSERT_TRUE(wait_until([&] { return workbench.messages().has_errors() && !workbench.busy(); }));
  EXPECT_EQ(workbench.network(), before);
  EXPECT_NE(workbench.messages().text().find("LICENSE"), std::string::npos);
  EXPECT_NE(workbench.messages().text().find("/no/such/file.onnx"), std::string::npos);
}

}  // namespace
}  // namespace convscope::ui::test
