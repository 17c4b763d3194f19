#include "ui/document/exploration/wish_text.h"

#include <QJsonDocument>
#include <QJsonObject>

#include "core/quantization/format.h"

namespace convscope::ui {
namespace {

constexpr double largest_pixel_number = 1e6, least_scale = 0.001;  // as the view takes them
constexpr int most_inputs = 1000;

/// Takes a number that lies within both; NaN doesn't.
template <typename Number>
void take(const QJsonValue& value, double least, double most, Number& number) {
  const double found = value.toDouble(static_cast<double>(number));
  if (found >= least && found <= most) number = static_cast<Number>(found);
}

}  // namespace

std::string wish_text(const QuantizationWish& wish) {
  const QJsonObject json{{"bits", wish.bits},
                         {"percentile", wish.percentile},
                         {"per_filter", wish.per_filter},
                         {"mean", wish.images.pixels.mean},
                         {"scale", wish.images.pixels.scale},
                         {"inputs", wish.inputs}};
  return QJsonDocument(json).toJson(QJsonDocument::Compact).toStdString();
}

QuantizationWish read_wish(const std::string& text) {
  const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
  QuantizationWish wish;
  take(json["bits"], quantization::least_bits, quantization::most_bits, wish.bits);
  take(json["percentile"], 0, 100, wish.percentile);
  wish.per_filter = json["per_filter"].toBool();
  take(json["mean"], -largest_pixel_number, largest_pixel_number, wish.images.pixels.mean);
  take(json["scale"], least_scale, largest_pixel_number, wish.images.pixels.scale);
  take(json["inputs"], 1, most_inputs, wish.inputs);
  return wish;
}

}  // namespace convscope::ui
