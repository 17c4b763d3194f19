#pragma once
// Programs as JSON files, whatever the target: the other direction of read_program_json.h. For sources alone.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/arch/parameters.h"

namespace convscope::arch {

using WrittenJson = nlohmann::ordered_json;

/// Fields as the members of an object.
class JsonVisitor {
 public:
  void text(const char* name, const std::string& value) { json[name] = value; }
  void flag(const char* name, bool value) { json[name] = value; }
  template <typename Choice>
  void choice(const char* name, Choice value, std::span<const std::string_view> names) {
    json[name] = names[static_cast<std::size_t>(value)];
  }
  void number(const char* name, std::int64_t value, std::int64_t, std::int64_t) { json[name] = value; }
  template <typename Number>
  void numbers(const char* name, const std::vector<Number>& values, std::int64_t, std::int64_t) {
    json[name] = values;
  }
  /// A member that may be left out is written where it is given.
  bool given(const char*, bool is) const { return is; }
  template <typename Part>
  void part(const char* name, const Part& value) {
    JsonVisitor inner;
    visit_fields(inner, value);
    json[name] = std::move(inner.json);
  }

  WrittenJson json = WrittenJson::object();
};

/// Names of choices, integers as such, all else as it is.
WrittenJson machine_json(const ParameterValues& values);

}  // namespace convscope::arch
