#pragma once
// Whether the members that visit_fields(visitor, part) names are in the ranges that it states.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/diagnostic.h"
#include "core/base/text.h"

namespace convscope::arch {

/// Complains about numbers out of range; a value that a struct can hold but no name stands for as well.
class RangeVisitor {
 public:
  RangeVisitor(std::string element, const std::string& file, Diagnostics& diagnostics)
      : element_(std::move(element)), file_(file), diagnostics_(diagnostics) {}

  void text(const char* name, const std::string& value) {
    if (value != clean(value)) fail(name, "text that is no clean UTF-8", "text without control characters");
  }
  void flag(const char*, bool) {}
  template <typename Choice>
  void choice(const char* name, Choice value, std::span<const std::string_view> names) {
    number(name, static_cast<std::int64_t>(value), 0, static_cast<std::int64_t>(names.size()) - 1);
  }
  void number(const char* name, std::int64_t value, std::int64_t lowest, std::int64_t highest) {
    if (value < lowest || value > highest)
      fail(name, fmt::format("{}", value), fmt::format("{} to {}", lowest, highest));
  }
  template <typename Number>
  void numbers(const char* name, const std::vector<Number>& values, std::int64_t lowest, std::int64_t highest) {
    const auto wrong =
        std::find_if(values.begin(), values.end(), [&](std::int64_t v) { return v < lowest || v > highest; });
    if (wrong != values.end()) number(name, *wrong, lowest, highest);
  }
  bool given(const char*, bool is) const { return is; }
  template <typename Part>
  void part(const char* name, const Part& value) {
    RangeVisitor inner(fmt::format("{} {}", element_, name), file_, diagnostics_);
    visit_fields(inner, value);
  }

 private:
  void fail(const char* name, std::string what, std::string expected) {
    diagnostics_.error({file_, 0, fmt::format("{} {}", element_, name)}, std::move(what), std::move(expected));
  }
  std::string element_;
  const std::string& file_;
  Diagnostics& diagnostics_;
};

}  // namespace convscope::arch
