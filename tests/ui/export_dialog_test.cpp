// Exporting from the window: the dialog and the report, as one uses them.

#include "ui/export/export_dialog.h"

#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPaintEngine>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <chrono>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "ui/export/report_job.h"
#include "ui/export/report_table.h"
#include "ui/export/report_text.h"
#include "ui/jobs/threads.h"
#include "ui/window/main_window.h"
#include "ui/window/view_list.h"
#include "ui/words/figures.h"

namespace convscope::ui::test {
namespace {

class ExportDialogTest : public testing::Test {
 protected:
  void SetUp() override {
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
    window.show_view("roofline");
    window.findChild<QAction*>("export-view")->trigger();
    dialog = window.findChild<ExportDialog*>();
    ASSERT_NE(dialog, nullptr);
  }
  template <typename Widget>
  Widget& find(const char* name) {
    return *dialog->findChild<Widget*>(QLatin1String(name));
  }
  void choose(const char* name, const QString& data) {
    auto& box = find<QComboBox>(name);
    box.setCurrentIndex(box.findData(data));
    emit box.activated(box.currentIndex());
  }
  /// Presses Save; true once the dialog is gone.
  bool save() {
    bool closed = false;
    QObject::connect(dialog, &QDialog::accepted, dialog, [&] { closed = true; });
    dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
    return wait_until([&] { return closed || find<QLabel>("export-answer").text().contains("error"); }) && closed;
  }
  QString path(const QString& name) const { return folder.filePath(name); }

  QTemporaryDir folder;
  Workbench workbench{catalogue::standard()};
  MainWindow window{workbench};
  ExportDialog* dialog = nullptr;
};

TEST_F(ExportDialogTest, OffersTheViewInFront) {
  EXPECT_EQ(find<QComboBox>("export-view").currentData(), "roofline");
  EXPECT_TRUE(find<QLineEdit>("export-file").text().endsWith("roofline.svg"));
  choose("export-format", "csv");
  EXPECT_TRUE(find<QLineEdit>("export-file").text().endsWith("roofline.csv"));
  EXPECT_FALSE(find<QSpinBox>("export-width").isEnabled());
}

TEST_F(ExportDialogTest, WritesAChartAndACanvasAtTheSizeAskedFor) {
  for (const char* view : {"roofline", "schedule"}) {
    if (dialog == nullptr) window.findChild<QAction*>("export-view")->trigger();
    dialog = window.findChild<ExportDialog*>();
    choose("export-view", view);
    choose("export-format", "png");
    find<QSpinBox>("export-width").setValue(640);
    find<QSpinBox>("export-height").setValue(300);
    const QString file = path(QString("%1.png").arg(view));
    find<QLineEdit>("export-file").setText(file);
    ASSERT_TRUE(save());
    EXPECT_EQ(QImage(file).size(), QSize(1280, 600)) << view;
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    dialog = nullptr;
  }
}

TEST_F(ExportDialogTest, AsksBeforeItReplacesAFile) {
  const QString file = path("roofline.svg");
  QFile precious(file);
  ASSERT_TRUE(precious.open(QIODevice::WriteOnly));
  precious.write("precious");
  precious.close();
  find<QLineEdit>("export-file").setText(file);
  QStringList asked;
  bool agrees = false;
  dialog->may_replace = [&](const QString& wanted) {
    asked << wanted;
    return agrees;
  };
  dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
  QTest::qWait(50);
  EXPECT_EQ(asked, QStringList(file));
  ASSERT_TRUE(precious.open(QIODevice::ReadOnly));
  EXPECT_EQ(precious.readAll(), "precious");
  precious.close();
  EXPECT_TRUE(dialog->isVisible());
  agrees = true;
  ASSERT_TRUE(save());
  EXPECT_EQ(asked.size(), 2);
  ASSERT_TRUE(precious.open(QIODevice::ReadOnly));
  EXPECT_NE(precious.readAll(), "precious");
}

TEST_F(ExportDialogTest, SaysWhyAFileCannotBeWritten) {
  find<QLineEdit>("export-file").setText(path("no such folder/roofline.svg"));
  EXPECT_FALSE(save());
  EXPECT_TRUE(find<QLabel>("export-answer").text().contains("roofline.svg"));
  EXPECT_TRUE(dialog->isVisible()) << "so that another file can be chosen";
}

/// Keeps the texts that are drawn.
class TextRecorder : public QPaintDevice, public QPaintEngine {
 public:
  TextRecorder() : QPaintEngine(QPaintEngine::AllFeatures) {}
  QStringList texts;

  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  void updateState(const QPaintEngineState&) override {}
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawTextItem(const QPointF&, const QTextItem& item) override { texts << item.text().trimmed(); }
  void drawPath(const QPainterPath&) override {}
  void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
  Type type() const override { return User; }
  QPaintEngine* paintEngine() const override { return const_cast<TextRecorder*>(this); }

 protected:
  int metric(PaintDeviceMetric metric) const override {
    if (metric == PdmWidth || metric == PdmHeight) return 1000;
    if (metric == PdmDevicePixelRatio) return 1;
    if (metric == PdmDevicePixelRatioScaled) return static_cast<int>(devicePixelRatioFScale());
    if (metric == PdmDepth) return 32;
    return 96;
  }
};

ReportContent content_of(const Workbench& workbench) {
  return report_content(workbench, view_entries());
}

TEST_F(ExportDialogTest, ReportHasAPageForEachViewAndTheTables) {
  Diagnostics diagnostics;
  ASSERT_TRUE(export_report(content_of(workbench), path("report.pdf"), diagnostics)) << diagnostics.text();
  QFile file(path("report.pdf"));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const QByteArray bytes = file.readAll();
  EXPECT_TRUE(bytes.startsWith("%PDF-"));
  // Text and all views but those that this network and machine have nothing for: the three of the exploration, the four
  // of generated programs.
  EXPECT_GE(bytes.count("/Type /Page\n"), static_cast<qsizetype>(view_entries().size()) - 8);
}

TEST_F(ExportDialogTest, ReportIsWrittenBetweenOtherEventsAndCanBeCancelled) {
  const BlockWatch watch;
  bool written = false;
  auto* job = new ReportJob(content_of(workbench), path("job.pdf"), &window);
  QObject::connect(job, &ReportJob::finished, &window,
                   [&](const Diagnostics& problems) { written = problems.empty(); });
  EXPECT_TRUE(wait_until([&] { return written; }));
  EXPECT_TRUE(QFile::exists(path("job.pdf")));
  EXPECT_LT(watch.longest_milliseconds(), 1000);

  const QPointer<ReportJob> cancelled = new ReportJob(content_of(workbench), path("cancelled.pdf"), &window);
  emit window.findChild<QProgressDialog*>("report-progress")->canceled();
  EXPECT_TRUE(wait_until([&] { return cancelled.isNull(); }));
  EXPECT_FALSE(QFile::exists(path("cancelled.pdf")));
}

TEST_F(ExportDialogTest, ReportOfAWideTableNeedsMorePagesAndLosesNoCell) {
  QImage device(100, 100, QImage::Format_ARGB32);
  std::vector<ReportTable::Column> columns{{"Layer", false}};
  for (int column = 1; column < 60; ++column) columns.push_back({QString("Column %1").arg(column), true});
  ReportTable table(columns, light_theme(), &device);
  for (int row = 0; row < 100; ++row) {
    std::vector<ReportCell> cells{{QString("layer %1").arg(row), {}}};
    for (int column = 1; column < 60; ++column) cells.push_back({QString::number(row * 1000 + column), "d"});
    table.add(cells);
  }
  table.lay_out({800, 400});
  EXPECT_GT(table.pages(), 8);
  QStringList texts;
  for (int page = 0; page < table.pages(); ++page) {
    TextRecorder recorder;
    QPainter painter(&recorder);
    table.paint(painter, QRectF(0, 0, 800, 400), page);
    painter.end();
    texts << recorder.texts;
  }
  for (int row = 0; row < 100; ++row) {
    for (int column = 1; column < 60; ++column) EXPECT_TRUE(texts.contains(QString::number(row * 1000 + column)));
  }
  EXPECT_GT(texts.count("layer 7"), 1) << "the first column stands beside each part";
}

TEST_F(ExportDialogTest, ReportMarksWhereFiguresComeFrom) {
  LayerRows rows(workbench.snapshot());
  ASSERT_TRUE(rows.legend().isEmpty());
  const auto columns = rows.columns();
  const auto row = rows.row(0);
  ASSERT_EQ(row.size(), columns.size());
  const auto cycles =
      std::find_if(columns.begin(), columns.end(), [](const auto& each) { return each.title == "Cycles"; });
  ASSERT_NE(cycles, columns.end());
  EXPECT_EQ(row[static_cast<std::size_t>(cycles - columns.begin())].mark, origin_mark(Origin::derived));
  EXPECT_EQ(row.front().mark, QString());
  EXPECT_TRUE(rows.legend().contains(origin_mark(Origin::derived) + ' ' + origin_text(Origin::derived)));
}

TEST_F(ExportDialogTest, CancelledWhileItDrawsItIsGoneAndWritesNothing) {
  choose("export-view", "network-graph");
  choose("export-format", "png");
  find<QSpinBox>("export-width").setValue(6000);
  find<QSpinBox>("export-height").setValue(6000);
  find<QLineEdit>("export-file").setText(path("cancelled.png"));
  const QPointer<ExportDialog> watched(dialog);
  dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
  dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Cancel)->click();
  EXPECT_TRUE(wait_until([&] { return watched.isNull(); }));
  EXPECT_TRUE(wait_for_threads(std::chrono::minutes(2)));
  EXPECT_FALSE(QFile::exists(path("cancelled.png")));
}

TEST_F(ExportDialogTest, ReportOfNothingSaysSo) {
  Workbench empty{catalogue::standard()};
  Diagnostics diagnostics;
  EXPECT_TRUE(export_report(content_of(empty), path("empty.pdf"), diagnostics)) << diagnostics.text();
}

}  // namespace
}  // namespace convscope::ui::test
