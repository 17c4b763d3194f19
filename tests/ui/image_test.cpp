// Every view, in both themes, on two machines, against kept pictures. To keep new ones after looking at them:
//   CONVSCOPE_KEEP_IMAGES=1 build/dev/bin/test_ui --gtest_filter='*Image*'

#include <QDir>
#include <QFileInfo>
#include <map>
#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/ui/picture.h"
#include "tests/ui/session.h"
#include "ui/workbench.h"

namespace convscope::ui::test {
namespace {

constexpr QSize size(760, 460);
// Fonts are pinned and not hinted, but rasterizers of other versions may shade an edge differently.
constexpr double largest_mean = 1.5, largest_changed = 0.01;
// A picture drawn at twice the size and reduced is smoother, never something else.
constexpr double largest_scaled_mean = 8;

struct Case {
  const char *name, *target, *network;
  int layer;
};

constexpr Case cases[] = {{"nve", "nve", "speed_sign", 1}, {"nmp", "nmp", "squeezenet_1_0", 3}};

/// Compiled once for all tests; nothing changes it.
const Snapshot& snapshot_of(const Case& each) {
  static std::map<std::string, std::unique_ptr<Workbench>> workbenches;
  auto& workbench = workbenches[each.name];
  if (!workbench) {
    workbench = std::make_unique<Workbench>();
    workbench->set_target(each.target);
    if (!open_and_wait(*workbench, sample(each.network), true)) throw std::runtime_error("not compiled");
    artifact::Ref ref;
    ref.layer = each.layer;
    workbench->select(ref);
  }
  return workbench->snapshot();
}

QString kept_file(const Case& each, const ViewEntry& view, const Theme& theme) {
  return QStringLiteral(CONVSCOPE_SOURCE_DIR "/tests/ui/images/%1-%2-%3.png").arg(each.name, view.id, theme.name);
}

QString actual_file(const QString& kept) {
  QDir().mkpath(CONVSCOPE_BINARY_DIR "/images");
  return QStringLiteral(CONVSCOPE_BINARY_DIR "/images/") + QFileInfo(kept).fileName();
}

class ImageTest : public testing::TestWithParam<std::tuple<Case, const Theme*>> {
 protected:
  const Case& subject() const { return std::get<0>(GetParam()); }
  const Theme& theme() const { return *std::get<1>(GetParam()); }
};

TEST_P(ImageTest, ViewsLookAsTheyDidWhenSomebodyLooked) {
  for (const ViewEntry& view : view_entries()) {
    const QString file = kept_file(subject(), view, theme());
    const QImage drawn = picture_of(view, snapshot_of(subject()), theme(), size);
    if (qEnvironmentVariableIsSet("CONVSCOPE_KEEP_IMAGES")) {
      ASSERT_TRUE(drawn.save(file)) << file.toStdString();
      continue;
    }
    const QImage kept = QImage(file).convertToFormat(QImage::Format_RGB32);
    ASSERT_EQ(kept.size(), drawn.size()) << file.toStdString() << " is missing or has another size";
    const Difference apart = difference(drawn, kept);
    if (apart.mean <= largest_mean && apart.changed <= largest_changed) continue;
    drawn.save(actual_file(file));
    ADD_FAILURE() << view.id.toStdString() << ": mean difference " << apart.mean << ", " << 100 * apart.changed
                  << " % of the pixels; drawn now: " << actual_file(file).toStdString();
  }
}

TEST_P(ImageTest, ScaledPicturesShowTheSame) {
  for (const ViewEntry& view : view_entries()) {
    const QImage plain = picture_of(view, snapshot_of(subject()), theme(), size);
    for (const double scale : {1.5, 2.0}) {
      QImage scaled = picture_of(view, snapshot_of(subject()), theme(), size, scale);
      scaled.setDevicePixelRatio(1);
      const QImage reduced = scaled.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
      EXPECT_LE(difference(plain, reduced.convertToFormat(QImage::Format_RGB32)).mean, largest_scaled_mean)
          << view.id.toStdString() << " at " << scale;
    }
  }
}

TEST_P(ImageTest, EveryViewShowsSomethingInColoursOfItsTheme) {
  for (const ViewEntry& view : view_entries()) {
    const QImage drawn = picture_of(view, snapshot_of(subject()), theme(), size);
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
