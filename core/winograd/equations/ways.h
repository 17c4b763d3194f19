#pragma once
// The ways of computing a transform, and what each costs.

#include <array>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/winograd/equations/equation.h"
#include "core/winograd/matrices/transform.h"

namespace convscope::winograd {

enum class Operand { kernel, input, output };
inline constexpr std::array<Operand, 3> operands = {Operand::kernel, Operand::input, Operand::output};

/// "kernel", "input", "output".
std::string_view operand_name(Operand operand);
/// G, BT or AT.
const Matrix& matrix_of(const Transform& transform, Operand operand);

enum class Way {
  plain,   ///< nothing shared
  thesis,  ///< share_variable_sets
  pairs,   ///< share_pairs
  nested   ///< share_pairs in one dimension, on the columns and then on the rows
};
inline constexpr std::array<Way, 4> ways = {Way::plain, Way::thesis, Way::pairs, Way::nested};

std::string_view way_name(Way way);
std::optional<Way> find_way(std::string_view name);

/// matrix X matrix^T in two dimensions: inputs are X by rows, outputs by rows. Nothing, with diagnostics, where the
/// thesis's way and pairs have more than `most_variables` inputs. Throws Cancelled if stopped.
std::optional<SharedForms> share(const Matrix& matrix, Way way, const std::stop_token& stop, Diagnostics& diagnostics);

/// Names of the variables of such forms: "d12" of row 1 and column 2 (g of kernels, d of inputs, p of products), then
/// t0, t1, …; in one dimension, of the forms of matrix x, "d2".
VariableNames names_of(Operand operand, const Matrix& matrix, int dimensions = 2);
/// Of the outputs: "u" of kernels, "v" of inputs, "y" of outputs.
std::string output_name(Operand operand, const Matrix& matrix, int output, int dimensions = 2);

/// All equations, a line each, definitions first.
std::string text(const SharedForms& forms, Operand operand, const Matrix& matrix);

}  // namespace convscope::winograd
