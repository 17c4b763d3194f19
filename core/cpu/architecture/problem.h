#pragma once
// One convolution of known size, which a program is generated for.
// Source: "Automatic Program Generation for Convolutional Neural Networks on Resource Constrained Devices",
// section 4.4, with what its section 9.2 leaves to others: stride, dilation, groups.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/cpu/architecture/layout.h"
#include "core/flyte/flyte.h"

namespace convscope::cpu {

/// What tensors are stored in; each is computed with as binary32.
struct StoredTensors {
  flyte::Storage image, weights, output;
  bool operator==(const StoredTensors&) const = default;
};

/// Cross-correlation with zero padding: output[h][w][m] = sum over y, x, c of
/// image[h*stride + y*dilation - pad_top][w*stride + x*dilation - pad_left][first channel of m's group + c] *
/// kernel[m][y][x][c].
struct Problem {
  int height = 0, width = 0, channels = 0;  ///< of the image
  int kernels = 0;                          ///< channels of the output
  int kernel_height = 1, kernel_width = 1;
  int stride_height = 1, stride_width = 1;
  int dilation_height = 1, dilation_width = 1;
  int groups = 1;  ///< divides channels and kernels
  int pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  int threads = 1;
  StoredTensors stored = {};

  bool operator==(const Problem&) const = default;

  int out_height() const;
  int out_width() const;
  int group_channels() const { return channels / groups; }  ///< of the kernel's C
  int group_kernels() const { return kernels / groups; }
  bool depthwise() const { return groups > 1 && groups == channels; }

  Extents image() const;   ///< H W C
  Extents kernel() const;  ///< M Y X C (of one group)
  Extents output() const;  ///< H W M
};

/// Pairs of an output row (column) and a tap whose image element exists.
std::int64_t valid_rows(const Problem& problem);
std::int64_t valid_columns(const Problem& problem);
/// Multiply-adds whose image element exists: taps on padding don't count.
std::int64_t valid_macs(const Problem& problem);

/// "56x56x64 -> 64, 3x3" and what isn't 1 or 'same' padding behind it: "stride 2", "dilation 2", "groups 32", "pad 0 0
/// 1 1", "threads 2", "image flyte-24", "weights flyte-16", "output flyte-8 truncated".
std::string text(const Problem& problem);
/// Reads what `text` writes. Nothing, with a diagnostic, if it isn't a problem or one beyond the limits: every extent 1
/// to 65,536, tensors up to 2^28 elements.
std::optional<Problem> parse_problem(std::string_view text, Diagnostics& diagnostics);
/// What is wrong with it, empty if nothing.
std::string fault(const Problem& problem);

}  // namespace convscope::cpu
