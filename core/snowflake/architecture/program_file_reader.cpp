#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/json_text.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/snowflake/architecture/assembly.h"
#include "core/snowflake/architecture/program_check.h"
#include "core/snowflake/architecture/program_fields.h"

namespace convscope::snowflake {
namespace {

using ReadJson = nlohmann::json;

constexpr int depth_cap = 6;
constexpr std::size_t instruction_digits = 8;

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

/// Takes fields from an object; each must be there, and no other.
class JsonFields {
 public:
  JsonFields(const ReadJson& json, std::string element, Refusals& refusals)
      : json_(json), element_(std::move(element)), refusals_(refusals) {}

  template <typename Part>
  void read(Part& part) {
    if (!json_.is_object()) return refusals_.add(element_, json_.type_name(), "an object");
    visit_fields(*this, part);
    for (const auto& [key, value] : json_.items())
      if (!known_.contains(key))
        refusals_.add(element_, fmt::format("unknown member {}", convscope::quoted(key)),
                      fmt::format("{}", fmt::join(known_, ", ")));
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
    const bool small = !json->is_number_unsigned() || json->get<std::uint64_t>() <= std::uint64_t{INT64_MAX};
    const std::int64_t read = small ? json->get<std::int64_t>() : INT64_MAX;
    if (read < lowest || read > highest) return fail(name, json->dump(), fmt::format("{} to {}", lowest, highest));
    value = static_cast<Number>(read);
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
  std::string format, name;
  int version = 0;
  std::int64_t dram_words = 0;
  const ReadJson *machine = nullptr, *regions = nullptr, *layers = nullptr, *blocks = nullptr, *ranges = nullptr,
                 *code = nullptr;
};

void visit_fields(JsonFields& visit, Head& head) {
  visit.text("format", head.format);
  visit.number("version", head.version, 0, INT32_MAX);
  visit.text("name", head.name);
  visit.json("machine", head.machine, &ReadJson::is_object, "an object");
  visit.number("dram_words", head.dram_words, 0, most_dram_words);
  visit.json("regions", head.regions, &ReadJson::is_array, "an array");
  visit.json("layers", head.layers, &ReadJson::is_array, "an array");
  visit.json("blocks", head.blocks, &ReadJson::is_array, "an array");
  visit.json("ranges", head.ranges, &ReadJson::is_array, "an array");
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
    if (head.format != "convscope-snowflake-program" || head.version != 1)
      refusals_.add("format", "another format or version", "\"convscope-snowflake-program\", version 1");
    program_.name = head.name;
    program_.dram_words = head.dram_words;
    machine(*head.machine);
    parts(*head.regions, "region", most_parts, program_.regions);
    parts(*head.layers, "layer", most_parts, program_.layers);
    parts(*head.blocks, "block", most_instructions, program_.blocks);
    parts(*head.ranges, "range", most_instructions, program_.ranges);
    code(*head.code);
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

  void code(const ReadJson& json) {
    for (std::size_t i = 0; i < json.size(); ++i) {
      const std::string digits = json[i].is_string() ? json[i].get<std::string>() : std::string("-");
      if (digits.size() % instruction_digits != 0 || digits.find_first_not_of("0123456789abcdef") != std::string::npos)
        return refusals_.add(fmt::format("code item {}", i), "no instructions",
                             "8 hexadecimal digits for each, a to f in small letters");
      for (std::size_t at = 0; at < digits.size(); at += instruction_digits)
        program_.code.push_back(
            *parse_integer<EncodedInstruction>(std::string_view(digits).substr(at, instruction_digits), 16));
    }
  }

  const std::string& file_;
  Diagnostics& diagnostics_;
  Refusals refusals_;
  Program program_;
};

}  // namespace

std::optional<Program> read_program_file(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  const JsonLimits limits{largest_text, depth_cap};
  if (!check_json(text, file, limits, "a program file", diagnostics)) return std::nullopt;
  const ReadJson json = ReadJson::parse(text.begin(), text.end(), nullptr, false);
  return ProgramReader(file, diagnostics).read(json);
}

std::optional<Program> read_any_program(std::string_view text, const std::string& file, Diagnostics& diagnostics,
                                        std::vector<int>* lines) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') return read_program_file(text, file, diagnostics);
  return parse_assembly(text, file, diagnostics, lines);
}

}  // namespace convscope::snowflake
