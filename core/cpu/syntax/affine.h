#pragma once
// Indices as affine forms of loop variables: what addresses, conditions, peeling and footprints are computed from.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace convscope::cpu {

/// constant + sum of coefficient * variable; variables are sorted, no coefficient is zero.
struct Affine {
  struct Term {
    std::string variable;
    std::int64_t coefficient = 0;
    bool operator==(const Term&) const = default;
  };

  std::int64_t constant = 0;
  std::vector<Term> terms;

  Affine() = default;
  Affine(std::int64_t value) : constant(value) {}
  static Affine variable(std::string_view name, std::int64_t coefficient = 1);

  bool operator==(const Affine&) const = default;
  Affine& operator+=(const Affine& other);
  std::int64_t coefficient(std::string_view variable) const;  ///< 0 if it isn't there
  bool is_constant() const { return terms.empty(); }
};

Affine operator+(Affine a, const Affine& b);
Affine operator*(Affine a, std::int64_t factor);
/// With `value` in the place of a variable.
Affine substitute(const Affine& form, std::string_view variable, const Affine& value);
/// "14*w + r - 1"; "0" if there is nothing.
std::string text(const Affine& form);

}  // namespace convscope::cpu
