#pragma once
// matrix X matrix^T on numbers.

#include <span>
#include <vector>

#include "core/winograd/equations/linear_program.h"

namespace convscope::winograd {

/// The nested program: on columns, then on rows.
class TileTransform {
 public:
  explicit TileTransform(const Matrix& matrix);

  /// tile: columns x columns numbers, by rows; result: rows x rows.
  void apply(std::span<const float> tile, std::span<float> result);

 private:
  int rows_, columns_;
  LinearProgram program_;
  std::vector<float> coefficients_, values_, between_;
};

/// In double, by the matrix itself.
std::vector<double> transformed(const Matrix& matrix, std::span<const double> tile);

}  // namespace convscope::winograd
