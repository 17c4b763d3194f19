// Pictures of tilings: both themes, hits, readings, edges, and huge plans.

#include "ui/views/layer/tiling/tiling_painter.h"

#include <QElapsedTimer>

#include <gtest/gtest.h>

#include "tiling_layers.h"
#include "ui/parts/canvas/message_painter.h"
#include "views_fixture.h"

namespace convscope::ui {
namespace {

using artifact::TileTensor;

const QRectF tiling_area(0, 0, 1240, 800);

std::unique_ptr<TilingPainter> painter_of(const Snapshot& snapshot, bool compare = false) {
  auto canvas = make_tiling_canvas(snapshot, {}, compare);
  auto* painter = dynamic_cast<TilingPainter*>(canvas.get());
  if (painter) canvas.release();
  return std::unique_ptr<TilingPainter>(painter);
}

std::unique_ptr<TilingPainter> painter_of(std::shared_ptr<const artifact::TilePlan> plan) {
  TilingScene::Content content;
  content.plan = std::move(plan);
  content.subject.layer = 0;
  return std::make_unique<TilingPainter>(std::make_shared<const TilingScene>(std::move(content)));
}

TEST(TilingPainter, RealLayersInBothThemes) {
  const auto painter = painter_of(test::nmp_snapshot("squeezenet_1_0", 0), true);
  ASSERT_NE(painter, nullptr);
  const QSize size = painter->preferred_size().toSize();
  const QImage light = test::painted(*painter, size, light_theme()), dark = test::painted(*painter, size, dark_theme());
  EXPECT_GT(test::drawn_pixels(light), 50000);
  EXPECT_GT(test::drawn_pixels(dark), 50000);
  EXPECT_NE(light, dark);
}

TEST(TilingPainter, EveryStepIsAnotherPicture) {
  const auto painter = painter_of(test::made_up_plan());
  const QImage first = test::painted(*painter, QSize(1240, 800), light_theme());
  painter->set_step(3);
  EXPECT_NE(test::painted(*painter, QSize(1240, 800), light_theme()), first);
  painter->set_step(1000);
  EXPECT_EQ(painter->step(), 5);
  painter->set_step(-4);
  EXPECT_EQ(test::painted(*painter, QSize(1240, 800), light_theme()), first);
}

TEST(TilingPainter, AClickOnATileGoesToItsStep) {
  const auto painter = painter_of(test::made_up_plan());
  const QRectF front = painter->front_of(TileTensor::output, tiling_area);
  const QPointF last = front.bottomRight() - QPointF(3, 3);
  const auto hit = painter->hit(last, tiling_area);
  ASSERT_TRUE(hit);
  EXPECT_EQ(painter->scene().plan().step_of(hit->operation, hit->iteration), 5);
  EXPECT_TRUE(painter->reading(last, tiling_area).contains("not in use"));
  painter->select(*hit);
  EXPECT_EQ(painter->step(), 5);
  EXPECT_TRUE(painter->reading(last, tiling_area).contains("worker 0"));
  EXPECT_FALSE(painter->hit(QPointF(3, 3), tiling_area));
}

TEST(TilingPainter, EdgesOfOutCanBeDraggedWhereSizesHaveNames) {
  const auto painter = painter_of(test::nmp_snapshot("lenet", 0));
  ASSERT_NE(painter, nullptr);
  const auto& size = painter->scene().plan().tensor(TileTensor::output).size;
  const QRectF front = painter->front_of(TileTensor::output, tiling_area);
  const artifact::TileBox box = painter->shown_step().work.front().output;
  const QPointF corner(front.left() + front.width() * static_cast<double>(box.size[2]) / static_cast<double>(size[2]),
                       front.top() + front.height() * static_cast<double>(box.size[1]) / static_cast<double>(size[1]));
  const auto edge = painter->edge_at(corner, tiling_area);
  ASSERT_TRUE(edge);
  EXPECT_TRUE(edge->rows && edge->columns);
  EXPECT_EQ(painter->dragged_size(*edge, corner, tiling_area), std::pair(box.size[1], box.size[2]));
  EXPECT_EQ(painter->dragged_size(*edge, front.topLeft() - QPointF(50, 50), tiling_area),
            std::pair(std::int64_t{1}, std::int64_t{1}));
  // A plan without names for its sizes has edges that can't be dragged.
  EXPECT_FALSE(painter_of(test::made_up_plan())
                   ->edge_at(painter->front_of(TileTensor::output, tiling_area).center(), tiling_area));
}

TEST(TilingPainter, HugePlansCostNoMoreThanSmallOnes) {
  QElapsedTimer timer;
  timer.start();
  const auto painter = painter_of(test::made_up_plan(50'000'000));
  EXPECT_EQ(painter->scene().plan().steps(), 100'000'000);
  painter->set_step(77'777'777);
  const QImage image = test::painted(*painter, QSize(1240, 800), light_theme());
  EXPECT_GT(test::drawn_pixels(image), 20000);
  EXPECT_LT(timer.elapsed(), 2000);
}

TEST(TilingPainter, LayersWithoutAPlanAreMetWithWords) {
  Snapshot snapshot = test::nmp_snapshot("lenet", 0);
  auto run = std::make_shared<engine::CompiledNetwork>(*snapshot.compiled);
  run->layers[0] = std::make_shared<test::MadeUpLayer>("MB0 is too small");
  snapshot.compiled = run;
  const auto canvas = make_tiling_canvas(snapshot, {}, true);
  const auto* message = dynamic_cast<const MessagePainter*>(canvas.get());
  ASSERT_NE(message, nullptr);
  EXPECT_TRUE(message->message().contains("MB0 is too small"));
}

TEST(TilingPainter, BoundsAreSaidWhereTheyAreKnown) {
  TilingScene::Content content;
  content.plan = test::made_up_plan();
  const auto size_with = [&content] {
    return TilingPainter(std::make_shared<const TilingScene>(content)).preferred_size().height();
  };
  const double without = size_with();
  auto explanation = std::make_shared<artifact::Explanation>();
  explanation->summary = "The memory binds: it takes 80 % of the time.";
  explanation->bounds.push_back({{"DRAM", 100, true}, {1e-6, "s", Origin::derived}, "Every byte once."});
  content.explanation = explanation;
  EXPECT_GT(size_with(), without + 40);
}

TEST(TilingPainter, ChoicesShowOtherTilings) {
  const Snapshot snapshot = test::nmp_snapshot("squeezenet_1_0", 0);
  const auto tools = snapshot.compiled->layers[0]->tiling_tools();
  ASSERT_NE(tools, nullptr);
  for (const std::string& strategy : tools->strategies()) {
    const target::Alternative best = tools->best(strategy, {});
    const TilingChoice choice{TilingChoice::Kind::best_of_strategy, 0, strategy, {}};
    const auto canvas = make_tiling_canvas(snapshot, choice, false);
    const auto* painter = dynamic_cast<const TilingPainter*>(canvas.get());
    ASSERT_NE(painter, nullptr);
    const std::string expected = best.plan ? best.plan->title() : snapshot.compiled->layers[0]->tile_plan()->title();
    EXPECT_EQ(painter->scene().plan().title(), expected);
  }
  TilingChoice foreign{TilingChoice::Kind::best_of_strategy, 3, tools->strategies().back(), {}};
  const auto canvas = make_tiling_canvas(snapshot, foreign, false);
  EXPECT_EQ(dynamic_cast<const TilingPainter&>(*canvas).scene().plan().title(),
            snapshot.compiled->layers[0]->tile_plan()->title());
}

}  // namespace
}  // namespace convscope::ui
