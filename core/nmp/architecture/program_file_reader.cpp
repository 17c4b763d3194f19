#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/json_text.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/nmp/architecture/assembly.h"
#include "core/nmp/architecture/program_check.h"
#include "core/nmp/architecture/program_fields.h"
#include "core/nmp/architecture/program_json.h"

namespace convscope::nmp {
namespace {

using ReadJson = nlohmann::json;

constexpr std::size_t word_digits = 8;

/// Where something is wrong is said; the program is refused.
class Refusals {
 public:
  Refusals(const std::string& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}
  void add(const std::string& element, const std::string& what, const std::string& expected) {
    any_ = true;
    diagnostics_.error({file_, 0, element}, what, expected);
  }
  bool any() const { return any_; }

 private:
  const std::string& file_;
  Diagnostics& diagnostics_;
  bool any_ = false;
};

std::int64_t integer_of(const ReadJson& json) {
  const bool small = !json.is_number_unsigned() || json.get<std::uint64_t>() <= std::uint64_t{INT64_MAX};
  return small ? json.get<std::int64_t>() : INT64_MAX;
}

/// Takes fields from an object; each must be there, and no other.
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

/// The members of the whole file.
struct Head {
  std::string format;
  int version = 0;
  const ReadJson *machine = nullptr, *regions = nullptr, *layers = nullptr, *ranges = nullptr, *data = nullptr,
                 *code = nullptr;
  Program program;
};

struct TrafficFields {
  TrafficBytes* bytes;
};
void visit_fields(JsonFields& visit, TrafficFields& traffic) {
  for (std::size_t i = 0; i < traffic_kinds; ++i)
    visit.number(traffic_names[i].data(), (*traffic.bytes)[i], 0, std::int64_t{1} << 50);
}

void visit_fields(JsonFields& visit, Head& head) {
  visit.text("format", head.format);
  visit.number("version", head.version, 0, INT32_MAX);
  visit.text("name", head.program.name);
  visit.json("machine", head.machine, &ReadJson::is_object, "an object");
  visit.choice("level", head.program.level, level_names);
  visit.flag("commands_hold_dram", head.program.commands_hold_dram);
  visit.number("dram_bytes", head.program.dram_bytes, 0, most_dram_bytes);
  TrafficFields traffic{&head.program.traffic};
  visit.part("traffic", traffic);
  visit.json("regions", head.regions, &ReadJson::is_array, "an array");
  visit.json("layers", head.layers, &ReadJson::is_array, "an array");
  visit.json("ranges", head.ranges, &ReadJson::is_array, "an array");
  visit.json("data", head.data, &ReadJson::is_array, "an array");
  visit.json("code", head.code, &ReadJson::is_array, "an array");
}

class ProgramReader {
 public:
  ProgramReader(const std::string& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics), refusals_(file, diagnostics) {}

  std::optional<Program> read(const ReadJson& json) {
    Head head;
    JsonFields(json, "program", refusals_).read(head);
    if (refusals_.any()) return std::nullopt;
    if (head.format != "convscope-nmp-program" || head.version != 1)
      refusals_.add("format", "another format or version", "\"convscope-nmp-program\", version 1");
    program_ = std::move(head.program);
    machine(*head.machine);
    parts(*head.regions, "region", most_parts, program_.regions);
    parts(*head.layers, "layer", most_parts, program_.layers);
    parts(*head.ranges, "range", most_instructions, program_.ranges);
    words_of_all(*head.data);
    for (std::size_t i = 0; i < head.code->size(); ++i)
      if (!words((*head.code)[i], fmt::format("code item {}", i), program_.code)) break;
    if (refusals_.any() || !check_program(program_, file_, diagnostics_)) return std::nullopt;
    return std::move(program_);
  }

 private:
  void machine(const ReadJson& json) {
    arch::ParameterValues values(machine_description());
    Diagnostics found;
    for (const auto& parameter : values.description().parameters) {
      const auto value = json.find(parameter.name);
      if (value == json.end())
        refusals_.add("machine", fmt::format("no member '{}'", parameter.name), "all parameters");
      else if (!value->is_string() && !value->is_number())
        refusals_.add("machine " + parameter.name, value->type_name(), "a number or the name of a choice");
      else
        values.set(parameter.name, spelling(*value), found, {file_, 0, "machine " + parameter.name});
    }
    for (const auto& [key, value] : json.items())
      if (!values.description().find(key))
        refusals_.add("machine", "unknown member " + convscope::quoted(key), "parameters only");
    if (!refusals_.any() && !found.has_errors()) values.check(found);
    for (const Diagnostic& diagnostic : found.items())
      refusals_.add(diagnostic.where.element, diagnostic.what, diagnostic.expected);
    if (!refusals_.any()) program_.machine = machine_from(values);
  }
  static std::string spelling(const ReadJson& value) {
    if (value.is_string()) return value.get<std::string>();
    return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
  }

  template <typename Part>
  void parts(const ReadJson& json, const char* what, std::int64_t most, std::vector<Part>& all) {
    if (static_cast<std::int64_t>(json.size()) > most)
      return refusals_.add(fmt::format("{}s", what), fmt::format("{} items", json.size()),
                           fmt::format("at most {}", most));
    all.resize(json.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      JsonFields(json[i], fmt::format("{} {}", what, i), refusals_).read(all[i]);
  }

  void words_of_all(const ReadJson& json) {
    if (static_cast<std::int64_t>(json.size()) > most_parts)
      return refusals_.add("data", fmt::format("{} items", json.size()), fmt::format("at most {}", most_parts));
    program_.data.resize(json.size());
    for (std::size_t i = 0; i < json.size(); ++i)
      if (!words(json[i], fmt::format("data {}", i), program_.data[i])) break;
  }

  bool words(const ReadJson& json, const std::string& element, std::vector<std::uint32_t>& all) {
    const std::string digits = json.is_string() ? json.get<std::string>() : std::string("-");
    if (digits.size() % word_digits != 0 || digits.find_first_not_of("0123456789abcdef") != std::string::npos) {
      refusals_.add(element, "no words", "8 hexadecimal digits for each, a to f in small letters");
      return false;
    }
    for (std::size_t at = 0; at < digits.size(); at += word_digits)
      all.push_back(*parse_integer<std::uint32_t>(std::string_view(digits).substr(at, word_digits), 16));
    return true;
  }

  const std::string& file_;
  Diagnostics& diagnostics_;
  Refusals refusals_;
  Program program_;
};

}  // namespace

std::optional<Program> program_from(const nlohmann::json& json, const std::string& file, Diagnostics& diagnostics) {
  return ProgramReader(file, diagnostics).read(json);
}

std::optional<Program> read_program_file(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  const JsonLimits limits{largest_text, program_depth};
  if (!check_json(text, file, limits, "a program file", diagnostics)) return std::nullopt;
  return program_from(ReadJson::parse(text.begin(), text.end(), nullptr, false), file, diagnostics);
}

}  // namespace convscope::nmp
