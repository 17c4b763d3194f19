#include "core/reference/operators/space.h"

#include <algorithm>

namespace convscope::reference {
namespace {

/// One input map through one kernel, added to one output map.
void convolve_map(const double* in, const double* weights, const Triple& in_size, const Triple& out_size,
                  const Kernel& kernel, double* out) {
  for (std::int64_t z = 0; z < kernel.size[0]; ++z) {
    const Reach planes = reach_of(kernel, 0, z, in_size[0], out_size[0]);
    for (std::int64_t y = 0; y < kernel.size[1]; ++y) {
      const Reach rows = reach_of(kernel, 1, y, in_size[1], out_size[1]);
      for (std::int64_t x = 0; x < kernel.size[2]; ++x) {
        const Reach pixels = reach_of(kernel, 2, x, in_size[2], out_size[2]);
        const double weight = *weights++;
        for (std::int64_t oz = planes.first; oz < planes.end; ++oz) {
          const std::int64_t iz = oz * kernel.stride[0] + z * kernel.dilation[0] - kernel.begin[0];
          for (std::int64_t oy = rows.first; oy < rows.end; ++oy) {
            const std::int64_t iy = oy * kernel.stride[1] + y * kernel.dilation[1] - kernel.begin[1];
            const double* in_row = in + (iz * in_size[1] + iy) * in_size[2] + x * kernel.dilation[2] - kernel.begin[2];
            double* out_row = out + (oz * out_size[1] + oy) * out_size[2];
            for (std::int64_t ox = pixels.first; ox < pixels.end; ++ox)
              out_row[ox] += weight * in_row[ox * kernel.stride[2]];
          }
        }
      }
    }
  }
}

}  // namespace

Triple space_of(const Dimensions& dimensions) {
  Triple space{1, 1, 1};
  const std::size_t rank = dimensions.size() - 2;
  std::copy(dimensions.begin() + 2, dimensions.end(), space.end() - static_cast<std::ptrdiff_t>(rank));
  return space;
}

std::optional<Kernel> kernel_of(Call& call, const Dimensions& weights_space, const Dimensions& data) {
  const std::size_t rank = data.size() < 2 ? 0 : data.size() - 2;
  if (rank < 1 || rank > 3) {
    call.fail("the reference knows one to three dimensions of space");
    return std::nullopt;
  }
  const auto window =
      network::window_of(call.attributes(), weights_space, {data.begin() + 2, data.end()}, call.problem);
  if (!window) return std::nullopt;
  Kernel kernel;
  const auto put = [rank](const Dimensions& from, Triple& to) {
    std::copy(from.begin(), from.end(), to.end() - static_cast<std::ptrdiff_t>(rank));
  };
  put(window->kernel, kernel.size);
  put(window->strides, kernel.stride);
  put(window->dilations, kernel.dilation);
  put(window->pads_begin, kernel.begin);
  put(window->pads_end, kernel.end);
  if (*std::min_element(kernel.size.begin(), kernel.size.end()) >= 1) return kernel;
  call.fail("its kernel has no size");
  return std::nullopt;
}

Reach reach_of(const Kernel& kernel, std::size_t axis, std::int64_t tap, std::int64_t in, std::int64_t out) {
  const std::int64_t offset = tap * kernel.dilation[axis] - kernel.begin[axis];
  const std::int64_t stride = kernel.stride[axis];
  const std::int64_t first = offset >= 0 ? 0 : (-offset + stride - 1) / stride;
  const std::int64_t end = in - offset <= 0 ? 0 : (in - offset - 1) / stride + 1;
  return {first, std::min(end, out)};
}

void convolve(const FloatTensor& data, const FloatTensor& weights, std::int64_t groups, const Kernel& kernel,
              FloatTensor& out) {
  const Triple in_size = space_of(data.dimensions), out_size = space_of(out.dimensions);
  const std::int64_t in_map = in_size[0] * in_size[1] * in_size[2];
  const std::int64_t out_map = out_size[0] * out_size[1] * out_size[2];
  const std::int64_t taps = kernel.size[0] * kernel.size[1] * kernel.size[2];
  const std::int64_t maps = weights.dimensions[0], taken = weights.dimensions[1];
  const std::int64_t channels = data.dimensions[1];
  for (std::int64_t n = 0; n < data.dimensions[0]; ++n) {
    for (std::int64_t m = 0; m < maps; ++m) {
      const std::int64_t first = m / (maps / groups) * taken;
      for (std::int64_t c = 0; c < taken; ++c) {
        convolve_map(data.values.data() + (n * channels + first + c) * in_map,
                     weights.values.data() + (m * taken + c) * taps, in_size, out_size, kernel,
                     out.values.data() + (n * maps + m) * out_map);
      }
    }
  }
}

}  // namespace convscope::reference
