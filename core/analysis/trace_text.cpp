#include "core/analysis/trace_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace convscope::analysis {
namespace {

using artifact::AccessKind;
using artifact::CycleChanges;
using artifact::StateAccess;
using artifact::StateBlock;
using Json = nlohmann::ordered_json;

const StateBlock& block_of(const TraceStretch& stretch, int block) {
  return stretch.trace.schema().blocks[static_cast<std::size_t>(block)];
}

bool asked_for(const TraceStretch& stretch, int block) {
  return stretch.blocks.empty() ||
         std::find(stretch.blocks.begin(), stretch.blocks.end(), block) != stretch.blocks.end();
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json value_json(const artifact::StateValues& values, std::size_t i) {
  if (!values.texts.empty()) return values.texts[i].empty() ? Json() : Json(values.texts[i]);
  return values.numbers[i] == artifact::no_value ? Json() : Json(values.numbers[i]);
}

Json values_json(const TraceStretch& stretch, std::int64_t cycle, int block, std::int64_t first, std::int64_t count) {
  const auto values = stretch.trace.values(cycle, block, first, count);
  Json list = Json::array();
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) list.push_back(value_json(values, i));
  return list;
}

Json access_json(const TraceStretch& stretch, std::int64_t cycle, const StateAccess& access) {
  Json json{{"block", block_of(stretch, access.block).name}, {"first", access.first}, {"count", access.count}};
  if (access.kind == AccessKind::write && access.count <= small_block)
    json["values"] = values_json(stretch, cycle, access.block, access.first, access.count);
  return json;
}

Json cycle_json(const TraceStretch& stretch, const CycleChanges& changes) {
  Json json{{"cycle", changes.cycle}};
  if (changes.address >= 0) {
    json["address"] = changes.address;
    json["instruction"] = stretch.trace.instruction(changes.address);
  }
  if (changes.iteration >= 0) json["iteration"] = changes.iteration;
  json["units"] = Json::array();
  for (std::size_t unit = 0; unit < changes.units.size(); ++unit)
    json["units"].push_back({{"activity", artifact::unit_activity_name(changes.units[unit].activity)},
                             {"text", stretch.trace.text(static_cast<int>(unit), changes)}});
  json["reads"] = Json::array();
  json["writes"] = Json::array();
  for (const StateAccess& access : changes.accesses)
    if (asked_for(stretch, access.block))
      json[access.kind == AccessKind::read ? "reads" : "writes"].push_back(access_json(stretch, changes.cycle, access));
  return json;
}

Json block_json(const TraceStretch& stretch, int number) {
  const StateBlock& block = block_of(stretch, number);
  Json json{{"name", block.name},         {"kind", artifact::state_kind_name(block.kind)},
            {"rows", block.rows},         {"columns", block.columns},
            {"bits", block.bits},         {"format", artifact::state_format_name(block.format)},
            {"fraction", block.fraction}, {"output", block.output},
            {"help", block.help}};
  if (!stretch.blocks.empty() && asked_for(stretch, number))
    json["before"] = values_json(stretch, stretch.from - 1, number, 0, block.size());
  return json;
}

/// "rw[0] 12 -3, ri 23 elements": what a cycle writes.
std::string written_text(const TraceStretch& stretch, const CycleChanges& changes) {
  std::string text;
  for (const StateAccess& access : changes.accesses) {
    if (access.kind == AccessKind::read || !asked_for(stretch, access.block)) continue;
    const StateBlock& block = block_of(stretch, access.block);
    text += (text.empty() ? "" : "; ") + block.name;
    if (access.count < block.size()) text += fmt::format("[{}]", access.first);
    if (access.count > 8 || (stretch.blocks.empty() && access.count > 4)) {
      text += fmt::format(" ({} elements)", access.count);
      continue;
    }
    const auto values = stretch.trace.values(changes.cycle, access.block, access.first, access.count);
    for (std::size_t i = 0; i < static_cast<std::size_t>(access.count); ++i)
      text += " " + artifact::state_text(block, values, i);
  }
  return text;
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

void write_states_csv(const TraceStretch& stretch, const TextSink& sink, const std::stop_token& stop) {
  std::string line = "cycle";
  for (const int block : stretch.blocks)
    for (std::int64_t i = 0; i < block_of(stretch, block).size(); ++i)
      line += "," + csv_text(fmt::format("{}[{}]", block_of(stretch, block).name, i));
  sink(line + "\n");
  for (std::int64_t cycle = stretch.from; cycle < stretch.to; ++cycle) {
    throw_if_stopped(stop);
    line = fmt::format("{}", cycle);
    for (const int block : stretch.blocks) {
      const auto values = stretch.trace.values(cycle, block, 0, block_of(stretch, block).size());
      for (const std::string& text : values.texts) line += "," + csv_text(text);
      for (const std::int64_t number : values.numbers)
        line += number == artifact::no_value ? "," : fmt::format(",{}", number);
    }
    sink(line + "\n");
  }
}

}  // namespace

void write_trace_table(const TraceStretch& stretch, const TextSink& sink, const std::stop_token& stop) {
  sink(fmt::format("{}: {} cycles{}{}\n", stretch.program, stretch.trace.cycles(),
                   stretch.trace.refusal().empty() ? "" : ", then ", stretch.trace.refusal()));
  sink("cycle  address  instruction -> written\n");
  stretch.trace.visit(
      stretch.from, stretch.to,
      [&](const CycleChanges& changes) {
        sink(fmt::format("{:>5}  {:>7}  {} -> {}\n", changes.cycle,
                         changes.address < 0 ? "-" : fmt::format("{}", changes.address),
                         stretch.trace.instruction(changes.address), written_text(stretch, changes)));
        return true;
      },
      stop);
}

void write_trace_json(const TraceStretch& stretch, const TextSink& sink, const std::stop_token& stop) {
  const target::Trace& trace = stretch.trace;
  Json head{{"schema", "convscope-trace"},
            {"version", 1},
            {"program", stretch.program},
            {"target", stretch.target},
            {"cycles", trace.cycles()}};
  if (!trace.refusal().empty()) head["refusal"] = trace.refusal();
  head["from"] = stretch.from;
  head["to"] = stretch.to;
  head["units"] = trace.schema().units;
  head["blocks"] = Json::array();
  for (std::size_t block = 0; block < trace.schema().blocks.size(); ++block)
    head["blocks"].push_back(block_json(stretch, static_cast<int>(block)));
  std::string opening = text_of(head);
  opening.back() = ',';
  sink(opening + "\"trace\":[");
  trace.visit(
      stretch.from, stretch.to,
      [&](const CycleChanges& changes) {
        sink((changes.cycle == stretch.from ? "\n" : ",\n") + text_of(cycle_json(stretch, changes)));
        return true;
      },
      stop);
  sink("\n]}\n");
}

void write_trace_csv(const TraceStretch& stretch, const TextSink& sink, const std::stop_token& stop) {
  if (!stretch.blocks.empty()) return write_states_csv(stretch, sink, stop);
  std::string line = "cycle,address,iteration,instruction";
  for (const std::string& unit : stretch.trace.schema().units) line += "," + csv_text(unit);
  sink(line + "\n");
  stretch.trace.visit(
      stretch.from, stretch.to,
      [&](const CycleChanges& changes) {
        line = fmt::format("{},{},{},{}", changes.cycle, changes.address, changes.iteration,
                           csv_text(stretch.trace.instruction(changes.address)));
        for (const artifact::UnitCycle& unit : changes.units)
          line += fmt::format(",{}", artifact::unit_activity_name(unit.activity));
        sink(line + "\n");
        return true;
      },
      stop);
}

}  // namespace convscope::analysis
