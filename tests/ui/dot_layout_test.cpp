// Drawings by dot: asked, read, refused, killed in time, kept.

#include "ui/views/network/network_graph/dot_layout.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include "netview_networks.h"
#include "tests/ui/session.h"
#include "ui/views/network/network_graph/network_drawings.h"
#include "ui/views/network/network_graph/network_graph_painter.h"
#include "views_fixture.h"

namespace convscope::ui {
namespace {

const std::vector<QSizeF> sizes(4, QSizeF(100, 40));
const std::vector<LayoutEdge> edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};

bool dot_is_there() {
  return !QStandardPaths::findExecutable(QStringLiteral("dot")).isEmpty();
}

/// A program that answers as given.
QString script(const QTemporaryDir& folder, const QByteArray& body) {
  const QString path = folder.filePath(QStringLiteral("dot.sh"));
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return {};
  file.write("#!/bin/sh\n" + body);
  file.close();
  file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  return path;
}

TEST(DotLayout, QuestionsAreTheSameForTheSameGraphOnly) {
  EXPECT_EQ(dot_question(sizes, edges), dot_question(sizes, edges));
  EXPECT_NE(dot_question(sizes, edges), dot_question(sizes, {edges[0]}));
  EXPECT_NE(dot_question(sizes, edges), dot_question(std::vector<QSizeF>(4, QSizeF(90, 40)), edges));
}

TEST(DotLayout, AnAnswerIsReadAsALayout) {
  if (!dot_is_there()) GTEST_SKIP() << "no dot on this machine";
  const DotRun run = run_dot(QStringLiteral("dot"), dot_question(sizes, edges), 20'000, {});
  ASSERT_EQ(run.state, DotState::done);
  const auto layout = dot_answer(run.json, sizes, edges);
  ASSERT_TRUE(layout);
  EXPECT_TRUE(layout->curved);
  EXPECT_EQ(layout->layers, (std::vector<int>{0, 1, 1, 2}));
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const QRectF from = layout->boxes[static_cast<std::size_t>(edges[i].from)];
    const QRectF to = layout->boxes[static_cast<std::size_t>(edges[i].to)];
    EXPECT_LT(from.bottom(), to.top());
    EXPECT_LT((layout->routes[i].front() - QPointF(from.center().x(), from.bottom())).manhattanLength(), 2);
    EXPECT_LT((layout->routes[i].back() - QPointF(to.center().x(), to.top())).manhattanLength(), 2);
  }
  EXPECT_FALSE(layout->boxes[1].intersects(layout->boxes[2]));
  for (const QRectF& box : layout->boxes) EXPECT_TRUE(QRectF(QPointF(), layout->size).contains(box));
}

TEST(DotLayout, WrongAnswersAreRefused) {
  for (const char* json : {"", "no json", "[]", "{}", R"({"bb":"0,0,10,10","objects":[],"edges":[]})",
                           R"({"bb":"0,0,10,10","objects":[{"name":"0","pos":"x,1"}],"edges":[]})",
                           R"({"bb":"0,0,10,10","objects":[{"name":"7","pos":"1,1"}],"edges":[]})"})
    EXPECT_FALSE(dot_answer(json, {QSizeF(10, 10)}, {})) << json;
  EXPECT_TRUE(
      dot_answer(R"({"bb":"0,0,10,10","objects":[{"name":"0","pos":"5,5"}],"edges":[]})", {QSizeF(10, 10)}, {}));
  EXPECT_FALSE(dot_answer(R"({"bb":"0,0,9,9","objects":[{"name":"0","pos":"5,5"},{"name":"1","pos":"5,9"}],
                             "edges":[{"id":"0","pos":"1,1 2,2"}]})",
                          {QSizeF(9, 9), QSizeF(9, 9)}, {{0, 1}}));
}

TEST(DotLayout, AMissingProgramIsNoError) {
  EXPECT_EQ(run_dot(QStringLiteral("no-such-program-here"), "digraph{}", 1000, {}).state, DotState::absent);
}

TEST(DotLayout, ASlowProgramIsKilledAtTheLimitOrWhenStopped) {
  QTemporaryDir folder;
  const QString slow = script(folder, "exec sleep 60\n");
  QElapsedTimer timer;
  timer.start();
  EXPECT_EQ(run_dot(slow, "digraph{}", 100, {}).state, DotState::too_slow);
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_EQ(run_dot(slow, "digraph{}", 60'000, stopped.get_token()).state, DotState::stopped);
  EXPECT_LT(timer.elapsed(), 10'000);
  EXPECT_EQ(run_dot(script(folder, "exit 3\n"), "digraph{}", 10'000, {}).state, DotState::failed);
}

TEST(NetworkDrawings, TheOwnLayoutIsThereAtOnceAndDotsFollows) {
  if (!dot_is_there()) GTEST_SKIP() << "no dot on this machine";
  QTemporaryDir folder;
  DotOptions options;
  options.limit_milliseconds = 30'000;
  options.folder = folder.filePath(QStringLiteral("layouts"));
  const auto network = test::residual_network();
  NetworkDrawings drawings(options);
  QSignalSpy improved(&drawings, &NetworkDrawings::improved);
  EXPECT_FALSE(drawings.get(network, NetworkDetail::blocks, {})->layout().curved);
  ASSERT_TRUE(test::wait_until([&] { return !improved.isEmpty(); }));
  EXPECT_FALSE(drawings.waiting());
  const auto better = drawings.get(network, NetworkDetail::blocks, {});
  EXPECT_TRUE(better->layout().curved);
  EXPECT_EQ(drawings.get(network, NetworkDetail::blocks, {}), better);
  // Another detail and back: known by now.
  drawings.get(network, NetworkDetail::operators, {});
  EXPECT_TRUE(drawings.get(network, NetworkDetail::blocks, {})->layout().curved);
  // From one start to the next: no dot is needed.
  EXPECT_GE(QDir(options.folder).entryList({"*.json"}).size(), 1);
  options.program = QStringLiteral("no-such-program-here");
  NetworkDrawings later(options);
  QSignalSpy found(&later, &NetworkDrawings::improved);
  later.get(network, NetworkDetail::blocks, {});
  ASSERT_TRUE(test::wait_until([&] { return !found.isEmpty(); }));
  EXPECT_EQ(later.get(network, NetworkDetail::blocks, {})->layout().boxes, better->layout().boxes);
}

TEST(NetworkDrawings, WithoutDotOrForLargeGraphsTheOwnLayoutStays) {
  DotOptions options;
  options.most_boxes = 2;
  NetworkDrawings large(options);
  EXPECT_FALSE(large.get(test::residual_network(), NetworkDetail::blocks, {})->layout().curved);
  EXPECT_FALSE(large.waiting());
  options = {};
  options.program = QStringLiteral("no-such-program-here");
  NetworkDrawings absent(options);
  absent.get(test::residual_network(), NetworkDetail::blocks, {});
  ASSERT_TRUE(test::wait_until([&] { return !absent.waiting(); }));
  EXPECT_FALSE(absent.get(test::residual_network(), NetworkDetail::blocks, {})->layout().curved);
}

TEST(NetworkDrawings, ClosingKillsASlowDot) {
  QTemporaryDir folder;
  DotOptions options;
  options.program = script(folder, "exec sleep 60\n");
  options.limit_milliseconds = 60'000;
  QElapsedTimer timer;
  timer.start();
  {
    NetworkDrawings drawings(options);
    drawings.get(test::residual_network(), NetworkDetail::blocks, {});
  }
  EXPECT_LT(timer.elapsed(), 5000);
}

TEST(NetworkDrawings, AnotherLayoutKeepsTheSelectedBoxAtItsPlaceOnTheScreen) {
  const QRectF area(0, 0, 700, 500);
  Snapshot snapshot;
  snapshot.network = test::long_network(60);
  const auto drawing = std::make_shared<const NetworkDrawing>(snapshot.network, NetworkDetail::operators);
  LayeredLayout moved = drawing->layout();
  for (QRectF& box : moved.boxes) box.translate(900, 700);
  for (auto& route : moved.routes)
    for (QPointF& point : route) point += QPointF(900, 700);
  moved.size += QSizeF(1800, 1400);
  const auto other = std::make_shared<const NetworkDrawing>(*drawing, moved);
  const auto before = make_network_graph_canvas(snapshot, drawing), after = make_network_graph_canvas(snapshot, other);
  const artifact::Ref chosen{40};
  before->select(chosen);
  after->select(chosen);
  before->set_viewport({false, 1, before->place_of(chosen)->center() - QPointF(200, 250)});
  EXPECT_EQ(before->subject(), after->subject());
  after->set_viewport(after->viewport_after(*before, area));
  const auto pixel = [&](const CanvasPainter& painter) {
    return place(painter.geometry(area), painter.viewport()).pixel(painter.place_of(chosen)->center());
  };
  EXPECT_LT((pixel(*before) - pixel(*after)).manhattanLength(), 1);
}

}  // namespace
}  // namespace convscope::ui
