#pragma once
// A machine describes its own parameters once. The parameter panel, XML presets, `--set`, sweeps, undo and
// session files all live off that one description.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"

namespace convscope::arch {

enum class ParameterKind { integer, real, choice };

/// One parameter. Values are doubles for all kinds: integers exactly, choices as index into `choices`.
struct ParameterDescription {
  std::string name;   ///< as in `--set name=value`, e.g. "lanes"; `--set nve.lanes=32` names the target too
  std::string label;  ///< full name for people
  std::string unit;   ///< "" if none
  std::string help;   ///< one line
  std::string group;  ///< heading in the panel
  ParameterKind kind = ParameterKind::integer;
  double minimum = 0, maximum = 0,
         step = 1;                   ///< inclusive range, steps from its minimum (0: any value); not for choices
  double initial = 0;                ///< default value
  bool powers_of_two = false;        ///< only powers of two in the range are allowed; sliders step by doubling
  std::vector<std::string> choices;  ///< names, for kind choice
};

class ParameterValues;

/// A relation between parameters that must hold; shown at each of the parameters it names.
struct Constraint {
  std::vector<std::string> parameters;
  std::string message;  ///< what must hold, e.g. "lanes must be an even number of activation outputs"
  std::function<bool(const ParameterValues&)> holds;
};

/// All parameters of one kind of machine. Immutable once built and shared by every set of values.
struct MachineDescription {
  std::string target;  ///< "nve"
  std::string title;   ///< "Neuro Vector Engine"
  std::vector<ParameterDescription> parameters;
  std::vector<Constraint> constraints;

  /// Index of a parameter by name (with or without "target."), or nothing.
  std::optional<std::size_t> find(std::string_view name) const;
};

/// A machine: a value for each described parameter. A value type; cheap to copy.
class ParameterValues {
 public:
  explicit ParameterValues(std::shared_ptr<const MachineDescription> description);

  const MachineDescription& description() const { return *description_; }
  const std::shared_ptr<const MachineDescription>& description_pointer() const { return description_; }
  double get(std::string_view name) const;  ///< asserts that the name is described
  int get_int(std::string_view name) const;
  const std::string& get_choice(std::string_view name) const;
  double at(std::size_t index) const { return values_[index]; }

  /// Sets without any check, for sliders that already keep the range.
  void set_at(std::size_t index, double value) { values_[index] = value; }
  /// Parses and sets; unknown name, malformed text, out of range or off step give a diagnostic and change nothing.
  bool set(std::string_view name, std::string_view text, Diagnostics& diagnostics, const Location& where = {});

  /// True if each value is in its range and every constraint holds; diagnostics name parameter, value and limits.
  bool check(Diagnostics& diagnostics) const;

  /// The value as people and presets write it: choice by name, integers without decimals.
  std::string text(std::size_t index) const;

  bool operator==(const ParameterValues& other) const { return values_ == other.values_; }

 private:
  std::shared_ptr<const MachineDescription> description_;
  std::vector<double> values_;
};

/// Checks one value against its description alone; nothing if fine, else what was expected.
std::optional<std::string> range_violation(const ParameterDescription& description, double value);

/// Nearest allowed value: clamped, on step, a power of two where needed. For sliders. The default for NaN.
double nearest_allowed(const ParameterDescription& description, double value);

/// What a broken constraint is reported as: the values of the parameters that it names, what must hold. No file, no
/// line.
Diagnostic broken_constraint(const Constraint& constraint, const ParameterValues& values);

}  // namespace convscope::arch
