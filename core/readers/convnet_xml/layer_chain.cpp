#include "core/readers/convnet_xml/layer_chain.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

namespace convscope::readers {
namespace {

struct Axis {
  const char* pixels;
  Field LayerDescriptor::*out;
  Field LayerDescriptor::*kernel;
  Field LayerDescriptor::*subsampling;
  const char* out_name;
};

constexpr Axis axes[] = {
    {"rows", &LayerDescriptor::out_height, &LayerDescriptor::kernel_height, &LayerDescriptor::sub_height, "outHeight"},
    {"columns", &LayerDescriptor::out_width, &LayerDescriptor::kernel_width, &LayerDescriptor::sub_width, "outWidth"},
};

/// 0 if a field is wrong.
std::int64_t needed_pixels(const LayerDescriptor& layer, const Axis& axis) {
  const std::int64_t out = (layer.*axis.out).value;
  const std::int64_t kernel = (layer.*axis.kernel).value;
  const std::int64_t subsampling = (layer.*axis.subsampling).value;
  return out > 0 && kernel > 0 && subsampling > 0 ? (out - 1) * subsampling + kernel : 0;
}

void check_first(const LayerDescriptor& layer, const Axis& axis, Diagnostics& findings) {
  const std::int64_t needed = needed_pixels(layer, axis);
  if (needed <= dimension_cap) return;
  findings.error((layer.*axis.out).where, fmt::format("the layer needs an input of {} {}", needed, axis.pixels),
                 fmt::format("at most {}", dimension_cap));
}

void check_pair(const LayerDescriptor& before, const LayerDescriptor& layer, const Axis& axis, Diagnostics& findings) {
  const std::int64_t needed = needed_pixels(layer, axis);
  const std::int64_t given = (before.*axis.out).value;
  if (needed == 0 || given == 0 || needed <= given) return;
  const Field& out = layer.*axis.out;
  const std::string finding = fmt::format("{0} {1} of output need {2} {1} of input where layer '{3}' gives {4}",
                                          out.value, axis.pixels, needed, before.name, given);
  const std::int64_t slack = (layer.*axis.subsampling).value - 1;
  if (needed - given <= slack) {
    findings.note(out.where, finding + ": the rest is read as zeros");
  } else {
    findings.error(out.where, finding, fmt::format("at most {} more than there are (subsampling less one)", slack),
                   fmt::format("correct {} here or in layer '{}'", axis.out_name, before.name));
  }
}

network::Shape needed_shape(const LayerDescriptor& layer) {
  int maps = 0;
  for (const std::vector<int>& list : layer.inputs)
    for (const int input : list) maps = std::max(maps, input + 1);
  return {maps, {static_cast<int>(needed_pixels(layer, axes[0])), static_cast<int>(needed_pixels(layer, axes[1]))}};
}

// As network::Layer::macs, but noticing overflow.
bool multiply_accumulates(const network::Layer& layer, std::int64_t& result) {
  result = layer.connections();
  for (const int factor : {layer.kernel.height, layer.kernel.width, layer.out.size.height, layer.out.size.width})
    if (__builtin_mul_overflow(result, factor, &result)) return false;
  return true;
}

}  // namespace

void check_chain(const std::vector<LayerDescriptor>& layers, Diagnostics& findings) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    for (const Axis& axis : axes) {
      if (i == 0) {
        check_first(layers[i], axis, findings);
      } else {
        check_pair(layers[i - 1], layers[i], axis, findings);
      }
    }
  }
}

std::vector<network::Layer> connect(std::vector<LayerDescriptor> layers) {
  std::vector<network::Layer> result;
  for (LayerDescriptor& descriptor : layers) {
    network::Layer layer;
    layer.in = result.empty() ? needed_shape(descriptor) : result.back().out;
    layer.name = descriptor.name;
    layer.out = {descriptor.out_count.value, {descriptor.out_height.value, descriptor.out_width.value}};
    layer.kernel = {descriptor.kernel_height.value, descriptor.kernel_width.value};
    layer.stride = {descriptor.sub_height.value, descriptor.sub_width.value};
    layer.inputs = std::move(descriptor.inputs);
    layer.source_line = descriptor.where.line;
    result.push_back(std::move(layer));
  }
  return result;
}

void check_work(const std::vector<network::Layer>& layers, const std::string& file, Diagnostics& findings) {
  std::int64_t total = 0;
  for (const network::Layer& layer : layers) {
    std::int64_t macs = 0;
    if (multiply_accumulates(layer, macs) && !__builtin_add_overflow(total, macs, &total)) continue;
    findings.error({file, layer.source_line, fmt::format("layer '{}'", layer.name)}, "too many multiply-accumulates",
                   "fewer than 2^63 in the whole network");
    return;
  }
}

}  // namespace convscope::readers
