#include "core/nmp/cost/convolution.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/key.h"

namespace convscope::nmp {

int Axis::before(int output) const {
  return repeat > 1 ? output % repeat : std::max(0, -first_input(output));
}

int Axis::needs(int first, int count) const {
  if (repeat > 1) return std::min((first + count - 1) / repeat + 1, in) - first / repeat;
  const int begin = first * stride - padding;
  const int end = (first + count - 1) * stride - padding + (kernel - 1) * dilation + 1;
  return std::max(0, std::min(end, in) - std::max(begin, 0));
}

int Axis::full_tile(int count) const {
  if (count >= out) return needs(0, out);
  if (repeat > 1) return std::min(needs(0, out), (count + repeat - 2) / repeat + 1);
  return std::min(needs(0, out), (count - 1) * stride + (kernel - 1) * dilation + 1);
}

std::int64_t Convolution::macs() const {
  return std::int64_t{rows.out} * columns.out * channels * units * maps_per_unit * taps() * repeats;
}

std::string Convolution::key() const {
  return KeyBuilder().add(*this).take();
}

std::optional<Convolution> convolution_of(const network::Layer& layer, std::string& reason) {
  if (const std::string why = layer.why_no_kernel(); !why.empty()) {
    reason = layer.macs_known()
                 ? why + "; NMP's search slices convolutions over rows and columns, and fully connected layers"
                 : why;
    return std::nullopt;
  }
  if (layer.kernel.height < 1 || layer.kernel.width < 1) {
    reason = fmt::format("NMP's search slices convolutions and fully connected layers, not {}", layer.operator_name);
    return std::nullopt;
  }
  if (layer.in.maps < 1 || layer.out.maps < 1 || layer.groups < 1 || layer.in.size.height < 1 ||
      layer.in.size.width < 1 || layer.out.size.height < 1 || layer.out.size.width < 1) {
    reason = "its shape is not known; stating the input size may help";
    return std::nullopt;
  }
  constexpr int largest_map = 1 << 14, largest_depth = 1 << 20;
  if (std::max({layer.in.size.height, layer.in.size.width, layer.out.size.height, layer.out.size.width}) >
          largest_map ||
      std::max(layer.in.maps, layer.out.maps) > largest_depth) {
    reason = fmt::format("it is too large to search: maps up to {} pixels high and wide and {} deep are", largest_map,
                         largest_depth);
    return std::nullopt;
  }
  if (layer.kernel.height > largest_map || layer.kernel.width > largest_map || layer.stride.height < 1 ||
      layer.stride.width < 1 || layer.dilation.height < 1 || layer.dilation.width < 1 ||
      std::int64_t{layer.dilation.height} * layer.kernel.height > largest_map ||
      std::int64_t{layer.dilation.width} * layer.kernel.width > largest_map ||
      std::int64_t{layer.stride.height} * layer.out.size.height > (1 << 28) ||
      std::int64_t{layer.stride.width} * layer.out.size.width > (1 << 28)) {
    reason = "its kernel, stride or dilation makes no sense for maps of this size";
    return std::nullopt;
  }
  Convolution c;
  c.rows = {layer.in.size.height, layer.out.size.height, layer.kernel.height,
            layer.stride.height,  layer.dilation.height, layer.padding.top};
  c.columns = {layer.in.size.width, layer.out.size.width, layer.kernel.width,
               layer.stride.width,  layer.dilation.width, layer.padding.left};
  const int groups = layer.dense ? layer.groups : 1;
  c.channels = layer.in.maps / groups;
  c.depthwise = groups > 1 && c.channels == 1;
  c.units = c.depthwise ? groups : layer.out.maps / groups;
  c.maps_per_unit = c.depthwise ? layer.out.maps / groups : 1;
  c.repeats = c.depthwise ? 1 : groups;
  if (!layer.dense) c.zero_macs = std::max<std::int64_t>(0, c.macs() - layer.macs());
  return c;
}

bool is_fully_connected(const Convolution& c) {
  const auto whole = [](const Axis& axis) { return axis.out == 1 && axis.in == axis.kernel && axis.padding == 0; };
  return c.multiplies() && !c.depthwise && whole(c.rows) && whole(c.columns);
}

}  // namespace convscope::nmp
