#include "core/winograd/equations/pairs.h"

#include <compare>
#include <cstddef>
#include <functional>
#include <set>
#include <utility>

#include "core/base/cancellation.h"

namespace convscope::winograd {
namespace {

/// a + c b up to a factor, |c| >= 1, and a < b if it is 1; `ratio` stands for c.
struct Pair {
  int a = 0, b = 0, ratio = 0;
  auto operator<=>(const Pair&) const = default;  // NOLINT(modernize-use-nullptr): its own 0
};

/// Ratios by number, in the order in which they were met: comparing them costs nothing.
class Ratios {
 public:
  int number(const Rational& ratio) {
    const auto [place, is_new] = numbers_.emplace(ratio, static_cast<int>(ratios_.size()));
    if (is_new) ratios_.push_back(ratio);
    return place->second;
  }
  const Rational& ratio(int number) const { return ratios_[static_cast<std::size_t>(number)]; }

 private:
  std::map<Rational, int> numbers_;
  std::vector<Rational> ratios_;
};

/// In which forms each pair occurs, and the most frequent one.
class Occurrences {
 public:
  void add(const Pair& pair, std::size_t form) {
    auto& users = users_[pair];
    by_count_.erase({users.size(), pair});
    users.insert(form);
    by_count_.insert({users.size(), pair});
  }
  void remove(const Pair& pair, std::size_t form) {
    auto& users = users_[pair];
    by_count_.erase({users.size(), pair});
    users.erase(form);
    if (!users.empty()) by_count_.insert({users.size(), pair});
  }
  /// Null if none occurs twice.
  const Pair* most_frequent() const {
    if (by_count_.empty() || by_count_.begin()->first < 2) return nullptr;
    return &by_count_.begin()->second;
  }
  const std::set<std::size_t>& users(const Pair& pair) const { return users_.at(pair); }

 private:
  struct MoreFirst {
    bool operator()(const std::pair<std::size_t, Pair>& x, const std::pair<std::size_t, Pair>& y) const {
      return x.first != y.first ? x.first > y.first : x.second > y.second;
    }
  };
  std::map<Pair, std::set<std::size_t>> users_;
  std::set<std::pair<std::size_t, Pair>, MoreFirst> by_count_;
};

class Sharing {
 public:
  Sharing(std::vector<LinearForm> forms, int inputs) : result_{inputs, {}, std::move(forms)} {
    for (std::size_t form = 0; form < result_.outputs.size(); ++form) enter_all(form);
  }

  bool step() {
    const Pair* found = occurrences_.most_frequent();
    if (!found) return false;
    const Pair pair = *found;
    const std::set<std::size_t> users = occurrences_.users(pair);
    const bool of_a = leads_with_a(pair, users);
    const int variable = result_.variable_count();
    result_.definitions.push_back(definition(pair, of_a));
    for (const std::size_t user : users) replace(user, pair, of_a ? pair.a : pair.b, variable);
    return true;
  }

  SharedForms take() { return std::move(result_); }

 private:
  using Visit = void (Occurrences::*)(const Pair&, std::size_t);

  void visit(std::size_t form, int variable, Visit change) {
    const LinearForm& terms = result_.outputs[form];
    const Rational& own = terms.at(variable);
    for (const auto& [other, coefficient] : terms) {
      if (other == variable) continue;
      const Pair pair = pair_of(variable, own, other, coefficient);
      (occurrences_.*change)(pair, form);
    }
  }

  Pair pair_of(int x, const Rational& of_x, int y, const Rational& of_y) {
    const Rational ratio = of_y / of_x;
    const Rational size = abs(ratio);
    const bool x_first = size > 1 || (size == 1 && x < y);
    if (x_first) return {x, y, ratios_.number(ratio)};
    return {y, x, ratios_.number(1 / ratio)};
  }

  void enter_all(std::size_t form) {
    const LinearForm terms = std::exchange(result_.outputs[form], {});
    for (const auto& [variable, coefficient] : terms) {
      result_.outputs[form].emplace(variable, coefficient);
      visit(form, variable, &Occurrences::add);
    }
  }

  bool leads_with_a(const Pair& pair, const std::set<std::size_t>& users) const {
    std::ptrdiff_t advantage = 0;
    for (const std::size_t user : users) {
      const LinearForm& form = result_.outputs[user];
      advantage += static_cast<int>(abs(form.at(pair.a)) == 1) - static_cast<int>(abs(form.at(pair.b)) == 1);
    }
    return advantage >= 0;
  }

  LinearForm definition(const Pair& pair, bool of_a) const {
    const Rational& ratio = ratios_.ratio(pair.ratio);
    if (of_a) return {{pair.a, 1}, {pair.b, ratio}};
    return {{pair.a, 1 / ratio}, {pair.b, 1}};
  }

  void replace(std::size_t form, const Pair& pair, int lead, int variable) {
    LinearForm& terms = result_.outputs[form];
    const Rational coefficient = terms.at(lead);
    for (const int part : {pair.a, pair.b}) {
      visit(form, part, &Occurrences::remove);
      terms.erase(part);
    }
    terms.emplace(variable, coefficient);
    visit(form, variable, &Occurrences::add);
  }

  SharedForms result_;
  Ratios ratios_;
  Occurrences occurrences_;
};

}  // namespace

SharedForms share_pairs(std::vector<LinearForm> forms, int inputs, const std::stop_token& stop) {
  Sharing sharing(std::move(forms), inputs);
  do throw_if_stopped(stop);
  while (sharing.step());
  return sharing.take();
}

}  // namespace convscope::winograd
