#include "core/cpu/syntax/affine.h"

#include <algorithm>

#include <fmt/format.h>

namespace convscope::cpu {
namespace {

auto position(auto& terms, std::string_view variable) {
  return std::lower_bound(terms.begin(), terms.end(), variable, [](const Affine::Term& term, std::string_view name) {
    return std::string_view(term.variable) < name;
  });
}

void add(Affine& form, const Affine::Term& term) {
  const auto at = position(form.terms, term.variable);
  if (at == form.terms.end() || at->variable != term.variable) {
    if (term.coefficient != 0) form.terms.insert(at, term);
  } else if ((at->coefficient += term.coefficient) == 0) {
    form.terms.erase(at);
  }
}

}  // namespace

Affine Affine::variable(std::string_view name, std::int64_t coefficient) {
  Affine form;
  add(form, {std::string(name), coefficient});
  return form;
}

Affine& Affine::operator+=(const Affine& other) {
  constant += other.constant;
  for (const Term& term : other.terms) add(*this, term);
  return *this;
}

std::int64_t Affine::coefficient(std::string_view variable) const {
  const auto at = position(terms, variable);
  return at == terms.end() || at->variable != variable ? 0 : at->coefficient;
}

Affine operator+(Affine a, const Affine& b) {
  return a += b;
}

Affine operator*(Affine a, std::int64_t factor) {
  if (factor == 0) return 0;
  a.constant *= factor;
  for (Affine::Term& term : a.terms) term.coefficient *= factor;
  return a;
}

Affine substitute(const Affine& form, std::string_view variable, const Affine& value) {
  const std::int64_t coefficient = form.coefficient(variable);
  if (coefficient == 0) return form;
  return form + Affine::variable(variable, -coefficient) + value * coefficient;
}

std::string text(const Affine& form) {
  std::string text;
  const auto append = [&](std::int64_t value, const std::string& what) {
    text += text.empty() ? (value < 0 ? "-" : "") : (value < 0 ? " - " : " + ");
    text += what;
  };
  for (const Affine::Term& term : form.terms) {
    const std::int64_t size = term.coefficient < 0 ? -term.coefficient : term.coefficient;
    append(term.coefficient, size == 1 ? term.variable : fmt::format("{}*{}", size, term.variable));
  }
  if (form.constant != 0 || text.empty())
    append(form.constant, fmt::format("{}", form.constant < 0 ? -form.constant : form.constant));
  return text;
}

}  // namespace convscope::cpu
