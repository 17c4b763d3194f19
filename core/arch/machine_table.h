#pragma once
// The one place where a target says what can be set on its machine, and where that stands in its plain struct. What
// people see (panel, presets, `--set`, sweeps), the struct from values and the values from a struct follow from it.

#include <cassert>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/arch/parameters.h"

namespace convscope::arch {

/// What people read of a parameter; see ParameterDescription.
struct ParameterText {
  const char* name;
  const char* label;
  const char* unit;
  const char* help;
};

struct ParameterRange {
  double minimum = 0, maximum = 0, step = 1;
};

/// A description without group and default.
ParameterDescription described(const ParameterText& text, ParameterKind kind, ParameterRange range);

/// The value that times `scale` is exactly `scaled`, the one with the shortest text if several are; else the quotient.
double unscaled(double scaled, double scale);

/// How a parameter gets into a machine and back.
template <typename Machine>
struct Conversion {
  std::function<void(Machine&, double)> put;
  std::function<double(const Machine&)> take;
  bool derived = true;  ///< looks at other members, which are put before it

  /// A number in the struct, as a member pointer or a function from a machine to a reference; it holds the parameter's
  /// value times `scale`, e.g. 1e6 for MHz in a member in Hz.
  template <typename Access>
  requires std::is_invocable_v<Access, Machine&> Conversion(Access access, double scale = 1)
      : put([access, scale](Machine& machine, double value) {
          auto& member = std::invoke(access, machine);
          member = static_cast<std::decay_t<decltype(member)>>(value * scale);
        }),
        take([access, scale](Machine machine) {
          return unscaled(static_cast<double>(std::invoke(access, machine)), scale);
        }),
        derived(false) {}

  /// What is no member by itself.
  Conversion(std::function<void(Machine&, double)> into, std::function<double(const Machine&)> back)
      : put(std::move(into)), take(std::move(back)) {}
};

/// `Machine` is a plain struct whose default members are the defaults of its parameters. Rows stand in the order in
/// which people see them.
template <typename Machine>
class MachineTable {
 public:
  using Row = Conversion<Machine>;

  MachineTable(std::string target, std::string title) {
    description_->target = std::move(target);
    description_->title = std::move(title);
  }

  /// Heading of the rows that follow.
  MachineTable& group(std::string name) {
    group_ = std::move(name);
    return *this;
  }
  MachineTable& integer(const ParameterText& text, Row row, ParameterRange range) {
    return add(described(text, ParameterKind::integer, range), std::move(row));
  }
  MachineTable& power_of_two(const ParameterText& text, Row row, ParameterRange range) {
    ParameterDescription description = described(text, ParameterKind::integer, range);
    description.powers_of_two = true;
    return add(std::move(description), std::move(row));
  }
  MachineTable& real(const ParameterText& text, Row row, ParameterRange range) {
    return add(described(text, ParameterKind::real, range), std::move(row));
  }
  /// A member with one of a few values, each with its name.
  template <typename Base, typename Value>
  MachineTable& choice(const ParameterText& text, Value Base::*member,
                       const std::vector<std::pair<const char*, std::type_identity_t<Value>>>& choices) {
    std::vector<std::string> names;
    names.reserve(choices.size());
    for (const auto& [name, value] : choices) names.emplace_back(name);
    Row row([member, choices](Machine& machine,
                              double index) { machine.*member = choices[static_cast<std::size_t>(index)].second; },
            [member, choices](const Machine& machine) {
              std::size_t index = 0;
              while (!(choices[index].second == machine.*member)) assert(index + 1 < choices.size()), ++index;
              return static_cast<double>(index);
            });
    row.derived = false;
    return choice(text, std::move(row), std::move(names));
  }
  /// The row's numbers are indices of names.
  MachineTable& choice(const ParameterText& text, Row row, std::vector<std::string> names) {
    ParameterDescription description =
        described(text, ParameterKind::choice, {0, static_cast<double>(names.size()) - 1});
    description.choices = std::move(names);
    return add(std::move(description), std::move(row));
  }
  MachineTable& constraint(Constraint constraint) {
    description_->constraints.push_back(std::move(constraint));
    return *this;
  }

  const std::shared_ptr<const MachineDescription>& description() const { return shared_; }

  /// The machine that values of this description stand for.
  Machine machine(const ParameterValues& values) const {
    assert(values.description().parameters.size() == rows_.size());
    Machine machine;
    for (const bool derived : {false, true})
      for (std::size_t i = 0; i < rows_.size(); ++i)
        if (rows_[i].derived == derived) rows_[i].put(machine, values.at(i));
    return machine;
  }
  /// The way back: machine(values(m)) == m for every m that machine() makes.
  ParameterValues values(const Machine& machine) const {
    ParameterValues values(shared_);
    for (std::size_t i = 0; i < rows_.size(); ++i) values.set_at(i, rows_[i].take(machine));
    return values;
  }

 private:
  MachineTable& add(ParameterDescription description, Row row) {
    description.group = group_;
    description.initial = row.take(Machine{});
    description_->parameters.push_back(std::move(description));
    rows_.push_back(std::move(row));
    return *this;
  }

  std::shared_ptr<MachineDescription> description_ = std::make_shared<MachineDescription>();
  std::shared_ptr<const MachineDescription> shared_ = description_;
  std::string group_;
  std::vector<Row> rows_;
};

}  // namespace convscope::arch
