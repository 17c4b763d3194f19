#include "ui/theme/theme.h"

#include <QtMath>
#include <initializer_list>
#include <utility>

#include "ui/theme/contrast.h"

namespace convscope::ui {
namespace {

// Okabe, M. and Ito, K.: "Color Universal Design", 2008.
namespace okabe_ito {
constexpr QRgb orange = 0xffe69f00;
constexpr QRgb sky_blue = 0xff56b4e9;
constexpr QRgb bluish_green = 0xff009e73;
constexpr QRgb yellow = 0xfff0e442;
constexpr QRgb blue = 0xff0072b2;
constexpr QRgb vermilion = 0xffd55e00;
constexpr QRgb reddish_purple = 0xffcc79a7;
}  // namespace okabe_ito

/// The pair that stays farthest from those and from both themes' idle grey, whatever one's eyes see.
namespace beyond_okabe_ito {
constexpr QRgb brown = 0xff6c2400;
constexpr QRgb violet = 0xff9048fc;
}  // namespace beyond_okabe_ito

constexpr int label_pixels = 12;
constexpr int data_pixels = 12;

QFont font(const QStringList& families, int pixels, double scale) {
  QFont result;
  result.setFamilies(families);
  result.setPixelSize(qMax(1, qRound(pixels * scale)));
  // Hinting depends on the platform; pictures must not.
  result.setHintingPreference(QFont::PreferNoHinting);
  return result;
}

void set_operations(Theme& theme) {
  theme.read = QColor(okabe_ito::sky_blue);
  theme.write = QColor(okabe_ito::blue);
  theme.coefficients = QColor(okabe_ito::orange);
  theme.pixels = QColor(okabe_ito::yellow);
  theme.multiply_accumulate = QColor(okabe_ito::bluish_green);
  theme.activation = QColor(okabe_ito::vermilion);
  theme.transfer = QColor(beyond_okabe_ito::brown);
  theme.control = QColor(beyond_okabe_ito::violet);
  theme.other = QColor(okabe_ito::reddish_purple);
}

void set_series(Theme& theme, QRgb last) {
  const QRgb colours[series_colours] = {
      okabe_ito::blue,         okabe_ito::orange,         okabe_ito::bluish_green, okabe_ito::vermilion,
      okabe_ito::sky_blue,     okabe_ito::reddish_purple, okabe_ito::yellow,       last,
      beyond_okabe_ito::brown, beyond_okabe_ito::violet};
  for (int index = 0; index < series_colours; ++index) theme.series[index] = QColor(colours[index]);
}

Theme make_light() {
  Theme theme;
  theme.name = QStringLiteral("light");
  theme.background = QColor(0xff, 0xff, 0xff);
  theme.surface = QColor(0xf3, 0xf4, 0xf6);
  theme.raised = QColor(0xe6, 0xe8, 0xec);
  theme.text = QColor(0x1b, 0x1f, 0x24);
  theme.muted_text = QColor(0x55, 0x5e, 0x68);
  theme.grid = QColor(0xdd, 0xe1, 0xe6);
  theme.border = QColor(0xb4, 0xbb, 0xc4);
  theme.selection = QColor(0x0b, 0x5c, 0xad);
  theme.selection_text = QColor(0xff, 0xff, 0xff);
  theme.link = QColor(0x0b, 0x5c, 0xad);
  set_operations(theme);
  theme.idle = QColor(0xe3, 0xe6, 0xea);
  theme.baseline = QColor(0x8a, 0x92, 0x9c);
  theme.better = QColor(0x00, 0x5f, 0x99);
  theme.worse = QColor(0x8f, 0x4f, 0x00);
  theme.warning = QColor(0x80, 0x52, 0x00);
  theme.error = QColor(0xa3, 0x12, 0x3f);
  theme.note = QColor(0x0b, 0x5c, 0xad);
  set_series(theme, 0xff4d5661);
  return theme;
}

Theme make_dark() {
  Theme theme;
  theme.name = QStringLiteral("dark");
  theme.dark = true;
  theme.background = QColor(0x16, 0x19, 0x1d);
  theme.surface = QColor(0x20, 0x24, 0x29);
  theme.raised = QColor(0x2d, 0x32, 0x39);
  theme.text = QColor(0xe8, 0xea, 0xed);
  theme.muted_text = QColor(0xa9, 0xb1, 0xbb);
  theme.grid = QColor(0x30, 0x36, 0x3d);
  theme.border = QColor(0x4b, 0x53, 0x5d);
  theme.selection = QColor(0x8a, 0xc7, 0xff);
  theme.selection_text = QColor(0x0c, 0x12, 0x18);
  theme.link = QColor(0x8a, 0xc7, 0xff);
  set_operations(theme);
  theme.idle = QColor(0x2e, 0x33, 0x3a);
  theme.baseline = QColor(0x8a, 0x92, 0x9c);
  theme.better = QColor(okabe_ito::sky_blue);
  theme.worse = QColor(okabe_ito::orange);
  theme.warning = QColor(0xf0, 0xc0, 0x40);
  theme.error = QColor(0xff, 0x96, 0x7a);
  theme.note = QColor(0x8a, 0xc7, 0xff);
  set_series(theme, 0xffc3cad3);
  return theme;
}

}  // namespace

QColor Theme::colour(artifact::OperationClass kind) const {
  switch (kind) {
    case artifact::OperationClass::read:
      return read;
    case artifact::OperationClass::write:
      return write;
    case artifact::OperationClass::coefficients:
      return coefficients;
    case artifact::OperationClass::pixels:
      return pixels;
    case artifact::OperationClass::multiply_accumulate:
      return multiply_accumulate;
    case artifact::OperationClass::activation:
      return activation;
    case artifact::OperationClass::transfer:
      return transfer;
    case artifact::OperationClass::control:
      return control;
    case artifact::OperationClass::other:
      return other;
  }
  return other;
}

QColor Theme::text_on(const QColor& fill) const {
  // The better of black and white has a contrast of at least sqrt(21) = 4.58 on any fill.
  const QColor black(Qt::black), white(Qt::white);
  return contrast_ratio(black, fill) >= contrast_ratio(white, fill) ? black : white;
}

QFont Theme::data_font(double scale) const {
  return font({QStringLiteral("DejaVu Sans Mono"), QStringLiteral("monospace")}, data_pixels, scale);
}

QFont Theme::label_font(double scale) const {
  return font({QStringLiteral("DejaVu Sans"), QStringLiteral("sans-serif")}, label_pixels, scale);
}

Qt::PenStyle Theme::line_style(Origin origin) const {
  switch (origin) {
    case Origin::measured:
    case Origin::simulated:
    case Origin::derived:
      return Qt::SolidLine;
    case Origin::estimate:
      return Qt::DashLine;
    case Origin::published:
      return Qt::DotLine;
  }
  return Qt::SolidLine;
}

QPalette Theme::palette() const {
  QPalette result;
  const std::initializer_list<std::pair<QPalette::ColorRole, QColor>> roles = {
      {QPalette::Window, surface},
      {QPalette::WindowText, text},
      {QPalette::Base, background},
      {QPalette::AlternateBase, surface},
      {QPalette::ToolTipBase, raised},
      {QPalette::ToolTipText, text},
      {QPalette::PlaceholderText, muted_text},
      {QPalette::Text, text},
      {QPalette::Button, raised},
      {QPalette::ButtonText, text},
      {QPalette::BrightText, error},
      {QPalette::Highlight, selection},
      {QPalette::HighlightedText, selection_text},
      {QPalette::Link, link},
      {QPalette::LinkVisited, link},
      {QPalette::Light, raised.lighter(115)},
      {QPalette::Midlight, raised},
      {QPalette::Mid, border},
      {QPalette::Dark, border.darker(130)},
      {QPalette::Shadow, QColor(Qt::black)}};
  for (const auto& [role, colour] : roles) result.setColor(role, colour);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    result.setColor(QPalette::Disabled, role, muted_text);
  }
  return result;
}

const Theme& light_theme() {
  static const Theme theme = make_light();
  return theme;
}

const Theme& dark_theme() {
  static const Theme theme = make_dark();
  return theme;
}

const Theme& theme_by_name(const QString& name) {
  return name == dark_theme().name ? dark_theme() : light_theme();
}

}  // namespace convscope::ui
