#pragma once
// Matrices of Winograd convolution by Toom and Cook's way: "Automatic Program Generation for Convolutional Neural
// Networks on Resource Constrained Devices", section 6.2, Figs 6-2 and 6-5.
//
//   y = AT ((G g) ⊙ (BT d))              one dimension: m outputs y, r weights g, n = m + r - 1 inputs d
//   Y = AT ((G g GT) ⊙ (BT d B)) A       two
//
// y_i = sum of g_k d_(i+k): correlation, as layers compute it.

#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/winograd/matrices/matrix.h"
#include "core/winograd/matrices/points.h"

namespace convscope::winograd {

struct Transform {
  int m = 0;  ///< outputs
  int r = 0;  ///< weights
  Points points;
  Matrix at;  ///< m x n, of outputs
  Matrix g;   ///< n x r, of the kernel
  Matrix bt;  ///< n x n, of inputs

  int n() const { return input_length(m, r); }
};

/// F(m, r) with these points: row j of AT's transpose has powers of a_j, BT the coefficients of the product of
/// (x - a_l) over l ≠ j, G powers over the product of (a_j - a_l); the last belongs to infinity. The certificate holds
/// for whatever is returned. Nothing, with diagnostics, if m or r is out of range, points are equal or of another
/// number than m + r - 2.
std::optional<Transform> make_transform(int m, int r, const Points& points, Diagnostics& diagnostics);

/// The sum over j of AT[i][j] G[j][k] BT[j][l] is 1 where l = i + k and 0 elsewhere, for all i, k, l: exactly what
/// makes the transform a convolution. Empty if so, else the first that is not.
std::string certificate_fault(const Transform& transform);

/// Row j of G times factors[j], row j of BT divided by it: the same convolution. As many factors as n, none of them 0.
Transform scaled(Transform transform, const std::vector<Rational>& factors);

/// Scaled by the least factors that make BT integral: what is counted, as published listings have it.
Transform with_integral_input(const Transform& transform);

}  // namespace convscope::winograd
