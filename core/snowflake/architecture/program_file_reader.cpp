#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/arch/read_program_json.h"
#include "core/base/json_text.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/snowflake/architecture/assembly.h"
#include "core/snowflake/architecture/program_check.h"
#include "core/snowflake/architecture/program_fields.h"

namespace convscope::snowflake {
namespace {

using arch::JsonFields;
using arch::ReadJson;
using arch::Refusals;

constexpr int depth_cap = 6;
constexpr std::size_t instruction_digits = 8;

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
    if (const auto values = arch::read_machine(*head.machine, machine_description(), refusals_))
      program_.machine = machine_from(*values);
    arch::read_parts(*head.regions, "region", most_parts, program_.regions, refusals_);
    arch::read_parts(*head.layers, "layer", most_parts, program_.layers, refusals_);
    arch::read_parts(*head.blocks, "block", most_instructions, program_.blocks, refusals_);
    arch::read_parts(*head.ranges, "range", most_instructions, program_.ranges, refusals_);
    code(*head.code);
    if (refusals_.any() || !check_program(program_, file_, diagnostics_)) return std::nullopt;
    return std::move(program_);
  }

 private:
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
