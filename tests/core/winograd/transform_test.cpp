// Matrices are those of the literature, and their certificate holds for every F(m, r).

#include "core/winograd/matrices/transform.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace convscope::winograd {
namespace {

Transform made(int m, int r, const Points& points) {
  Diagnostics diagnostics;
  auto transform = make_transform(m, r, points, diagnostics);
  EXPECT_TRUE(transform) << diagnostics.text();
  return transform.value_or(Transform{});
}

std::vector<std::string> rows(const Matrix& matrix) {
  std::vector<std::string> result;
  for (int i = 0; i < matrix.rows(); ++i) {
    std::string row;
    for (int j = 0; j < matrix.columns(); ++j) row += (j ? " " : "") + text(matrix.at(i, j));
    result.push_back(row);
  }
  return result;
}

TEST(TransformTest, MakesTheMatricesOfF23) {
  const Transform t = made(2, 3, usual_points(2, 3));
  EXPECT_EQ(rows(t.at), (std::vector<std::string>{"1 1 1 0", "0 1 -1 1"}));
  EXPECT_EQ(rows(t.g), (std::vector<std::string>{"-1 0 0", "1/2 1/2 1/2", "1/2 -1/2 1/2", "0 0 1"}));
  EXPECT_EQ(rows(t.bt), (std::vector<std::string>{"-1 0 1 0", "0 1 1 0", "0 -1 1 0", "0 -1 0 1"}));
}

TEST(TransformTest, PublishedMatricesPassTheCertificate) {
  Transform t = made(2, 3, usual_points(2, 3));
  t.at.at(1, 3) = -1;  // Fig. 6-3
  t.g.at(0, 0) = 1;
  for (int l = 0; l < 4; ++l) {
    t.bt.at(0, l) = -t.bt.at(0, l);
    t.bt.at(3, l) = -t.bt.at(3, l);
  }
  EXPECT_EQ(certificate_fault(t), "");
  t.bt.at(2, 1) = 1;
  EXPECT_NE(certificate_fault(t), "");
}

TEST(TransformTest, EveryChangedEntryBreaksTheCertificate) {
  const Transform t = made(4, 3, usual_points(4, 3));
  for (Matrix Transform::*matrix : {&Transform::at, &Transform::g, &Transform::bt})
    for (int i = 0; i < (t.*matrix).rows(); ++i)
      for (int j = 0; j < (t.*matrix).columns(); ++j) {
        Transform changed = t;
        (changed.*matrix).at(i, j) += 1;
        EXPECT_NE(certificate_fault(changed), "") << i << ' ' << j;
      }
}

TEST(TransformTest, CertificateHoldsForAllSizes) {
  for (int m = 1; m <= most_outputs; ++m)
    for (int r = 1; r <= most_kernel; ++r) {
      if (m + r < 3) continue;
      const Transform t = made(m, r, usual_points(m, r));
      EXPECT_EQ(certificate_fault(t), "") << m << ' ' << r;
      EXPECT_EQ(certificate_fault(with_integral_input(t)), "") << m << ' ' << r;
    }
}

TEST(TransformTest, CertificateHoldsForRandomPoints) {
  std::mt19937 random(19);
  const auto draw = [&](int low, int high) { return low + static_cast<int>(random() % (high - low + 1U)); };
  for (int count = 0; count < 1000; ++count) {
    const int m = draw(1, 6), r = draw(2, 7);
    Points points;
    while (static_cast<int>(points.size()) < finite_points(m, r)) {
      const Rational point = Rational(draw(-40, 40)) / draw(1, 40);
      if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
    }
    EXPECT_EQ(certificate_fault(made(m, r, points)), "") << text(points);
  }
}

TEST(TransformTest, ScalesRowsWithoutChangingTheConvolution) {
  const Transform t = made(4, 3, *symmetric_points(4, 3, {Rational(5) / 7, Rational(7) / 5}));
  const Transform doubled = scaled(t, {2, 4, 8, 1, 3, -5});
  EXPECT_EQ(certificate_fault(doubled), "");
  EXPECT_EQ(doubled.g.at(1, 1), t.g.at(1, 1) * 4);
  const Transform integral = with_integral_input(t);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) EXPECT_EQ(denominator(integral.bt.at(i, j)), 1);
}

TEST(TransformTest, ReadsPoints) {
  Diagnostics diagnostics;
  const auto points = parse_points("0, 1,-1,0.5,-7/5", 4, 3, diagnostics);
  ASSERT_TRUE(points) << diagnostics.text();
  EXPECT_EQ(text(*points), "0, 1, -1, 1/2, -7/5, infinity");
  EXPECT_EQ(text(*parse_points("accurate", 4, 3, diagnostics)), "0, 5/7, -5/7, 7/5, -7/5, infinity");
  EXPECT_EQ(text(*parse_points("usual", 6, 3, diagnostics)), "0, 1, -1, 2, -2, 1/2, -1/2, infinity");
}

std::string refusal(const std::string& points, int m, int r) {
  Diagnostics diagnostics;
  EXPECT_FALSE(parse_points(points, m, r, diagnostics)) << points;
  return diagnostics.text();
}

TEST(TransformRefusalTest, RefusesPoints) {
  EXPECT_NE(refusal("0,1,-1,2/4,1/2", 4, 3).find("1/2 stands twice"), std::string::npos);
  EXPECT_NE(refusal("0,1,-1", 4, 3).find("3 finite points; expected 5"), std::string::npos);
  for (const char* bad : {"", "0,x", "0,1/0", "1e3", "0,1,,2", "--1", "1.", ".5", "9999999999", "1/2/3", "infinity"})
    EXPECT_NE(refusal(bad, 2, 3).find("a number such as"), std::string::npos) << bad;
}

TEST(TransformRefusalTest, RefusesEqualPointsAndSizes) {
  Diagnostics diagnostics;
  EXPECT_FALSE(make_transform(2, 3, {0, 1, 1}, diagnostics));
  EXPECT_FALSE(make_transform(9, 3, usual_points(9, 3), diagnostics));
  EXPECT_FALSE(make_transform(1, 1, {}, diagnostics));
  EXPECT_FALSE(make_transform(0, 3, {1}, diagnostics));
  EXPECT_EQ(diagnostics.count(Severity::error), 4U);
}

}  // namespace
}  // namespace convscope::winograd
