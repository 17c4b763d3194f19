#include <algorithm>
#include <cmath>

#include "core/reference/operators/call.h"

namespace convscope::reference {
namespace {

struct Resampling {
  std::string mode, transformation, nearest;
};

/// Upsample and the first Resize (opset 10) knew one transformation and one rounding.
Resampling resampling_of(const Call& call) {
  const network::Attributes& attributes = call.attributes();
  const bool old = call.node.operator_name == "Upsample" || call.inputs.size() <= 2;
  return {attributes.text("mode", "nearest"),
          attributes.text("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel"),
          attributes.text("nearest_mode", old ? "floor" : "round_prefer_floor")};
}

/// Where output `o` lies in the input (ONNX Resize, coordinate_transformation_mode).
double coordinate(const std::string& transformation, double o, double in, double out, double scale) {
  if (transformation == "asymmetric") return o / scale;
  if (transformation == "align_corners") return out > 1 ? o * (in - 1) / (out - 1) : 0;
  if (transformation == "pytorch_half_pixel" && out <= 1) return 0;
  const double half_pixel = (o + 0.5) / scale - 0.5;
  if (transformation != "half_pixel_symmetric") return half_pixel;
  return half_pixel + in / 2 * (1 - out / (scale * in));
}

double nearest_pixel(const std::string& rounding, double x) {
  if (rounding == "floor") return std::floor(x);
  if (rounding == "ceil") return std::ceil(x);
  if (rounding == "round_prefer_ceil") return std::floor(x + 0.5);
  return std::ceil(x - 0.5);  // round_prefer_floor
}

/// One axis of the input, resized.
FloatTensor resize_axis(const FloatTensor& in, std::size_t axis, std::int64_t size, double scale,
                        const Resampling& how) {
  const AxisView view = along(in.dimensions, axis);
  FloatTensor out{in.type, in.dimensions, {}};
  out.dimensions[axis] = size;
  out.values.resize(as_size(count_of(out.dimensions)));
  const auto last = static_cast<double>(view.size - 1);
  for (std::int64_t i = 0; i < size; ++i) {
    double x = coordinate(how.transformation, static_cast<double>(i), static_cast<double>(view.size),
                          static_cast<double>(size), scale);
    if (std::isnan(x)) x = 0;
    const double chosen = std::clamp(how.mode == "nearest" ? nearest_pixel(how.nearest, x) : x, 0.0, last);
    const auto first = static_cast<std::int64_t>(std::floor(chosen));
    const std::int64_t second = std::min(first + 1, view.size - 1);
    const double part = chosen - std::floor(chosen);
    for (std::int64_t o = 0; o < view.outer; ++o) {
      for (std::int64_t n = 0; n < view.inner; ++n) {
        const auto at = [&](std::int64_t k) { return in.values[as_size((o * view.size + k) * view.inner + n)]; };
        out.values[as_size((o * size + i) * view.inner + n)] =
            part == 0 ? at(first) : (1 - part) * at(first) + part * at(second);
      }
    }
  }
  return out;
}

/// Scales that are stated, by axis; where none are, they follow from the sizes.
std::vector<double> resize_scales(const Call& call) {
  const std::size_t rank = call.in().dimensions.size();
  const Dimensions axes = call.attributes().integers("axes");
  std::vector<double> stated = call.attributes().reals("scales");
  const FloatTensor* sizes = call.input(3);
  const FloatTensor* scales = call.input(call.inputs.size() <= 2 ? 1 : 2);
  if (stated.empty() && scales && !(sizes && !sizes->values.empty())) stated = scales->values;
  if (stated.empty() || axes.empty()) return stated;
  if (axes.size() != stated.size()) return {};
  std::vector<double> all(rank, 1);
  for (std::size_t i = 0; i < stated.size(); ++i) {
    if (const auto axis = network::normal_axis(axes[i], rank)) all[*axis] = stated[i];
  }
  return all;
}

bool run_resize(Call& call) {
  const Resampling how = resampling_of(call);
  if (how.mode != "nearest" && how.mode != "linear" && how.mode != "bilinear")
    return call.fail("the reference doesn't know its mode '" + how.mode + "'");
  if (how.transformation == "tf_crop_and_resize" || call.attributes().integer("antialias", 0) != 0)
    return call.fail("the reference neither crops nor smooths while it resizes");
  const Dimensions in = call.in().dimensions, out = call.out().dimensions;
  const std::vector<double> stated = resize_scales(call);
  FloatTensor current = call.in();
  for (std::size_t axis = 0; axis < in.size(); ++axis) {
    const double scale =
        axis < stated.size() ? stated[axis] : static_cast<double>(out[axis]) / static_cast<double>(in[axis]);
    if (!(scale > 0)) return call.fail("a scale that isn't positive");
    if (in[axis] == 0) return call.fail("resizes nothing");
    if (out[axis] != in[axis] || scale != 1) current = resize_axis(current, axis, out[axis], scale, how);
  }
  call.out().values = std::move(current.values);
  return true;
}

}  // namespace

void add_resizes(OperatorTable& table) {
  table["Resize"] = table["Upsample"] = {run_resize};
}

}  // namespace convscope::reference
