#include "ui/views/network/quantization/quantization_scene.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/parts/drawing.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

using artifact::Quantization;
using artifact::QuantizedTensor;

constexpr std::size_t most_losses = 12, most_panels = 3;

QString title_of(const QuantizationRun& run) {
  const Quantization& result = *run.result;
  QStringList parts{to_text(run.network->name)};
  const bool own = std::any_of(result.tensors.begin(), result.tensors.end(),
                               [](const QuantizedTensor& tensor) { return tensor.own; });
  parts << (own ? QStringLiteral("scales of the file, others %1 bits").arg(result.bits)
                : QStringLiteral("%1 bits").arg(result.bits));
  parts << (result.percentile < 100 ? QStringLiteral("%1 % of all magnitudes held").arg(result.percentile)
                                    : QStringLiteral("all values held"));
  if (result.per_filter) parts << QStringLiteral("a point for each filter");
  if (!result.outputs.empty()) {
    const auto& noise = result.tensors[static_cast<std::size_t>(result.outputs.front())].noise;
    parts << QStringLiteral("output %1").arg(noise_text(noise.value_or(0)));
  }
  const QString inputs = run.wish.images.path.empty() ? QStringLiteral("made-up inputs") : QStringLiteral("images");
  parts << QStringLiteral("same answer %1 of %2 %3").arg(result.same_answer).arg(result.inputs).arg(inputs);
  return parts.join(QStringLiteral(" · "));
}

/// What is taken between the computed tensor before this one and this one: of a product, and of its clamp.
std::vector<int> constants_before(const QuantizationScene& scene, std::size_t point) {
  const auto& tensors = scene.run->result->tensors;
  const int last = scene.points[point], first = point == 0 ? 0 : scene.points[point - 1] + 1;
  std::vector<int> found;
  for (int i = first; i < last; ++i)
    if (tensors[static_cast<std::size_t>(i)].constant) found.push_back(i);
  return found;
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : std::string();
}

std::string magnitudes(const artifact::MagnitudeHistogram& values) {
  std::string text;
  for (std::size_t i = 0; i < values.positive.size(); ++i)
    text += fmt::format("{}{}:{}/{}", i == 0 ? "" : " ", values.first + static_cast<int>(i), values.positive[i],
                        values.negative[i]);
  return text;
}

}  // namespace

QString noise_text(double noise) {
  return noise > 0 ? QStringLiteral("%1 dB").arg(artifact::decibels(noise), 0, 'f', 1) : QStringLiteral("nothing lost");
}

QString QuantizationScene::layer_name(int index) const {
  const int at = tensor(index).layer;
  if (at < 0 || at >= static_cast<int>(run->network->layers.size())) return to_text(tensor(index).name);
  return to_text(run->network->layers[static_cast<std::size_t>(at)].name);
}

QString QuantizationScene::words(int index) const {
  const QuantizedTensor& each = tensor(index);
  QStringList lines{to_text(each.name)};
  if (each.layer >= 0) lines << QStringLiteral("layer %1").arg(layer_name(index));
  lines << QStringLiteral("%1, point from %2%3")
               .arg(to_text(each.format), each.own ? QStringLiteral("the file") : QStringLiteral("calibration"),
                    each.points > 1 ? QStringLiteral(", the least of %1").arg(each.points) : QString());
  lines << QStringLiteral("values %1 … %2").arg(each.least, 0, 'g', 4).arg(each.most, 0, 'g', 4);
  lines << QStringLiteral("%1 saturate, %2 are below half a step")
               .arg(percent_text(each.values.share_from(each.top())),
                    percent_text(each.values.share_below(-each.fraction - 1)));
  lines << QStringLiteral("rounded alone: %1").arg(noise_text(each.alone));
  if (each.noise) lines << QStringLiteral("everything rounded: %1").arg(noise_text(*each.noise));
  return lines.join('\n');
}

int QuantizationScene::neighbour(int by) const {
  for (int at = chosen + by; at >= 0 && at < static_cast<int>(points.size()); at += by) {
    const int to = tensor(points[static_cast<std::size_t>(at)]).layer;
    if (to >= 0 && to != layer) return to;
  }
  return -1;
}

std::string QuantizationScene::csv() const {
  std::string text =
      "tensor,layer,constant,point from,format,bits,fraction,points,least,most,values,zeros,saturated,below half a "
      "step,"
      "SQNR alone (dB),SQNR (dB),added noise over signal,magnitudes as exponent:positive/negative\n";
  for (std::size_t i = 0; i < run->result->tensors.size(); ++i) {
    const QuantizedTensor& each = run->result->tensors[i];
    const std::string layer_field = each.layer < 0 ? std::string() : layer_name(static_cast<int>(i)).toStdString();
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(each.name),
                        csv_field(layer_field), each.constant ? "yes" : "no", each.own ? "file" : "calibration",
                        each.format, each.bits, each.fraction, each.points, number(each.least), number(each.most),
                        each.values.count(), each.values.zeros, number(each.values.share_from(each.top())),
                        number(each.values.share_below(-each.fraction - 1)), number(artifact::decibels(each.alone)),
                        each.noise ? number(artifact::decibels(*each.noise)) : std::string(),
                        each.noise ? number(each.added) : std::string(), magnitudes(each.values));
  }
  return text;
}

QuantizationScene make_quantization_scene(std::shared_ptr<const QuantizationRun> run, int layer) {
  QuantizationScene scene;
  scene.run = std::move(run);
  scene.layer = layer;
  scene.title = title_of(*scene.run);
  const auto& tensors = scene.run->result->tensors;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (!tensors[i].constant) scene.points.push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < scene.points.size() && scene.chosen < 0; ++i)
    if (scene.tensor(scene.points[i]).layer >= layer) scene.chosen = static_cast<int>(i);
  for (const int point : scene.points)
    if (scene.tensor(point).added > 0) scene.losses.push_back(point);
  std::stable_sort(scene.losses.begin(), scene.losses.end(),
                   [&](int one, int other) { return scene.tensor(one).added > scene.tensor(other).added; });
  if (scene.losses.size() > most_losses) scene.losses.resize(most_losses);
  if (scene.chosen < 0) return scene;
  scene.panels = constants_before(scene, static_cast<std::size_t>(scene.chosen));
  if (scene.panels.size() + 1 > most_panels) scene.panels.resize(most_panels - 1);
  scene.panels.push_back(scene.points[static_cast<std::size_t>(scene.chosen)]);
  return scene;
}

}  // namespace convscope::ui
