#include "ui/theme/theme.h"

#include <gtest/gtest.h>

#include "ui/theme/contrast.h"

namespace convscope::ui {
namespace {

constexpr double least_text_contrast = 4.5;

class ThemeTest : public testing::TestWithParam<const Theme*> {};

TEST_P(ThemeTest, TextIsLegibleOnEveryGround) {
  const Theme& theme = *GetParam();
  for (const QColor& ground : {theme.background, theme.surface, theme.raised}) {
    for (const QColor& text : {theme.text, theme.muted_text, theme.link, theme.better, theme.worse, theme.warning,
                               theme.error, theme.note}) {
      EXPECT_GE(contrast_ratio(text, ground), least_text_contrast)
          << text.name().toStdString() << " on " << ground.name().toStdString();
    }
  }
  EXPECT_GE(contrast_ratio(theme.selection_text, theme.selection), least_text_contrast);
}

TEST_P(ThemeTest, TextIsLegibleOnEveryKindOfOperationAndSeries) {
  const Theme& theme = *GetParam();
  for (const auto kind : artifact::operation_classes) {
    const QColor fill = theme.colour(kind);
    EXPECT_GE(contrast_ratio(theme.text_on(fill), fill), least_text_contrast) << fill.name().toStdString();
  }
  for (const QColor& fill : theme.series) EXPECT_GE(contrast_ratio(theme.text_on(fill), fill), least_text_contrast);
  EXPECT_GE(contrast_ratio(theme.text_on(theme.idle), theme.idle), least_text_contrast);
}

TEST_P(ThemeTest, PaletteCarriesTheTheme) {
  const Theme& theme = *GetParam();
  const QPalette palette = theme.palette();
  EXPECT_EQ(palette.color(QPalette::Window), theme.surface);
  EXPECT_EQ(palette.color(QPalette::Base), theme.background);
  for (const auto group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled}) {
    EXPECT_GE(contrast_ratio(palette.color(group, QPalette::ButtonText), palette.color(group, QPalette::Button)),
              least_text_contrast);
    EXPECT_GE(contrast_ratio(palette.color(group, QPalette::Text), palette.color(group, QPalette::Base)),
              least_text_contrast);
  }
}

TEST_P(ThemeTest, OriginsDifferByLineStyle) {
  const Theme& theme = *GetParam();
  EXPECT_EQ(theme.line_style(Origin::simulated), theme.line_style(Origin::derived));
  EXPECT_NE(theme.line_style(Origin::derived), theme.line_style(Origin::estimate));
  EXPECT_NE(theme.line_style(Origin::estimate), theme.line_style(Origin::published));
}

INSTANTIATE_TEST_SUITE_P(Both, ThemeTest, testing::Values(&light_theme(), &dark_theme()),
                         [](const auto& each) { return each.param->name.toStdString(); });

TEST(Contrast, IsThatOfTheGuidelines) {
  EXPECT_DOUBLE_EQ(contrast_ratio(Qt::black, Qt::white), 21);
  EXPECT_DOUBLE_EQ(contrast_ratio(Qt::white, Qt::black), 21);
  EXPECT_NEAR(contrast_ratio(QColor(0x77, 0x77, 0x77), Qt::white), 4.48, 0.01);
}

TEST(Theme, IsFoundByName) {
  EXPECT_EQ(&theme_by_name("dark"), &dark_theme());
  EXPECT_EQ(&theme_by_name("light"), &light_theme());
  EXPECT_EQ(&theme_by_name("no such theme"), &light_theme());
}

}  // namespace
}  // namespace convscope::ui
