// The program itself, without a display: pictures and exit codes.

#include <QFile>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include "tests/ui/session.h"
#include "ui/model/view.h"
#include "ui/window/view_list.h"

namespace convscope::ui::test {
namespace {

struct Outcome {
  int code = -1;
  QString errors;
};

Outcome run(const QStringList& arguments, const QString& program = "convscope") {
  QProcess process;
  process.start(QStringLiteral(CONVSCOPE_BINARY_DIR "/bin/") + program, arguments);
  if (!process.waitForFinished(120000)) return {-1, process.errorString()};
  const int code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
  return {code, QString::fromUtf8(process.readAllStandardError())};
}

TEST(Program, RendersEveryViewAndTheWindowInBothThemes) {
  const QTemporaryDir folder;
  const Outcome outcome = run({"--render", folder.path(), sample("filter_3x3")});
  ASSERT_EQ(outcome.code, 0) << outcome.errors.toStdString();
  for (const Theme* theme : {&light_theme(), &dark_theme()}) {
    QStringList names{"window"};
    for (const ViewEntry& entry : view_entries()) names << entry.id;
    for (const QString& name : names) {
      const QImage image(folder.filePath(name + '-' + theme->name + ".png"));
      EXPECT_FALSE(image.isNull()) << name.toStdString();
    }
  }
}

TEST(Program, ExportsOneView) {
  const QTemporaryDir folder;
  const QString file = folder.filePath("roofline.png");
  const Outcome outcome = run({"--export-view", "roofline", "--layer", "L2", "--output", file, "--theme", "dark",
                               "--size", "400x300", "--scale", "2", sample("face_detection")});
  ASSERT_EQ(outcome.code, 0) << outcome.errors.toStdString();
  EXPECT_EQ(QImage(file).size(), QSize(800, 600));
}

TEST(Program, ExportsAnotherOfALayersPrograms) {
  const QTemporaryDir folder;
  const QString csv = folder.filePath("program.csv");
  const QStringList first{"--export-view", "program", "--layer", "conv1", "--target", "nmp", "--output", csv};
  QFile file(csv);
  ASSERT_EQ(run(first + QStringList{sample("lenet")}).code, 0);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_TRUE(file.readAll().startsWith("message")) << "an estimate has no code";
  file.close();
  ASSERT_EQ(run(first + QStringList{"--program", "1", sample("lenet")}).code, 0);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_TRUE(file.readAll().contains("nmp_conv2d"));
  const Outcome missing = run(first + QStringList{"--program", "9", sample("lenet")});
  EXPECT_EQ(missing.code, 1);
  EXPECT_TRUE(missing.errors.contains("no such program")) << missing.errors.toStdString();
}

TEST(Program, MeasuresWhatHelpsMostBeforeItIsExported) {
  const QTemporaryDir folder;
  const QString path = folder.filePath("helps.csv");
  const Outcome outcome = run({"--export-view", "helps", "--layer", "L1", "--output", path, sample("filter_3x3")});
  ASSERT_EQ(outcome.code, 0) << outcome.errors.toStdString();
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const QByteArray table = file.readAll();
  EXPECT_TRUE(table.startsWith("parameter,move,from,to,gain")) << table.left(200).toStdString();
  EXPECT_GT(table.count('\n'), 20);
}

TEST(Program, ExportsASweepWithoutANetwork) {
  const QTemporaryDir folder;
  QFile space(folder.filePath("space.xml"));
  ASSERT_TRUE(space.open(QIODevice::WriteOnly));
  space.write("<space name='a'><network file='" + sample("filter_3x3").toUtf8() +
              "'/><machines target='nve'><parameter name='lanes'>4 8 16</parameter></machines></space>");
  space.close();
  const QString results = folder.filePath("results.db"), csv = folder.filePath("sweep.csv");
  const Outcome swept = run({"sweep", space.fileName(), "-o", results}, "convscope-cli");
  ASSERT_EQ(swept.code, 0) << swept.errors.toStdString();
  const Outcome exported = run({"export", "--view", "sweep", "--sweep", results, "-o", csv}, "convscope-cli");
  ASSERT_EQ(exported.code, 0) << exported.errors.toStdString();
  QFile file(csv);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_EQ(file.readAll().count('\n'), 4) << "a header and three machines";
}

TEST(Program, WritesOverNothingThatItReads) {
  const QTemporaryDir folder;
  const QString network = folder.filePath("network.svg");  // what it is, its content tells
  ASSERT_TRUE(QFile::copy(sample("filter_3x3"), network));
  const Outcome view = run({"--export-view", "schedule", "--output", network, network});
  EXPECT_EQ(view.code, 1);
  EXPECT_TRUE(view.errors.contains("overwritten")) << view.errors.toStdString();
  EXPECT_EQ(run({"--report", network, network}).code, 1);
  QFile kept(network), original(sample("filter_3x3"));
  ASSERT_TRUE(kept.open(QIODevice::ReadOnly) && original.open(QIODevice::ReadOnly));
  EXPECT_EQ(kept.readAll(), original.readAll());
}

TEST(Program, RefusesBadInputWithOne) {
  const QTemporaryDir folder;
  const QString file = folder.filePath("view.png");
  for (const QStringList& arguments :
       {QStringList{"--render", folder.path(), "/no/such/file.xml"},
        QStringList{"--render", folder.path(), QStringLiteral(CONVSCOPE_SOURCE_DIR "/LICENSE")},
        QStringList{"--render", folder.path(), "--set", "no_such_parameter=1"},
        QStringList{"--render", folder.path(), "--preset", "no-such-preset"},
        QStringList{"--render", folder.path(), "--batch", "2", "face_detection"},
        QStringList{"--export-view", "schedule", "--layer", "L99", "-o", file},
        QStringList{"--export-view", "roofline", "--sweep", "/no/such/results.db", "-o", file},
        QStringList{"--export-view", "schedule", "-o", folder.filePath("view.exe")}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments.join(' ').toStdString();
    EXPECT_TRUE(outcome.errors.contains("error: ")) << outcome.errors.toStdString();
  }
  EXPECT_FALSE(QFile::exists(file));
}

TEST(Program, AnswersWrongUsageWithTwo) {
  for (const QStringList& arguments :
       {QStringList{"--no-such-option"}, QStringList{"--export-view", "no-such-view", "-o", "x.png"},
        QStringList{"--export-view", "schedule"}, QStringList{"--theme", "pink"}, QStringList{"--size", "10x10"},
        QStringList{"--export-view", "schedule", "-o", "x.png", "--size", "0x10"},
        QStringList{"--export-view", "schedule", "-o", "x.png", "--scale", "none"}, QStringList{"a.xml", "b.xml"},
        QStringList{"--input-size", "224"}, QStringList{"--input-size", "0x224"}, QStringList{"--batch", "none"},
        QStringList{"--batch", "0"}, QStringList{"--program", "-1"}, QStringList{"--program", "x"},
        QStringList{"--render", "x", "--target", "no-such-target"},
        QStringList{"--render", "x", "--level", "no-such-level"}}) {
    EXPECT_EQ(run(arguments).code, 2) << arguments.join(' ').toStdString();
  }
}

TEST(Program, HelpsWithoutADisplay) {
  EXPECT_EQ(run({"--help"}).code, 0);
  EXPECT_EQ(run({"--version"}).code, 0);
}

}  // namespace
}  // namespace convscope::ui::test
