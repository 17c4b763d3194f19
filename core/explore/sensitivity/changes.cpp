#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "core/explore/sensitivity/sensitivity.h"

namespace convscope::explore {
namespace {

using arch::ParameterDescription;
using arch::ParameterKind;
using arch::ParameterValues;

// Values that are tried on the way back from a limit that a constraint forbids.
constexpr int way_back = 32;

double stepped(const ParameterDescription& parameter, double value, int direction) {
  if (parameter.powers_of_two) return direction > 0 ? value * 2 : value / 2;
  double step = parameter.step;
  if (parameter.kind == ParameterKind::real) {
    const double tenth = std::abs(value) / 10;
    step = step > 0 ? std::max(step, std::round(tenth / step) * step) : tenth;
  }
  return value + direction * step;
}

double between(const ParameterDescription& parameter, double from, double to, double part) {
  const bool exponents = parameter.powers_of_two && from > 0 && to > 0;
  return exponents ? from * std::pow(to / from, part) : from + (to - from) * part;
}

std::string reason_of(const ParameterValues& machine) {
  Diagnostics diagnostics;
  machine.check(diagnostics);
  return diagnostics.empty() ? std::string() : diagnostics.items().front().expected;
}

class ChangeList {
 public:
  explicit ChangeList(const ParameterValues& machine) : machine_(machine) {}

  void add_all_of(std::size_t parameter) {
    const ParameterDescription& description = machine_.description().parameters[parameter];
    if (description.kind == ParameterKind::choice) return add_choices(parameter, description);
    add_limit(parameter, description.minimum, Move::lowest);
    add_step(parameter, -1, Move::step_down);
    add_step(parameter, 1, Move::step_up);
    add_limit(parameter, description.maximum, Move::highest);
  }
  std::vector<Change> take() { return std::move(changes_); }

 private:
  ParameterValues with(std::size_t parameter, double value) const {
    ParameterValues changed = machine_;
    changed.set_at(parameter, value);
    return changed;
  }

  void add(std::size_t parameter, double value, Move move, std::string impossible) {
    const ParameterValues changed = with(parameter, value);
    Change change;
    change.parameter = parameter;
    change.move = move;
    change.from = machine_.text(parameter);
    change.to = changed.text(parameter);
    change.impossible = std::move(impossible);
    changes_.push_back(std::move(change));
  }

  void add_choices(std::size_t parameter, const ParameterDescription& description) {
    for (std::size_t i = 0; i < description.choices.size(); ++i) {
      const auto value = static_cast<double>(i);
      if (value != machine_.at(parameter)) add(parameter, value, Move::choice, reason_of(with(parameter, value)));
    }
  }

  void add_step(std::size_t parameter, int direction, Move move) {
    const ParameterDescription& description = machine_.description().parameters[parameter];
    const double now = machine_.at(parameter);
    const double value = nearest_allowed(description, stepped(description, now, direction));
    if (value != now) add(parameter, value, move, reason_of(with(parameter, value)));
  }

  void add_limit(std::size_t parameter, double limit, Move move) {
    const ParameterDescription& description = machine_.description().parameters[parameter];
    const double now = machine_.at(parameter);
    const double end = nearest_allowed(description, limit);
    if (end == now) return;
    for (int i = 0; i < way_back; ++i) {
      const double value = nearest_allowed(description, between(description, end, now, i / double{way_back}));
      if (value != now && reason_of(with(parameter, value)).empty()) return add(parameter, value, move, {});
    }
    add(parameter, end, move, reason_of(with(parameter, end)));
  }

  const ParameterValues& machine_;
  std::vector<Change> changes_;
};

}  // namespace

const char* move_name(Move move) {
  switch (move) {
    case Move::step_down:
      return "step down";
    case Move::step_up:
      return "step up";
    case Move::lowest:
      return "lowest";
    case Move::highest:
      return "highest";
    case Move::choice:
      return "choice";
  }
  return "";
}

std::vector<Change> possible_changes(const ParameterValues& machine, const SensitivityOptions& options) {
  ChangeList list(machine);
  for (std::size_t i = 0; i < machine.description().parameters.size(); ++i) {
    const auto& only = options.parameters;
    if (only.empty() || std::find(only.begin(), only.end(), i) != only.end()) list.add_all_of(i);
  }
  return list.take();
}

ParameterValues changed_machine(const ParameterValues& machine, const Change& change) {
  ParameterValues changed = machine;
  Diagnostics diagnostics;
  const std::string& name = machine.description().parameters[change.parameter].name;
  const bool set = changed.set(name, change.to, diagnostics);
  assert(set);
  static_cast<void>(set);
  return changed;
}

}  // namespace convscope::explore
