#pragma once
// Programs as JSON files, whatever the target: how members that visit_fields(visitor, part) names are taken, and what
// is said of those that are missing, unknown, of another kind or out of range. For sources alone: it brings the whole
// parser.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/arch/parameters.h"
#include "core/base/diagnostic.h"
#include "core/base/text.h"

namespace convscope::arch {

using ReadJson = nlohmann::json;

/// Where something is wrong is said; the program is refused.
class Refusals {
 public:
  Refusals(const std::string& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}
  void add(const std::string& element, const std::string& what, const std::string& expected) {
    any_ = true;
    diagnostics_.error({file_, 0, element}, what, expected);
  }
  bool any() const { return any_; }
  const std::string& file() const { return file_; }

 private:
  const std::string& file_;
  Diagnostics& diagnostics_;
  bool any_ = false;
};

inline std::int64_t integer_of(const ReadJson& json) {
  const bool small = !json.is_number_unsigned() || json.get<std::uint64_t>() <= std::uint64_t{INT64_MAX};
  return small ? json.get<std::int64_t>() : INT64_MAX;
}

/// Takes fields from an object; each must be there but those that are asked for by `given`, and no other.
class JsonFields {
 public:
  JsonFields(const ReadJson& json, std::string element, Refusals& refusals)
      : json_(json), element_(std::move(element)), refusals_(refusals) {}

  template <typename Part>
  void read(Part& part) {
    if (!json_.is_object()) return refusals_.add(element_, json_.type_name(), "an object");
    visit_fields(*this, part);
    expect_no_more();
  }

  void text(const char* name, std::string& value) {
    if (const ReadJson* json = member(name, &ReadJson::is_string, "a text")) value = json->get<std::string>();
  }
  void flag(const char* name, bool& value) {
    if (const ReadJson* json = member(name, &ReadJson::is_boolean, "true or false")) value = json->get<bool>();
  }
  template <typename Choice>
  void choice(const char* name, Choice& value, std::span<const std::string_view> names) {
    const ReadJson* const json = member(name, &ReadJson::is_string, "a name");
    if (!json) return;
    const auto spelling = json->get<std::string>();
    const auto found = std::find(names.begin(), names.end(), spelling);
    if (found == names.end()) return fail(name, convscope::quoted(spelling), fmt::format("{}", fmt::join(names, ", ")));
    value = static_cast<Choice>(found - names.begin());
  }
  template <typename Number>
  void number(const char* name, Number& value, std::int64_t lowest, std::int64_t highest) {
    const ReadJson* const json = member(name, &ReadJson::is_number_integer, "an integer");
    if (!json) return;
    const std::int64_t read = integer_of(*json);
    if (read < lowest || read > highest) return fail(name, json->dump(), fmt::format("{} to {}", lowest, highest));
    value = static_cast<Number>(read);
  }
  template <typename Number>
  void numbers(const char* name, std::vector<Number>& values, std::int64_t lowest, std::int64_t highest) {
    const ReadJson* const json = member(name, &ReadJson::is_array, "an array");
    if (!json) return;
    for (const ReadJson& item : *json) {
      const std::int64_t read = item.is_number_integer() ? integer_of(item) : INT64_MAX;
      if (read < lowest || read > highest) return fail(name, "another item", fmt::format("{} to {}", lowest, highest));
      values.push_back(static_cast<Number>(read));
    }
  }
  template <typename Part>
  void part(const char* name, Part& value) {
    if (const ReadJson* json = member(name, &ReadJson::is_object, "an object"))
      JsonFields(*json, fmt::format("{} {}", element_, name), refusals_).read(value);
  }
  /// Whether a member is there that may be left out.
  bool given(const char* name, bool /*is*/) const { return json_.contains(name); }
  /// A member that is read later.
  void json(const char* name, const ReadJson*& value, bool (ReadJson::*kind)() const noexcept, const char* expected) {
    value = member(name, kind, expected);
  }

 private:
  void expect_no_more() {
    for (const auto& [key, value] : json_.items())
      if (!known_.contains(key))
        refusals_.add(element_, fmt::format("unknown member {}", convscope::quoted(key)),
                      fmt::format("{}", fmt::join(known_, ", ")));
  }
  const ReadJson* member(const char* name, bool (ReadJson::*kind)() const noexcept, const char* expected) {
    known_.insert(name);
    const auto found = json_.find(name);
    if (found == json_.end()) {
      refusals_.add(element_, fmt::format("no member '{}'", name), "all members");
      return nullptr;
    }
    if (((*found).*kind)()) return &*found;
    fail(name, found->type_name(), expected);
    return nullptr;
  }
  void fail(const char* name, const std::string& what, const std::string& expected) {
    refusals_.add(fmt::format("{} {}", element_, name), what, expected);
  }

  const ReadJson& json_;
  std::string element_;
  Refusals& refusals_;
  std::set<std::string> known_;
};

/// As many parts as the array has items, each an object with all members of its kind.
template <typename Part>
void read_parts(const ReadJson& json, const char* what, std::int64_t most, std::vector<Part>& all, Refusals& refusals) {
  if (static_cast<std::int64_t>(json.size()) > most)
    return refusals.add(fmt::format("{}s", what), fmt::format("{} items", json.size()),
                        fmt::format("at most {}", most));
  all.resize(json.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    JsonFields(json[i], fmt::format("{} {}", what, i), refusals).read(all[i]);
}

/// All parameters of a machine, which must fit together; nothing if anything was refused so far.
std::optional<ParameterValues> read_machine(const ReadJson& json, std::shared_ptr<const MachineDescription> description,
                                            Refusals& refusals);

}  // namespace convscope::arch
