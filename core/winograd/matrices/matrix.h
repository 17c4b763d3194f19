#pragma once
// Small exact matrices.

#include <cassert>
#include <cstddef>
#include <vector>

#include "core/winograd/matrices/rational.h"

namespace convscope::winograd {

/// `rows` x `columns`, all zero at first.
class Matrix {
 public:
  Matrix() = default;
  Matrix(int rows, int columns)
      : rows_(rows), columns_(columns), values_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {}

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  Rational& at(int row, int column) { return values_[index(row, column)]; }
  const Rational& at(int row, int column) const { return values_[index(row, column)]; }
  bool operator==(const Matrix&) const = default;

 private:
  std::size_t index(int row, int column) const {
    assert(row >= 0 && row < rows_ && column >= 0 && column < columns_);
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column);
  }

  int rows_ = 0, columns_ = 0;
  std::vector<Rational> values_;
};

}  // namespace convscope::winograd
