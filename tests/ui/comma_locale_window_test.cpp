// The window in a locale that writes 0,25: Qt sets that of the environment, and so do the programs.

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <clocale>
#include <cstdlib>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "ui/document/workbench.h"
#include "ui/published_figures/figure_maker.h"

namespace convscope::ui::test {
namespace {

/// A locale with a decimal comma, made for the test: not every machine has German installed.
class CommaLocaleWindow : public testing::Test {
 protected:
  void SetUp() override {
    QFile definition(folder.filePath("comma"));
    ASSERT_TRUE(definition.open(QIODevice::WriteOnly));
    definition.write(
        "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\n"
        "grouping 3;3\nEND LC_NUMERIC\n");
    definition.close();
    QProcess::execute("localedef", {"-c", "-i", definition.fileName(), folder.filePath("xx_XX")});
    setenv("LOCPATH", folder.path().toLocal8Bit(), 1);
    if (std::setlocale(LC_NUMERIC, "xx_XX") == nullptr) GTEST_SKIP() << "localedef made no locale";
    ASSERT_EQ(std::strtod("0,25", nullptr), 0.25) << "the locale has no decimal comma";
  }
  void TearDown() override {
    std::setlocale(LC_NUMERIC, "C");
    unsetenv("LOCPATH");
  }
  /// What a program writes to a file, in that locale or in none.
  QByteArray written(const QString& program, const QStringList& arguments, const QString& file, bool comma) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LC_NUMERIC", comma ? "xx_XX" : "C");
    environment.remove("LC_ALL");
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(CONVSCOPE_BINARY_DIR "/bin/") + program, arguments);
    EXPECT_TRUE(process.waitForFinished(120'000));
    EXPECT_EQ(process.exitCode(), 0) << process.readAllStandardError().toStdString();
    QFile content(file);
    return content.open(QIODevice::ReadOnly) ? content.readAll() : QByteArray();
  }

  QTemporaryDir folder;
};

TEST_F(CommaLocaleWindow, OpensSamplesWithRealNumbersAndPublishedTables) {
  Workbench workbench{catalogue::standard()};
  for (const char* name : {"yolov2_tiny", "squeezenet_1_0"}) {
    ASSERT_TRUE(open_and_wait(workbench, sample(name))) << name << workbench.messages().text();
    EXPECT_FALSE(workbench.messages().has_errors()) << workbench.messages().text();
  }
  ASSERT_TRUE(wait_until([&] { return workbench.snapshot().published != nullptr; }));
  EXPECT_FALSE(workbench.messages().has_errors()) << workbench.messages().text();
  EXPECT_FALSE(workbench.snapshot().published->sources().empty());
}

TEST_F(CommaLocaleWindow, MakesPublishedFigures) {
  FigureMaker maker(catalogue::standard());
  bool made = false;
  QString failed;
  QObject::connect(&maker, &FigureMaker::made, [&] { made = true; });
  QObject::connect(&maker, &FigureMaker::failed, [&](const QString&, const QString& why) { failed = why; });
  maker.make("tso-fig1");
  ASSERT_TRUE(wait_until([&] { return !maker.busy(); }));
  EXPECT_TRUE(made) << failed.toStdString();
}

TEST_F(CommaLocaleWindow, ProgramsWriteTheSameBytes) {
  std::setlocale(LC_NUMERIC, "C");
  const QString file = folder.filePath("view.csv");
  const QStringList view = {sample("yolov2_tiny"), "--target", "nmp", "--export-view", "roofline", "--output", file};
  const QByteArray plain = written("convscope", view, file, false);
  EXPECT_TRUE(plain.contains('.'));
  EXPECT_EQ(written("convscope", view, file, true), plain);
  const QString pictures = folder.filePath("pictures");
  const QStringList render = {sample("yolov2_tiny"), "--render", pictures};
  EXPECT_FALSE(written("convscope", render, pictures + "/roofline-light.png", true).isEmpty());
}

}  // namespace
}  // namespace convscope::ui::test
