// Straight-line programs compute what the matrices say, with the promised number of operations.

#include "core/winograd/equations/linear_program.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/winograd/matrices/transform.h"

namespace convscope::winograd {
namespace {

Transform transform_of(int m, int r, const Points& points) {
  Diagnostics diagnostics;
  return make_transform(m, r, points, diagnostics).value();
}

/// What a step gives, exactly.
Rational exact(const Step& step, const std::vector<Rational>& values) {
  const Rational& x = values[static_cast<std::size_t>(step.x)];
  if (step.kind == StepKind::scale) return step.c * x;
  const Rational& y = values[static_cast<std::size_t>(step.y)];
  if (step.kind == StepKind::add) return x + y;
  if (step.kind == StepKind::subtract) return x - y;
  return step.kind == StepKind::multiply_add ? Rational(step.c * x + y) : Rational(step.c * x - y);
}

/// The matrix that the program multiplies by.
Matrix matrix_of(const LinearProgram& program) {
  Matrix matrix(static_cast<int>(program.outputs.size()), program.inputs);
  for (int column = 0; column < program.inputs; ++column) {
    std::vector<Rational> values(static_cast<std::size_t>(program.inputs));
    values[static_cast<std::size_t>(column)] = 1;
    for (const Step& step : program.steps) values.push_back(exact(step, values));
    for (int row = 0; row < matrix.rows(); ++row)
      matrix.at(row, column) = values[static_cast<std::size_t>(program.outputs[static_cast<std::size_t>(row)])];
  }
  return matrix;
}

TEST(LinearProgramTest, ComputesEveryMatrix) {
  for (int m = 1; m <= 6; ++m)
    for (int r = 2; r <= 7; ++r)
      for (const Points& points : {usual_points(m, r), accurate_points(m, r)}) {
        const Transform t = transform_of(m, r, points);
        for (const Matrix& matrix : {t.at, t.g, t.bt}) EXPECT_EQ(matrix_of(linear_program(matrix)), matrix) << m << r;
      }
}

TEST(LinearProgramTest, UsesOnlyValuesThatAreThere) {
  const LinearProgram program = linear_program(transform_of(6, 3, usual_points(6, 3)).bt);
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const Step& step = program.steps[i];
    EXPECT_LT(step.x, program.inputs + static_cast<int>(i));
    EXPECT_LT(step.y, program.inputs + static_cast<int>(i));
    EXPECT_EQ(step.y < 0, step.kind == StepKind::scale);
  }
}

// On the columns and then on the rows of a tile.
int operations_in_two_dimensions(const Matrix& matrix) {
  return linear_program(matrix).operations() * (matrix.columns() + matrix.rows());
}

TEST(LinearProgramTest, CostsTheSameWhateverTheSymmetricPointsAre) {
  const Rational a = Rational(5) / 7, b = Rational(7) / 5;
  for (const auto& [first, second] : {std::pair<Rational, Rational>{a, b}, {Rational(1) / 3, 3}, {2, 3}}) {
    const Transform t = transform_of(4, 3, symmetric_points(4, 3, {first, second}).value());
    EXPECT_EQ(operations_in_two_dimensions(t.bt), 144);
    EXPECT_EQ(operations_in_two_dimensions(t.at), 120);
  }
}

TEST(LinearProgramTest, CostsLessWithPointsOfOne) {
  const Transform t = transform_of(4, 3, usual_points(4, 3));
  EXPECT_LE(operations_in_two_dimensions(t.bt), 144);
  EXPECT_EQ(operations_in_two_dimensions(t.at), 100);
  EXPECT_EQ(operations_in_two_dimensions(transform_of(2, 3, usual_points(2, 3)).bt), 32);
  EXPECT_EQ(operations_in_two_dimensions(transform_of(2, 3, usual_points(2, 3)).at), 24);
}

TEST(LinearProgramTest, RunsOnFloats) {
  const Transform t = transform_of(4, 3, usual_points(4, 3));
  const LinearProgram program = linear_program(t.bt);
  const auto coefficients = rounded_coefficients<float>(program);
  std::vector<float> values(static_cast<std::size_t>(program.inputs + program.operations()));
  for (int j = 0; j < 6; ++j) values[static_cast<std::size_t>(j)] = static_cast<float>(j * j + 1);
  run<float>(program, coefficients, values);
  for (int i = 0; i < 6; ++i) {
    Rational expected = 0;
    for (int j = 0; j < 6; ++j) expected += t.bt.at(i, j) * (j * j + 1);
    const auto output = static_cast<std::size_t>(program.outputs[static_cast<std::size_t>(i)]);
    EXPECT_EQ(values[output], static_cast<float>(to_double(expected))) << i;
  }
}

}  // namespace
}  // namespace convscope::winograd
