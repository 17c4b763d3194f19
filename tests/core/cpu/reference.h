#pragma once
// A convolution in double precision, and tensors in any layout: what programs are checked against.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/cpu/architecture/generated.h"
#include "core/cpu/architecture/problem.h"

namespace convscope::cpu {

/// Position of an element in memory.
std::int64_t position(const Layout& layout, const Extents& extents, const std::vector<int>& index);

/// Random tensors of a problem, in dense order H W C and M Y X C, and what must come out, H W M.
struct Reference {
  Problem problem;
  std::vector<float> image, kernel;
  std::vector<double> output;
  double bound = 0;  ///< 4 eps sqrt(K^2 C) rms
};

Reference make_reference(const Problem& problem, unsigned seed);
/// Dense to laid out, as the bytes that are stored, with those that may be read behind filled up to a multiple of 64;
/// what is filled up in blocks is zero.
std::vector<float> pack(const std::vector<float>& dense, const Layout& layout, const Extents& extents);
/// A problem's kernel as a program takes it.
std::vector<float> pack_kernel(const Reference& reference, const Generated& text);
/// What an output of a program may differ by: the reference's bound, or more where a transform lets errors grow.
double bound_of(const Reference& reference, const Generated& text);
/// Floats that have room for a laid-out tensor.
std::size_t floats_of(const Layout& layout, const Extents& extents);
/// Largest difference of a laid-out output, beyond what storing it takes; infinity if an element is none.
double largest_error(const Reference& reference, const Layout& layout, const float* output);

}  // namespace convscope::cpu
