#pragma once
// What a run can be told, described once by the target: the command line documents, checks and passes it on without
// knowing what it means.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"

namespace convscope::target {

enum class OptionKind { integer, choice, text };

struct OptionDescription {
  std::string name;   ///< of the flag, without dashes: "coefficients-seed"
  std::string label;  ///< for people: "Seed of the coefficients"
  std::string help;   ///< one line
  OptionKind kind = OptionKind::text;
  std::string initial;                                              ///< text of the default
  std::int64_t minimum = 0;                                         ///< of an integer
  std::int64_t maximum = std::numeric_limits<std::int64_t>::max();  ///< of an integer
  std::vector<std::string> choices = {};                            ///< of a choice

  /// What is wrong with a value, for people; empty if nothing is.
  std::string mistake(std::string_view value) const;
};

/// A value for each described option; defaults at first.
class OptionValues {
 public:
  explicit OptionValues(std::vector<OptionDescription> descriptions);

  const std::vector<OptionDescription>& descriptions() const { return descriptions_; }
  /// False, with a diagnostic and nothing changed, if there is no such option or the value is refused.
  bool set(std::string_view name, std::string_view value, Diagnostics& diagnostics);
  /// Asserts that there is such an option; `integer` that it is one.
  const std::string& text(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;

 private:
  std::size_t index_of(std::string_view name) const;

  std::vector<OptionDescription> descriptions_;
  std::vector<std::string> values_;
};

}  // namespace convscope::target
