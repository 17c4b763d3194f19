#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/arch/write_program_json.h"
#include "core/nmp/architecture/assembly.h"
#include "core/nmp/architecture/program_fields.h"
#include "core/nmp/architecture/program_json.h"

namespace convscope::nmp {
namespace {

using arch::JsonVisitor;
using arch::WrittenJson;

constexpr std::size_t words_of_a_line = 12;

std::string dumped(const WrittenJson& json) {
  return json.dump(-1, ' ', false, WrittenJson::error_handler_t::replace);
}

std::string joined(const std::vector<std::string>& items, bool lines) {
  if (items.empty()) return "[]";
  return lines ? fmt::format("[\n  {}\n]", fmt::join(items, ",\n  ")) : fmt::format("[{}]", fmt::join(items, ","));
}

template <typename Part>
std::string parts(const std::vector<Part>& all, bool lines) {
  std::vector<std::string> items;
  for (const Part& part : all) {
    JsonVisitor visitor;
    visit_fields(visitor, part);
    items.push_back(dumped(visitor.json));
  }
  return joined(items, lines);
}

/// All parameters, those of a ring where they are not the defaults.
WrittenJson machine_json(const Machine& machine) {
  WrittenJson json = arch::machine_json(parameter_values(machine));
  if (machine.ring == Ring{})
    for (const std::string_view name : ring_parameters) json.erase(std::string(name));
  return json;
}

std::string traffic(const TrafficBytes& bytes) {
  WrittenJson json = WrittenJson::object();
  for (std::size_t i = 0; i < traffic_kinds; ++i) json[std::string(traffic_names[i])] = bytes[i];
  return dumped(json);
}

}  // namespace

std::string hexadecimal(const std::vector<std::uint32_t>& words) {
  std::string text;
  for (const std::uint32_t word : words) text += fmt::format("{:08x}", word);
  return text;
}

namespace {

std::vector<std::string> words_in_lines(const std::vector<std::uint32_t>& words) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < words.size(); i += words_of_a_line) {
    const std::size_t end = std::min(words.size(), i + words_of_a_line);
    const auto from = words.begin();
    lines.push_back(
        '"' + hexadecimal({from + static_cast<std::ptrdiff_t>(i), from + static_cast<std::ptrdiff_t>(end)}) + '"');
  }
  return lines;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> program_members(const Program& program, bool lines) {
  std::vector<std::string> data;
  for (const std::vector<std::uint32_t>& words : program.data) data.push_back('"' + hexadecimal(words) + '"');
  return {{"format", "\"convscope-nmp-program\""},
          {"version", "2"},
          {"name", dumped(program.name)},
          {"machine", dumped(machine_json(program.machine))},
          {"level", '"' + std::string(level_names[static_cast<std::size_t>(program.level)]) + '"'},
          {"commands_hold_dram", program.commands_hold_dram ? "true" : "false"},
          {"dram_bytes", fmt::format("{}", program.dram_bytes)},
          {"traffic", traffic(program.traffic)},
          {"regions", parts(program.regions, lines)},
          {"layers", parts(program.layers, lines)},
          {"ranges", parts(program.ranges, lines)},
          {"data", joined(data, lines)},
          {"tables", joined(words_in_lines(program.tables), lines)}};
}

std::string write_program_file(const Program& program) {
  const std::vector<std::string> code = words_in_lines(program.code);
  std::string text;
  for (const auto& [key, value] : program_members(program, true))
    text += fmt::format("{}\"{}\": {}", text.empty() ? "{\n" : ",\n", key, value);
  return text + fmt::format(",\n\"code\": {}\n}}\n", joined(code, true));
}

}  // namespace convscope::nmp
