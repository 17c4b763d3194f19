#pragma once
// Sections of a configuration: "[type]" and the "key=value" lines below it. As in Darknet, blanks count nowhere and
// lines that start with '#' or ';' are comments.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/readers/common/report.h"

namespace convscope::readers::darknet {

inline constexpr std::size_t text_cap = std::size_t{4} << 20;
inline constexpr std::size_t section_cap = 20'000;

struct Option {
  std::string key;
  std::string value;
  int line = 0;
};

struct Section {
  std::string type;  ///< without brackets
  int line = 0;
  std::vector<Option> options;

  /// The first option of that name, as Darknet takes it; null if there is none.
  const Option* find(std::string_view key) const;
};

/// All sections; text before the first one, lines without '=', and repeated keys are reported.
std::vector<Section> parse_sections(std::string_view text, Report& report);

/// Limits of an integer option, both included.
struct Limits {
  std::int64_t smallest = 0;
  std::int64_t largest = std::numeric_limits<int>::max();
};

/// Typed options of one section; what is not a number or out of its limits is an error with its line.
class Options {
 public:
  Options(const Section& section, std::string layer, Report& report)
      : section_(section), layer_(std::move(layer)), report_(report) {}

  bool has(std::string_view key) const { return section_.find(key) != nullptr; }
  std::int64_t integer(std::string_view key, std::int64_t fallback, Limits limits) const;
  double real(std::string_view key, double fallback) const;
  std::string text(std::string_view key, const std::string& fallback) const;
  /// Integers separated by commas; empty if the option is absent or wrong.
  std::vector<std::int64_t> integers(std::string_view key) const;

 private:
  std::int64_t number(const Option& option, std::string_view text, Limits limits, std::int64_t fallback) const;

  const Section& section_;
  std::string layer_;
  Report& report_;
};

}  // namespace convscope::readers::darknet
