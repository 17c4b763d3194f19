#include <cmath>

#include "core/reference/operators/space.h"

namespace convscope::reference {
namespace {

struct Plane {
  const double* values;
  std::int64_t height, width;

  double at(std::int64_t y, std::int64_t x) const {
    return y < 0 || x < 0 || y >= height || x >= width ? 0 : values[y * width + x];
  }
  /// Between four pixels; zero outside.
  double between(double y, double x) const {
    if (!(y > -1 && x > -1 && y < static_cast<double>(height) && x < static_cast<double>(width))) return 0;
    const auto top = static_cast<std::int64_t>(std::floor(y)), left = static_cast<std::int64_t>(std::floor(x));
    const double down = y - std::floor(y), right = x - std::floor(x);
    return (1 - down) * ((1 - right) * at(top, left) + right * at(top, left + 1)) +
           down * ((1 - right) * at(top + 1, left) + right * at(top + 1, left + 1));
  }
};

/// Inputs: X, W, offsets [N, groups * taps * (y, x), oh, ow], bias, mask [N, groups * taps, oh, ow].
bool run_deform_conv(Call& call) {
  const FloatTensor &data = call.in(0), &weights = call.in(1), &offsets = call.in(2);
  const FloatTensor *bias = call.input(3), *mask = call.input(4);
  if (data.dimensions.size() != 4 || weights.dimensions.size() != 4)
    return call.fail("the reference knows images only");
  const std::int64_t groups = call.attributes().integer("group", 1);
  const std::int64_t offset_groups = call.attributes().integer("offset_group", 1);
  const auto kernel = kernel_of(call, {weights.dimensions.begin() + 2, weights.dimensions.end()}, data.dimensions);
  if (!kernel) return false;
  FloatTensor& out = call.out();
  const std::int64_t channels = data.dimensions[1], maps = weights.dimensions[0], taken = weights.dimensions[1];
  const std::int64_t taps = kernel->size[1] * kernel->size[2];
  const std::int64_t rows = out.dimensions[2], columns = out.dimensions[3], pixels = rows * columns;
  const std::int64_t offset_maps = network::saturating_multiply(offset_groups, taps);
  const bool good = groups >= 1 && offset_groups >= 1 && maps % groups == 0 && channels == taken * groups &&
                    channels % offset_groups == 0 &&
                    offsets.dimensions ==
                        Dimensions{data.dimensions[0], network::saturating_multiply(2, offset_maps), rows, columns} &&
                    (!mask || mask->dimensions == Dimensions{data.dimensions[0], offset_maps, rows, columns}) &&
                    (!bias || static_cast<std::int64_t>(bias->values.size()) == maps);
  if (!good) return call.fail("its weights, offsets, bias or mask don't fit its input");
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(out.values.size()); ++i) {
    const std::int64_t n = i / (maps * pixels), m = i / pixels % maps, pixel = i % pixels;
    double sum = bias ? bias->values[as_size(m)] : 0;
    for (std::int64_t c = 0; c < taken; ++c) {
      const std::int64_t channel = m / (maps / groups) * taken + c;
      const std::int64_t group = channel / (channels / offset_groups);
      const Plane plane{data.values.data() + (n * channels + channel) * data.dimensions[2] * data.dimensions[3],
                        data.dimensions[2], data.dimensions[3]};
      for (std::int64_t tap = 0; tap < taps; ++tap) {
        const std::int64_t map = n * offset_maps + group * taps + tap;
        const double dy = offsets.values[as_size(2 * map * pixels + pixel)];
        const double dx = offsets.values[as_size((2 * map + 1) * pixels + pixel)];
        const std::int64_t ky = tap / kernel->size[2], kx = tap % kernel->size[2];
        const std::int64_t y = pixel / columns * kernel->stride[1] + ky * kernel->dilation[1] - kernel->begin[1];
        const std::int64_t x = pixel % columns * kernel->stride[2] + kx * kernel->dilation[2] - kernel->begin[2];
        const double part = mask ? mask->values[as_size(map * pixels + pixel)] : 1;
        sum += weights.values[as_size((m * taken + c) * taps + tap)] * part *
               plane.between(static_cast<double>(y) + dy, static_cast<double>(x) + dx);
      }
    }
    out.values[as_size(i)] = sum;
  }
  return true;
}

}  // namespace

void add_deformed_convolution(OperatorTable& table) {
  table["DeformConv"] = {run_deform_conv, 3};
}

}  // namespace convscope::reference
