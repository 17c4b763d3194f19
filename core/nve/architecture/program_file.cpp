#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/nve/architecture/assembly.h"

namespace convscope::nve {
namespace {

using Json = nlohmann::ordered_json;

Json machine_json(const Machine& machine) {
  Json json = Json::object();
  const auto values = parameter_values(machine);
  const auto& parameters = values.description().parameters;
  const auto defaults = parameter_values(Machine{});
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (is_later_parameter(parameters[i].name) && values.at(i) == defaults.at(i)) continue;
    if (parameters[i].kind == arch::ParameterKind::choice)
      json[parameters[i].name] = values.text(i);
    else if (parameters[i].kind == arch::ParameterKind::integer)
      json[parameters[i].name] = static_cast<std::int64_t>(values.at(i));
    else
      json[parameters[i].name] = values.at(i);
  }
  return json;
}

Json layer_json(const Program& program) {
  Json json = {{"name", program.layer},
               {"kernel", {program.kernel_height, program.kernel_width}},
               {"stride", {program.stride_height, program.stride_width}},
               {"polyphase", program.polyphase},
               {"padding", {program.padding_top, program.padding_left}},
               {"output", {program.out_height, program.out_width}},
               {"input", {program.in_maps, program.in_height, program.in_width}}};
  if (program.dilation_height != 1 || program.dilation_width != 1)
    json["dilation"] = {program.dilation_height, program.dilation_width};
  return json;
}

Json maps_json(const Program& program) {
  Json json = Json::array();
  for (const OutputMap& map : program.maps) json.push_back(Json{{"map", map.map}, {"inputs", map.inputs}});
  return json;
}

Json coefficients_json(const Program& program) {
  Json json = Json::array();
  for (const auto& word : program.coefficient_words) {
    Json places = Json::array();
    for (const Coefficient& coefficient : word)
      places.push_back(coefficient.map < 0 ? Json(nullptr) : Json::array({coefficient.map, coefficient.ordinal}));
    json.push_back(std::move(places));
  }
  return json;
}

Json settings_json(const Program& program) {
  Json json = {{"initial_size", program.initial_size},
               {"prologue_begin", program.prologue_begin},
               {"repeat_size", program.repeat_size},
               {"iterations", program.iterations},
               {"final_size", program.final_size},
               {"increment", program.increment},
               {"toggle", program.toggle},
               {"activation_shift", program.activation_shift}};
  if (program.passes > 0) {
    json["head_size"] = program.head_size();
    json["passes"] = program.passes;
  }
  if (program.units > 0) {
    json["units"] = program.units;
    json["lead"] = program.lead;
  }
  if (program.bias_shift != 0) json["bias_shift"] = program.bias_shift;
  return json;
}

Json words_json(const Program& program) {
  Json json = Json::array();
  for (const EncodedWord& word : program.words) json.push_back(fmt::format("{:016x}{:016x}", word[1], word[0]));
  return json;
}

Json stream_json(const StreamWord& item) {
  switch (item.kind) {
    case StreamWord::Kind::coefficients:
      return Json::array({"coefficients", item.index});
    case StreamWord::Kind::pixels:
      return Json::array({"pixels", item.index, item.column, item.word});
    case StreamWord::Kind::unit:
      return Json::array({"unit", item.index, item.word});
    case StreamWord::Kind::ordered:
      return Json::array({"ordered", item.index});
  }
  return {};
}

Json traffic_json(const SectionTraffic& traffic) {
  Json stream = Json::array(), outputs = Json::array();
  for (const StreamWord& item : traffic.stream) stream.push_back(stream_json(item));
  for (const OutputWord& item : traffic.outputs) outputs.push_back(Json::array({item.map, item.half, item.iteration}));
  return {{"stream", std::move(stream)}, {"outputs", std::move(outputs)}};
}

}  // namespace

std::string write_program_file(const Program& program) {
  Json json = {{"format", "convscope-nve-program"},
               {"version", 1},
               {"name", program.name},
               {"machine", machine_json(program.machine)},
               {"layer", layer_json(program)},
               {"inputs", program.inputs},
               {"maps", maps_json(program)},
               {"coefficient_words", coefficients_json(program)},
               {"settings", settings_json(program)},
               {"words", words_json(program)},
               {"initial", traffic_json(program.initial)},
               {"repeat", traffic_json(program.repeat)}};
  if (program.passes > 0) json["pass"] = traffic_json(program.pass);
  json["final"] = traffic_json(program.final);
  std::string text;  // one line per member: short enough to compare, long enough to read
  for (const auto& [key, value] : json.items())
    text += fmt::format("{} \"{}\": {}", text.empty() ? "{\n" : ",\n", key,
                        value.dump(-1, ' ', false, Json::error_handler_t::replace));
  return text + "\n}\n";
}

}  // namespace convscope::nve
