#pragma once
// What a user did that cannot work: collected, never thrown, so that one run reports everything.
// Programming errors are assertions instead.

#include <string>
#include <utility>
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

  /// One line: `FILE:LINE: error: layer 'L2': what; expected …; hint …`.
  std::string text() const;
};

class Diagnostics {
 public:
  void add(Diagnostic diagnostic) { items_.push_back(std::move(diagnostic)); }
  void error(Location where, std::string what, std::string expected = {}, std::string hint = {});
  void warning(Location where, std::string what, std::string expected = {}, std::string hint = {});
  void note(Location where, std::string what);
  void append(const Diagnostics& other) { items_.insert(items_.end(), other.items_.begin(), other.items_.end()); }

  bool has_errors() const;
  bool empty() const { return items_.empty(); }
  const std::vector<Diagnostic>& items() const { return items_; }
  /// All diagnostics, one a line, each line ended.
  std::string text() const;

 private:
  std::vector<Diagnostic> items_;
};

}  // namespace convscope
