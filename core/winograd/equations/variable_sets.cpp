#include "core/winograd/equations/variable_sets.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

#include "core/base/cancellation.h"
#include "core/winograd/equations/equation.h"

namespace convscope::winograd {
namespace {

/// Variables with plus and with minus, a bit each.
struct VariableSet {
  std::uint64_t plus = 0, minus = 0;

  auto operator<=>(const VariableSet&) const = default;  // NOLINT(modernize-use-nullptr): its own 0
  VariableSet operator-() const { return {minus, plus}; }
  VariableSet operator&(const VariableSet& other) const { return {plus & other.plus, minus & other.minus}; }
  int size() const { return std::popcount(plus) + std::popcount(minus); }
  bool contains(const VariableSet& other) const { return (*this & other) == other; }
  void remove(const VariableSet& other) {
    plus &= ~other.plus;
    minus &= ~other.minus;
  }
};

/// Whether the least variable that only one of them has is a's.
bool has_the_least(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t different = a ^ b;
  return (a & different & (~different + 1)) != 0;
}

bool before(const VariableSet& a, const VariableSet& b) {
  if (a.size() != b.size()) return a.size() > b.size();
  return a.plus != b.plus ? has_the_least(a.plus, b.plus) : has_the_least(a.minus, b.minus);
}

VariableSet set_of(const std::vector<SignedVariable>& variables) {
  VariableSet set;
  for (const SignedVariable& variable : variables)
    (variable.negative ? set.minus : set.plus) |= std::uint64_t{1} << variable.variable;
  return set;
}

using Level = std::vector<VariableSet>;

Level first_level(const std::vector<LinearForm>& forms) {
  std::set<VariableSet> sets;
  for (const LinearForm& form : forms)
    for (const Term& term : grouped(form)) {
      const VariableSet set = set_of(term.variables);
      sets.insert(set);
      sets.insert(-set);
    }
  return {sets.begin(), sets.end()};
}

Level intersections(const Level& level, const std::stop_token& stop) {
  std::set<VariableSet> sets;
  for (std::size_t y = 0; y < level.size(); ++y) {
    throw_if_stopped(stop);
    for (std::size_t z = y + 1; z < level.size(); ++z)
      if (const VariableSet both = level[y] & level[z]; both.size() > 1) sets.insert(both);
  }
  Level result(sets.begin(), sets.end());
  std::sort(result.begin(), result.end(), before);
  return result;
}

class SetSharing {
 public:
  SetSharing(const std::vector<LinearForm>& forms, int inputs, const std::stop_token& stop) : result_{inputs, {}, {}} {
    for (Level level = intersections(first_level(forms), stop); !level.empty(); level = intersections(level, stop))
      levels_.push_back(level);
    for (const LinearForm& form : forms) result_.outputs.push_back(shared(form));
  }

  SharedForms take() { return std::move(result_); }

 private:
  LinearForm shared(const LinearForm& form) {
    LinearForm result;
    for (const Term& term : grouped(form))
      for (const auto& [variable, sign] : parts(set_of(term.variables), 0, true))
        result.emplace(variable, sign * term.coefficient);
    return result;
  }

  /// The set as sub-expressions of a level and single variables. A definition isn't its own sub-expression.
  LinearForm parts(const VariableSet& whole, std::size_t level, bool with_itself) {
    LinearForm result;
    VariableSet set = whole;
    if (level < levels_.size())
      for (const VariableSet& part : levels_[level]) {
        if (!set.contains(part) || (!with_itself && part == whole)) continue;
        set.remove(part);
        const auto [variable, negative] = defined(part, level);
        result.emplace(variable, negative ? -1 : 1);
      }
    for (int variable = 0; variable < result_.inputs; ++variable) {
      if (set.plus >> variable & 1) result.emplace(variable, 1);
      if (set.minus >> variable & 1) result.emplace(variable, -1);
    }
    return result;
  }

  SignedVariable defined(const VariableSet& set, std::size_t level) {
    if (const auto known = variables_.find(set); known != variables_.end()) return {known->second, false};
    if (const auto known = variables_.find(-set); known != variables_.end()) return {known->second, true};
    LinearForm form = parts(set, level + 1, false);
    const int variable = result_.variable_count();
    result_.definitions.push_back(std::move(form));
    variables_.emplace(set, variable);
    return {variable, false};
  }

  SharedForms result_;
  std::vector<Level> levels_;  ///< from L1
  std::map<VariableSet, int> variables_;
};

std::vector<int> uses_of(const SharedForms& forms) {
  std::vector<int> uses(static_cast<std::size_t>(forms.variable_count()));
  for (const auto* list : {&forms.definitions, &forms.outputs})
    for (const LinearForm& form : *list)
      for (const auto& [variable, coefficient] : form) ++uses[static_cast<std::size_t>(variable)];
  return uses;
}

/// With definitions that are used once written in their place.
SharedForms inlined(const SharedForms& forms) {
  const std::vector<int> uses = uses_of(forms);
  SharedForms result{forms.inputs, {}, {}};
  std::vector<LinearForm> meaning;  // of each variable
  meaning.reserve(static_cast<std::size_t>(forms.variable_count()));
  for (int input = 0; input < forms.inputs; ++input) meaning.push_back({{input, 1}});
  const auto rewritten = [&](const LinearForm& form) {
    LinearForm sum;
    for (const auto& [variable, coefficient] : form)
      for (const auto& [part, sign] : meaning[static_cast<std::size_t>(variable)]) sum[part] += coefficient * sign;
    return sum;
  };
  for (const LinearForm& definition : forms.definitions) {
    LinearForm form = rewritten(definition);
    if (uses[meaning.size()] > 1) {
      result.definitions.push_back(std::move(form));
      form = {{result.variable_count() - 1, 1}};
    }
    meaning.push_back(std::move(form));
  }
  for (const LinearForm& output : forms.outputs) result.outputs.push_back(rewritten(output));
  return result;
}

}  // namespace

SharedForms share_variable_sets(const std::vector<LinearForm>& forms, int inputs, const std::stop_token& stop) {
  assert(inputs <= most_variables);
  return inlined(SetSharing(forms, inputs, stop).take());
}

}  // namespace convscope::winograd
