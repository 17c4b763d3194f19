// Every view, in both themes, on two machines, against kept pictures. To keep new ones after looking at them:
//   CONVSCOPE_KEEP_IMAGES=1 build/dev/bin/test_ui --gtest_filter='*Image*'

#include <map>
#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/made_up_sweep.h"
#include "tests/ui/picture.h"
#include "tests/ui/session.h"
#include "ui/document/workbench.h"
#include "ui/window/view_list.h"
#include "views_fixture.h"

namespace convscope::ui::test {
namespace {

constexpr QSize image_size(760, 460);
// A picture drawn at twice the size and reduced is smoother, never something else.
constexpr double largest_scaled_mean = 8;

struct PictureCase {
  const char *name, *target, *network;
  int layer;
};

constexpr PictureCase cases[] = {{"nve", "nve", "speed_sign", 1}, {"nmp", "nmp", "squeezenet_1_0", 3}};

using Workbenches = std::map<std::string, std::unique_ptr<Workbench>>;

/// Compiled once for all tests; nothing changes it.
const Snapshot& snapshot_of(const PictureCase& each, Workbenches& workbenches) {
  auto& workbench = workbenches[each.name];
  if (!workbench) {
    workbench = std::make_unique<Workbench>(catalogue::standard());
    workbench->set_target(each.target);
    if (!open_and_wait(*workbench, sample(each.network), true)) throw std::runtime_error("not compiled");
    artifact::Ref ref;
    ref.layer = each.layer;
    workbench->select(ref);
  }
  return workbench->snapshot();
}

class ImageTest : public testing::TestWithParam<std::tuple<PictureCase, const Theme*>> {
 protected:
  // Gone before main() ends the jobs that they leave behind.
  static void TearDownTestSuite() { workbenches_.clear(); }
  const PictureCase& subject() const { return std::get<0>(GetParam()); }
  const Theme& theme() const { return *std::get<1>(GetParam()); }
  const Snapshot& snapshot() const { return snapshot_of(subject(), workbenches_); }

 private:
  inline static Workbenches workbenches_;
};

TEST_P(ImageTest, ViewsLookAsTheyDidWhenSomebodyLooked) {
  for (const ViewEntry& view : view_entries()) {
    const QImage drawn = picture_of(view, snapshot(), theme(), image_size);
    EXPECT_TRUE(looks_as_kept(drawn, QStringLiteral("%1-%2-%3").arg(subject().name, view.id, theme().name)));
  }
}

TEST_P(ImageTest, ScaledPicturesShowTheSame) {
  for (const ViewEntry& view : view_entries()) {
    const QImage plain = picture_of(view, snapshot(), theme(), image_size);
    for (const double scale : {1.5, 2.0}) {
      QImage scaled = picture_of(view, snapshot(), theme(), image_size, scale);
      scaled.setDevicePixelRatio(1);
      const QImage reduced = scaled.scaled(image_size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
      EXPECT_LE(difference(plain, reduced.convertToFormat(QImage::Format_RGB32)).mean, largest_scaled_mean)
          << view.id.toStdString() << " at " << scale;
    }
  }
}

TEST_P(ImageTest, EveryViewShowsSomethingInColoursOfItsTheme) {
  for (const ViewEntry& view : view_entries()) {
    const QImage drawn = picture_of(view, snapshot(), theme(), image_size);
    QImage empty(drawn.size(), QImage::Format_RGB32);
    empty.fill(theme().background);
    const Difference apart = difference(drawn, empty);
    EXPECT_GT(apart.changed, 0.001) << view.id.toStdString();
    EXPECT_LT(apart.changed, 0.9) << view.id.toStdString() << ": the ground is not the theme's";
  }
}

INSTANTIATE_TEST_SUITE_P(All, ImageTest,
                         testing::Combine(testing::ValuesIn(cases), testing::Values(&light_theme(), &dark_theme())),
                         [](const auto& each) {
                           return std::string(std::get<0>(each.param).name) + "_" +
                                  std::get<1>(each.param)->name.toStdString();
                         });

/// What the two machines above don't: a coprocessor's state.
class SnowflakeImageTest : public testing::TestWithParam<const Theme*> {};

TEST_P(SnowflakeImageTest, ItsStepperLooksAsItDidWhenSomebodyLooked) {
  Workbenches workbenches;
  const Snapshot& snapshot = snapshot_of({"snowflake", "snowflake", "lenet", 0}, workbenches);
  const QImage drawn = picture_of(*find_view("stepper"), snapshot, *GetParam(), image_size);
  EXPECT_TRUE(looks_as_kept(drawn, QStringLiteral("snowflake-stepper-%1").arg(GetParam()->name)));
}

INSTANTIATE_TEST_SUITE_P(Themes, SnowflakeImageTest, testing::Values(&light_theme(), &dark_theme()),
                         [](const auto& each) { return each.param->name.toStdString(); });

/// What no compiled network shows: a sweep, what helps most, and a quantization.
class ExplorationImageTest : public testing::TestWithParam<const Theme*> {};

TEST_P(ExplorationImageTest, LooksAsItDidWhenSomebodyLooked) {
  constexpr QSize wide(1000, 600);
  Snapshot snapshot = with_exploration(made_up_snapshot());
  const auto keep = [&](const char* view, const QString& name) {
    const QImage drawn = picture_of(*find_view(view), snapshot, *GetParam(), wide);
    EXPECT_TRUE(looks_as_kept(drawn, QStringLiteral("explore-%1-%2").arg(name, GetParam()->name)));
  };
  for (const char* view : {"sweep", "parallel", "helps", "quantization"}) keep(view, view);
  auto state = std::make_shared<ExplorationState>(*snapshot.exploration);
  state->look.colour = "level";
  state->look.size = "made.cores";
  state->look.logarithmic_x = state->look.logarithmic_y = true;
  state->look.brushes = {{"made.memory", {8192, 65536}}, {"level", {1, 1}}};
  state->look.chosen = {30, 300};
  state->look.parallel.order = {"seconds", "on_chip_bits"};
  state->look.parallel.logarithmic = {"seconds", "on_chip_bits", "made.memory"};
  snapshot.exploration = state;
  for (const char* view : {"sweep", "parallel"}) keep(view, QStringLiteral("brushed-%1").arg(view));
  state->sweep = made_up_sweep(100'000);
  for (const char* view : {"sweep", "parallel"}) keep(view, QStringLiteral("many-%1").arg(view));
}

INSTANTIATE_TEST_SUITE_P(Themes, ExplorationImageTest, testing::Values(&light_theme(), &dark_theme()),
                         [](const auto& each) { return each.param->name.toStdString(); });

TEST(PictureDifference, SeesWhatPeopleSee) {
  QImage white(10, 10, QImage::Format_RGB32);
  white.fill(Qt::white);
  QImage spot = white;
  spot.setPixelColor(3, 3, Qt::black);
  EXPECT_DOUBLE_EQ(difference(white, white).mean, 0);
  EXPECT_DOUBLE_EQ(difference(white, spot).changed, 0.01);
  EXPECT_DOUBLE_EQ(difference(white, spot).mean, 2.55);
}

}  // namespace
}  // namespace convscope::ui::test
