// What holds for every view: pictures in both themes, CSV, exports, empty states.

#include <QFile>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <gtest/gtest.h>

#include "tests/ui/made_up_sweep.h"
#include "ui/export/export.h"
#include "ui/model/shown_run.h"
#include "ui/parts/canvas/message_painter.h"
#include "ui/window/view_list.h"
#include "views_fixture.h"

namespace convscope::ui {
namespace {

using test::drawn_pixels;
using test::made_up_snapshot;
using test::painted;
using test::with_baseline;
using test::with_exploration;

QByteArray bytes_of(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

TEST(ViewsAll, EntriesStandInTabOrder) {
  QStringList ids;
  for (const ViewEntry& view : view_entries()) ids << view.id;
  EXPECT_EQ(
      ids, (QStringList{"network-graph",  "schedule",     "task-graph", "tiling",      "program",     "stepper",
                        "source",         "memory",       "why",        "roofline",    "utilization", "traffic",
                        "breakdown",      "compare",      "sweep",      "parallel",    "search-tree", "search-progress",
                        "search-scatter", "search-error", "helps",      "quantization"}));
  EXPECT_EQ(find_view("memory")->title, "Memory");
  EXPECT_EQ(find_view("no such view"), nullptr);
}

TEST(ViewsAll, EveryViewIsDrawnInBothThemes) {
  const Snapshot snapshot = with_exploration(with_baseline(made_up_snapshot()));
  for (const ViewEntry& view : view_entries()) {
    const auto painter = view.make_painter(snapshot);
    const QImage light = painted(*painter, QSize(800, 500), light_theme());
    const QImage dark = painted(*painter, QSize(800, 500), dark_theme());
    EXPECT_GT(drawn_pixels(light), 2000) << view.id.toStdString();
    EXPECT_GT(drawn_pixels(dark), 2000) << view.id.toStdString();
    EXPECT_NE(light, dark) << view.id.toStdString();
  }
}

TEST(ViewsAll, TinyAreasAreNoProblem) {
  const Snapshot snapshot = with_exploration(with_baseline(made_up_snapshot()));
  for (const ViewEntry& view : view_entries()) {
    const auto painter = view.make_painter(snapshot);
    for (const QSize& size : {QSize(1, 1), QSize(30, 400), QSize(400, 30), QSize(130, 60)}) {
      painted(*painter, size, light_theme());
      const QRectF area(QPointF(0, 0), QSizeF(size));
      painter->hit(area.center(), area);
      painter->reading(area.center(), area);
    }
  }
}

TEST(ViewsAll, TablesHaveAsManyFieldsInEachLineAsInTheirHeader) {
  const Snapshot snapshot = with_exploration(with_baseline(made_up_snapshot()));
  for (const ViewEntry& view : view_entries()) {
    const auto widths = test::csv_widths(view.make_painter(snapshot)->csv());
    ASSERT_GT(widths.size(), 1U) << view.id.toStdString();
    for (std::size_t width : widths) EXPECT_EQ(width, widths.front()) << view.id.toStdString();
  }
}

TEST(ViewsAll, EmptySnapshotsAreMetWithWords) {
  Snapshot empty;
  Snapshot failed;
  failed.message = "The file isn't a network.";
  Snapshot unmapped = made_up_snapshot();
  unmapped.selection.layer = 1;
  for (const ViewEntry& view : view_entries()) {
    for (const Snapshot& snapshot : {empty, failed}) {
      const auto painter = view.make_painter(snapshot);
      ASSERT_NE(dynamic_cast<MessagePainter*>(painter.get()), nullptr);
      EXPECT_GT(drawn_pixels(painted(*painter, QSize(600, 300), light_theme())), 100);
    }
  }
  const auto* message = dynamic_cast<MessagePainter*>(find_view("schedule")->make_painter(unmapped).release());
  ASSERT_NE(message, nullptr);
  EXPECT_TRUE(message->message().contains("the kernel is larger than the image"));
  delete message;
}

TEST(ViewsAll, SelectionFollowsAnOperationIntoItsProgram) {
  Snapshot snapshot = made_up_snapshot();
  snapshot.selection.program = 0;
  EXPECT_EQ(snapshot.program(), 0);
  snapshot.selection.operation = test::mac_key + test::second_program;
  EXPECT_EQ(snapshot.program(), 1);
  snapshot.selection = {0, 17};
  EXPECT_EQ(snapshot.program(), 1);
}

TEST(ViewsAll, TheRunBeforeIsShownUntilTheNewOneHasTheLayer) {
  Snapshot snapshot = made_up_snapshot();
  auto running = std::make_shared<engine::CompiledNetwork>(*snapshot.compiled);
  running->layers = {nullptr, nullptr};
  running->complete = false;
  snapshot.previous = snapshot.compiled;
  snapshot.compiled = running;
  EXPECT_EQ(snapshot.layer(), snapshot.previous->layers[0]);
  EXPECT_EQ(shown_network(snapshot), snapshot.previous);
  running->network = std::make_shared<const network::Network>();
  EXPECT_EQ(snapshot.layer(), nullptr);
}

TEST(ViewsExport, EveryViewInEveryFormat) {
  QTemporaryDir folder;
  const Snapshot snapshot = with_exploration(with_baseline(made_up_snapshot()));
  for (const ViewEntry& view : view_entries()) {
    for (const char* suffix : {"svg", "pdf", "png", "csv"}) {
      Diagnostics diagnostics;
      const QString file = folder.filePath(view.id + "." + suffix);
      ASSERT_TRUE(export_view(view, snapshot, light_theme(), {file, QSize(700, 400), 2}, diagnostics))
          << diagnostics.text();
    }
    QImage image(folder.filePath(view.id + ".png"));
    EXPECT_EQ(image.size(), QSize(1400, 800));
    EXPECT_GT(drawn_pixels(image), 2000);
    EXPECT_TRUE(bytes_of(folder.filePath(view.id + ".pdf")).startsWith("%PDF"));
    QXmlStreamReader svg(bytes_of(folder.filePath(view.id + ".svg")));
    int elements = 0;
    while (!svg.atEnd()) elements += svg.readNext() == QXmlStreamReader::StartElement;
    EXPECT_FALSE(svg.hasError()) << svg.errorString().toStdString();
    EXPECT_GT(elements, 20) << view.id.toStdString();
    EXPECT_GT(test::csv_widths(bytes_of(folder.filePath(view.id + ".csv")).toStdString()).size(), 1U);
  }
}

TEST(ViewsExport, RefusesWhatCannotBeDoneAndKeepsTheOldFile) {
  QTemporaryDir folder;
  const Snapshot snapshot = made_up_snapshot();
  const ViewEntry& view = *find_view("schedule");
  const auto refused = [&](const ExportRequest& request) {
    Diagnostics diagnostics;
    const bool done = export_view(view, snapshot, light_theme(), request, diagnostics);
    return !done && diagnostics.has_errors();
  };
  EXPECT_TRUE(refused({folder.filePath("a.gif"), {}, 1}));
  EXPECT_TRUE(refused({folder.filePath("a"), {}, 1}));
  EXPECT_TRUE(refused({folder.filePath("a.png"), QSize(30000, 10), 1}));
  EXPECT_TRUE(refused({folder.filePath("a.png"), QSize(19000, 19000), 1}));
  EXPECT_TRUE(refused({folder.filePath("a.svg"), QSize(2000, 10), 15}));
  EXPECT_TRUE(refused({folder.filePath("a.png"), QSize(100, 100), 0}));
  EXPECT_TRUE(refused({folder.filePath("a.png"), QSize(100, 100), -1}));
  EXPECT_TRUE(refused({folder.filePath("no/such/folder/a.png"), QSize(100, 100), 1}));
  EXPECT_FALSE(QFile::exists(folder.filePath("a.png")));

  Diagnostics diagnostics;
  ASSERT_TRUE(export_view(view, snapshot, light_theme(), {folder.filePath("a.csv"), {}, 1}, diagnostics));
  const QByteArray before = bytes_of(folder.filePath("a.csv"));
  EXPECT_TRUE(refused({folder.filePath("a.gif"), {}, 1}));
  EXPECT_EQ(bytes_of(folder.filePath("a.csv")), before);
}

}  // namespace
}  // namespace convscope::ui
