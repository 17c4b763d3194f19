#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/arch/read_program_json.h"
#include "core/base/json_text.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/nmp/architecture/assembly.h"
#include "core/nmp/architecture/program_check.h"
#include "core/nmp/architecture/program_fields.h"
#include "core/nmp/architecture/program_json.h"

namespace convscope::nmp {
namespace {

using arch::JsonFields;
using arch::ReadJson;
using arch::Refusals;

constexpr std::size_t word_digits = 8;

/// The members of the whole file.
struct Head {
  std::string format;
  int version = 0;
  const ReadJson *machine = nullptr, *regions = nullptr, *layers = nullptr, *ranges = nullptr, *data = nullptr,
                 *tables = nullptr, *code = nullptr;
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
  visit.json("tables", head.tables, &ReadJson::is_array, "an array");
  visit.json("code", head.code, &ReadJson::is_array, "an array");
}

/// Parameters of a ring that are left out are those of a machine without one.
ReadJson with_ring(ReadJson machine) {
  const arch::ParameterValues usual(machine_description());
  for (const std::string_view name : ring_parameters) {
    const std::string key(name);
    if (!machine.contains(key)) machine[key] = usual.text(usual.description().find(key).value());
  }
  return machine;
}

class ProgramReader {
 public:
  ProgramReader(const std::string& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics), refusals_(file, diagnostics) {}

  std::optional<Program> read(const ReadJson& json) {
    Head head;
    JsonFields(json, "program", refusals_).read(head);
    if (refusals_.any()) return std::nullopt;
    if (head.format != "convscope-nmp-program" || head.version != 2)
      refusals_.add("format", "another format or version", "\"convscope-nmp-program\", version 2");
    program_ = std::move(head.program);
    if (const auto values = arch::read_machine(with_ring(*head.machine), machine_description(), refusals_))
      program_.machine = machine_from(*values);
    arch::read_parts(*head.regions, "region", most_parts, program_.regions, refusals_);
    arch::read_parts(*head.layers, "layer", most_parts, program_.layers, refusals_);
    arch::read_parts(*head.ranges, "range", most_instructions, program_.ranges, refusals_);
    words_of_all(*head.data);
    for (std::size_t i = 0; i < head.tables->size(); ++i)
      if (!words((*head.tables)[i], fmt::format("tables item {}", i), program_.tables)) break;
    for (std::size_t i = 0; i < head.code->size(); ++i)
      if (!words((*head.code)[i], fmt::format("code item {}", i), program_.code)) break;
    if (refusals_.any() || !check_program(program_, file_, diagnostics_)) return std::nullopt;
    return std::move(program_);
  }

 private:
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
