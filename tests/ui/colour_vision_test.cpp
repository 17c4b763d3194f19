// Colours that mean different things stay apart for every kind of colour vision, in both themes.

#include "tests/ui/colour_vision.h"

#include <gtest/gtest.h>

#include "ui/theme/theme.h"

namespace convscope::ui::test {
namespace {

constexpr double least_difference = 15;

struct Case {
  const Theme* theme;
  Vision vision;
};

class ColourVision : public testing::TestWithParam<Case> {
 protected:
  void expect_apart(const std::vector<QColor>& colours) {
    for (std::size_t a = 0; a < colours.size(); ++a) {
      for (std::size_t b = a + 1; b < colours.size(); ++b) {
        EXPECT_GE(seen_difference(colours[a], colours[b], GetParam().vision), least_difference)
            << colours[a].name().toStdString() << " and " << colours[b].name().toStdString();
      }
    }
  }
  const Theme& theme() const { return *GetParam().theme; }
};

TEST_P(ColourVision, KindsOfOperationStayApart) {
  std::vector<QColor> colours{theme().idle};
  for (const auto kind : artifact::operation_classes) colours.push_back(theme().colour(kind));
  expect_apart(colours);
}

TEST_P(ColourVision, SeriesStayApart) {
  expect_apart({std::begin(theme().series), std::end(theme().series)});
}

TEST_P(ColourVision, BetterAndWorseStayApart) {
  expect_apart({theme().better, theme().worse, theme().baseline});
}

TEST_P(ColourVision, SeveritiesStayApart) {
  expect_apart({theme().error, theme().warning, theme().note});
}

std::vector<Case> cases() {
  std::vector<Case> result;
  for (const Theme* theme : {&light_theme(), &dark_theme()}) {
    for (const Vision vision : {Vision::normal, Vision::protanopia, Vision::deuteranopia, Vision::tritanopia}) {
      result.push_back({theme, vision});
    }
  }
  return result;
}

std::string name_of(const testing::TestParamInfo<Case>& each) {
  constexpr const char* names[] = {"normal", "protanopia", "deuteranopia", "tritanopia"};
  return each.param.theme->name.toStdString() + "_" + names[static_cast<int>(each.param.vision)];
}

INSTANTIATE_TEST_SUITE_P(All, ColourVision, testing::ValuesIn(cases()), name_of);

TEST(SeenDifference, IsThatOfTheDefinition) {
  // Black and white differ by their lightness alone: 100.
  EXPECT_NEAR(seen_difference(Qt::black, Qt::white, Vision::normal), 100, 0.01);
  EXPECT_NEAR(seen_difference(Qt::black, Qt::white, Vision::deuteranopia), 100, 0.1);
  // Red and green of equal lightness nearly vanish without one of the two kinds of cone.
  const QColor red(0xb0, 0x40, 0x20), green(0x60, 0x70, 0x10);
  EXPECT_LT(seen_difference(red, green, Vision::deuteranopia), 0.5 * seen_difference(red, green, Vision::normal));
}

}  // namespace
}  // namespace convscope::ui::test
