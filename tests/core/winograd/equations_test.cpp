// Equations: the four rules, the thesis's figures, and what each way of sharing costs.

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/winograd/equations/equation.h"
#include "core/winograd/equations/pairs.h"
#include "core/winograd/equations/variable_sets.h"
#include "core/winograd/equations/ways.h"

namespace convscope::winograd {
namespace {

Transform integral(int m, int r) {
  Diagnostics diagnostics;
  return with_integral_input(make_transform(m, r, usual_points(m, r), diagnostics).value());
}

SharedForms shared(const Transform& transform, Operand operand, Way way) {
  Diagnostics diagnostics;
  return share(matrix_of(transform, operand), way, {}, diagnostics).value();
}

std::string xyz(int variable) {
  return std::string(1, static_cast<char>('x' + variable));
}

// 5(3x + 2y) + 0(2x + y) - 3(-5x + 1y) - -30(-z) of Fig. 6-24
TEST(EquationTest, SimplifiesByTheFourRules) {
  const Expression x{1, 0, {}};
  const auto times = [](int c, int variable) { return Expression{c, variable, {}}; };
  const Expression p1{1,
                      -1,
                      {{5, -1, {times(3, 0), times(2, 1)}},
                       {0, -1, {times(2, 0), x}},
                       {-3, -1, {times(-5, 0), times(1, 1)}},
                       {-1, -1, {{-30, -1, {times(-1, 2)}}}}}};
  const LinearForm form = simplified(p1);
  EXPECT_EQ(form, (LinearForm{{0, 30}, {1, 7}, {2, -30}}));
  EXPECT_EQ(grouped(form), (Equation{{7, {{1, false}}}, {30, {{0, false}, {2, true}}}}));
  EXPECT_EQ(text(grouped(form), xyz), "7 y + 30 (x - z)");
}

// Fig. 6-22
TEST(EquationTest, MultipliesPlaceholdersOut) {
  Transform t = integral(2, 3);
  const auto expressions = product_expressions(t.g);
  ASSERT_EQ(expressions.size(), 16U);
  const VariableNames names = names_of(Operand::kernel, t.g);
  EXPECT_EQ(text(expressions[1], names),
            "1/2 (-1 g00 + 0 g10 + 0 g20) + 1/2 (-1 g01 + 0 g11 + 0 g21) + 1/2 (-1 g02 + 0 g12 + 0 g22)");
  EXPECT_EQ(text(expressions[15], names),
            "0 (0 g00 + 0 g10 + 1 g20) + 0 (0 g01 + 0 g11 + 1 g21) + 0 g02 + 0 g12 + 1 g22");
  const auto forms = squared_forms_of(t.g);
  for (std::size_t i = 0; i < forms.size(); ++i) EXPECT_EQ(simplified(expressions[i]), forms[i]) << i;
}

/// Fig. 6-3 has the rows of 0 and infinity with the other sign.
Matrix published_kernel() {
  Matrix g = integral(2, 3).g;
  g.at(0, 0) = 1;
  return g;
}

// Fig. 6-30: equations alone
TEST(EquationTest, MakesTheEquationsOfTheKernel) {
  const Matrix g = published_kernel();
  Diagnostics diagnostics;
  const SharedForms forms = share(g, Way::plain, {}, diagnostics).value();
  EXPECT_EQ(count_operations(forms), (Operations{48, 12}));
  const VariableNames names = [](int variable) { return std::to_string(variable); };
  const auto equation = [&](std::size_t i) { return text(grouped(forms.outputs[i]), names); };
  EXPECT_EQ(equation(0), "0");
  EXPECT_EQ(equation(6), "1/4 (0 - 1 + 2 + 3 - 4 + 5 + 6 - 7 + 8)");
  EXPECT_EQ(equation(9), "1/4 (0 + 1 + 2 - 3 - 4 - 5 + 6 + 7 + 8)");
  EXPECT_EQ(equation(14), "1/2 (6 - 7 + 8)");
}

// Fig. 6-31: nine temporaries and 25 additions are listed; the text says 27.
TEST(EquationTest, SharesWhatTheListedKernelShares) {
  Diagnostics diagnostics;
  const SharedForms forms = share(published_kernel(), Way::thesis, {}, diagnostics).value();
  EXPECT_EQ(count_operations(forms), (Operations{25, 12}));
  EXPECT_EQ(forms.definitions.size(), 9U);
}

// Fig. 6-27, with a set of two beside those of L1
TEST(EquationTest, FindsTheHierarchyOfSets) {
  enum { x, y, z, w, p, u, v };
  const auto sum = [](std::initializer_list<int> variables) {
    LinearForm form;
    for (const int variable : variables) form.emplace(variable, 1);
    return form;
  };
  const SharedForms forms =
      share_variable_sets({sum({x, y, z, w}), sum({y, z, w, p}), sum({u, v, p}), sum({u, v, w, z})}, 7);
  ASSERT_EQ(forms.definitions.size(), 3U);
  EXPECT_EQ(forms.definitions[0], sum({z, w}));
  EXPECT_EQ(forms.definitions[1], sum({y, 7}));
  EXPECT_EQ(forms.definitions[2], sum({u, v}));
  EXPECT_EQ(forms.outputs[3], sum({7, 9}));
}

// Fig. 6-29: the same variables with the other signs
TEST(EquationTest, ReplacesWithTheOtherSign) {
  const LinearForm first = {{0, -1}, {1, 1}, {2, 1}, {3, -1}}, second = {{0, 2}, {1, -2}, {3, 2}};
  const SharedForms forms = share_variable_sets({second, first}, 4);
  ASSERT_EQ(forms.definitions.size(), 1U);
  EXPECT_EQ(forms.outputs[0], (LinearForm{{4, 2}}));
  EXPECT_EQ(forms.outputs[1], (LinearForm{{2, 1}, {4, -1}}));
}

TEST(EquationTest, EveryWayComputesTheSame) {
  for (const auto& [m, r] : {std::pair{2, 3}, {4, 3}, {2, 5}, {3, 2}})
    for (const Operand operand : operands) {
      const Transform t = integral(m, r);
      const auto expected = squared_forms_of(matrix_of(t, operand));
      for (const Way way : ways) {
        const SharedForms forms = shared(t, operand, way);
        ASSERT_EQ(forms.outputs.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
          EXPECT_EQ(expanded(forms, i), expected[i]) << m << r << operand_name(operand) << way_name(way) << i;
      }
    }
}

struct CountedTransform {
  int m, r;
  Operand operand;
  Operations plain, thesis, pairs, nested;
};

TEST(EquationTest, CountsOperations) {
  const CountedTransform rows[] = {{2, 3, Operand::kernel, {48, 12}, {25, 12}, {23, 12}, {21, 14}},
                                   {2, 3, Operand::input, {48, 0}, {38, 0}, {32, 0}, {32, 0}},
                                   {2, 3, Operand::output, {32, 0}, {28, 0}, {24, 0}, {24, 0}},
                                   {4, 3, Operand::input, {448, 132}, {306, 132}, {144, 92}, {144, 96}},
                                   {4, 3, Operand::output, {308, 30}, {142, 30}, {100, 29}, {100, 30}},
                                   {6, 3, Operand::input, {1872, 664}, {918, 664}, {384, 312}, {384, 320}},
                                   {6, 3, Operand::output, {1408, 192}, {444, 192}, {292, 135}, {280, 140}},
                                   {2, 5, Operand::input, {448, 132}, {306, 132}, {144, 92}, {144, 96}}};
  for (const CountedTransform& row : rows) {
    const Transform t = integral(row.m, row.r);
    const Operations expected[] = {row.plain, row.thesis, row.pairs, row.nested};
    for (const Way way : ways) {
      const Operations found = count_operations(shared(t, row.operand, way));
      const Operations& wanted = expected[static_cast<std::size_t>(way)];
      EXPECT_EQ(found, wanted) << row.m << row.r << operand_name(row.operand) << ' ' << way_name(way) << ": "
                               << found.additions << '/' << found.multiplications;
    }
  }
}

TEST(EquationRefusalTest, RefusesWhatIsTooLargeForSets) {
  Diagnostics diagnostics;
  const Transform t = integral(6, 5);
  EXPECT_FALSE(share(t.bt, Way::thesis, {}, diagnostics));
  EXPECT_FALSE(share(t.bt, Way::pairs, {}, diagnostics));
  EXPECT_EQ(diagnostics.count(Severity::error), 2U);
  EXPECT_TRUE(share(t.bt, Way::nested, {}, diagnostics));
}

}  // namespace
}  // namespace convscope::winograd
