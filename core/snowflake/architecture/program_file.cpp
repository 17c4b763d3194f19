#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/arch/write_program_json.h"
#include "core/snowflake/architecture/assembly.h"
#include "core/snowflake/architecture/program_fields.h"

namespace convscope::snowflake {
namespace {

using arch::JsonVisitor;
using Json = arch::WrittenJson;

constexpr std::size_t instructions_of_a_line = 12;

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// One line for each part: short enough to compare, long enough to read.
std::string lines(const std::vector<std::string>& items) {
  return items.empty() ? "[]" : fmt::format("[\n  {}\n]", fmt::join(items, ",\n  "));
}

template <typename Part>
std::string parts(const std::vector<Part>& all) {
  std::vector<std::string> items;
  for (const Part& part : all) {
    JsonVisitor visitor;
    visit_fields(visitor, part);
    items.push_back(dumped(visitor.json));
  }
  return lines(items);
}

std::string code(const std::vector<EncodedInstruction>& words) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i % instructions_of_a_line == 0) items.emplace_back("\"");
    items.back() += fmt::format("{:08x}", words[i]);
    if (i % instructions_of_a_line == instructions_of_a_line - 1 || i + 1 == words.size()) items.back() += '"';
  }
  return lines(items);
}

}  // namespace

std::string write_program_file(const Program& program) {
  const std::pair<const char*, std::string> members[] = {
      {"format", "\"convscope-snowflake-program\""},
      {"version", "1"},
      {"name", dumped(program.name)},
      {"machine", dumped(arch::machine_json(parameter_values(program.machine)))},
      {"dram_words", fmt::format("{}", program.dram_words)},
      {"regions", parts(program.regions)},
      {"layers", parts(program.layers)},
      {"blocks", parts(program.blocks)},
      {"ranges", parts(program.ranges)},
      {"code", code(program.code)}};
  std::string text;
  for (const auto& [key, value] : members)
    text += fmt::format("{}\"{}\": {}", text.empty() ? "{\n" : ",\n", key, value);
  return text + "\n}\n";
}

}  // namespace convscope::snowflake
