#pragma once
// Convolutions and pools over one, two or three dimensions of space, all seen as three.

#include <array>
#include <optional>

#include "core/network/inference/window.h"
#include "core/reference/operators/call.h"

namespace convscope::reference {

using Triple = std::array<std::int64_t, 3>;

/// Dimensions of space from the third one on, with ones before them where there are fewer than three.
Triple space_of(const Dimensions& dimensions);

/// A window over three dimensions; axes that aren't there have kernel 1, stride 1 and no pads.
struct Kernel {
  Triple size{1, 1, 1}, stride{1, 1, 1}, dilation{1, 1, 1}, begin{0, 0, 0}, end{0, 0, 0};
};

/// Nothing, with the call's problem, for attributes that don't fit and more than three dimensions of space.
std::optional<Kernel> kernel_of(Call& call, const Dimensions& weights_space, const Dimensions& data);

/// Half-open range of outputs whose tap at `tap` lies inside the input, along one axis.
struct Reach {
  std::int64_t first, end;
};
Reach reach_of(const Kernel& kernel, std::size_t axis, std::int64_t tap, std::int64_t in, std::int64_t out);

/// out[n][m][o] = sum over c, k of weights[m][c][k] * data[n][group's c][o * stride + k * dilation - begin].
/// Added to what is in `out`.
void convolve(const FloatTensor& data, const FloatTensor& weights, std::int64_t groups, const Kernel& kernel,
              FloatTensor& out);

}  // namespace convscope::reference
