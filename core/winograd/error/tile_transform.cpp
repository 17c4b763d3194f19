#include "core/winograd/error/tile_transform.h"

#include <cstddef>

namespace convscope::winograd {
namespace {

std::size_t size_of(int count) {
  return static_cast<std::size_t>(count);
}

/// left (rows x inner) times right (inner x columns), or right's transpose.
struct Product {
  const std::vector<double>& left;
  const std::vector<double>& right;
  int rows, inner, columns;

  std::vector<double> with(bool transposed) const {
    std::vector<double> result(size_of(rows) * size_of(columns));
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        for (int k = 0; k < inner; ++k)
          result[size_of(i * columns + j)] +=
              left[size_of(i * inner + k)] * right[size_of(transposed ? j * inner + k : k * columns + j)];
    return result;
  }
};

}  // namespace

TileTransform::TileTransform(const Matrix& matrix)
    : rows_(matrix.rows()),
      columns_(matrix.columns()),
      program_(linear_program(matrix)),
      coefficients_(rounded_coefficients<float>(program_)),
      values_(size_of(columns_ + program_.operations())),
      between_(size_of(rows_) * size_of(columns_)) {}

void TileTransform::apply(std::span<const float> tile, std::span<float> result) {
  const auto output = [&](int i) { return values_[size_of(program_.outputs[size_of(i)])]; };
  for (int column = 0; column < columns_; ++column) {
    for (int row = 0; row < columns_; ++row) values_[size_of(row)] = tile[size_of(row * columns_ + column)];
    run<float>(program_, coefficients_, values_);
    for (int row = 0; row < rows_; ++row) between_[size_of(row * columns_ + column)] = output(row);
  }
  for (int row = 0; row < rows_; ++row) {
    for (int column = 0; column < columns_; ++column)
      values_[size_of(column)] = between_[size_of(row * columns_ + column)];
    run<float>(program_, coefficients_, values_);
    for (int column = 0; column < rows_; ++column) result[size_of(row * rows_ + column)] = output(column);
  }
}

std::vector<double> transformed(const Matrix& matrix, std::span<const double> tile) {
  std::vector<double> values;
  for (int i = 0; i < matrix.rows(); ++i)
    for (int j = 0; j < matrix.columns(); ++j) values.push_back(to_double(matrix.at(i, j)));
  const std::vector<double> inputs(tile.begin(), tile.end());
  const auto half = Product{values, inputs, matrix.rows(), matrix.columns(), matrix.columns()}.with(false);
  return Product{half, values, matrix.rows(), matrix.columns(), matrix.rows()}.with(true);
}

}  // namespace convscope::winograd
