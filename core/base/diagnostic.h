#pragma once
// What a user did that cannot work: collected, never thrown, so that one run reports everything.
// Programming errors are assertions instead.

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace convscope {

enum class Severity { error, warning, note };

/// Where a diagnostic points. Empty or zero fields are unknown and are not printed.
struct Location {
  std::string file;
  int line = 0;         ///< 1-based; 0 if unknown
  std::string element;  ///< layer, XML element, field or parameter, e.g. "layer 'L2'"
  bool operator==(const Location&) const = default;
};

/// One finding: what is wrong, where, what was expected, what the user can do about it.
struct Diagnostic {
  Severity severity = Severity::error;
  Location where;
  std::string what;
  std::string expected;  ///< may be empty
  std::string hint;      ///< may be empty
  bool operator==(const Diagnostic&) const = default;

  /// One line of valid UTF-8: `FILE:LINE: error: layer 'L2': what; expected …; hint …`.
  std::string text() const;
};

/// What was found, in order: of each severity the first hundred, since a hostile file can hold millions of mistakes.
/// The last one that is listed says so.
class Diagnostics {
 public:
  static constexpr std::size_t cap = 100;

  void add(Diagnostic diagnostic);
  void error(Location where, std::string what, std::string expected = {}, std::string hint = {});
  void warning(Location where, std::string what, std::string expected = {}, std::string hint = {});
  void note(Location where, std::string what);
  void append(const Diagnostics& other);

  bool has_errors() const { return count(Severity::error) > 0; }
  /// With those that are not listed.
  std::size_t count(Severity severity) const { return counts_[static_cast<std::size_t>(severity)]; }
  bool empty() const { return items_.empty(); }
  const std::vector<Diagnostic>& items() const { return items_; }
  /// All diagnostics, one a line, each line ended.
  std::string text() const;

 private:
  std::vector<Diagnostic> items_;
  std::array<std::size_t, 3> counts_{};  ///< by severity
};

}  // namespace convscope
