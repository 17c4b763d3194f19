#include "core/base/numbers.h"
#include "core/cpu/run/json_number.h"
#include "core/cpu/run/network_run.h"

namespace convscope::cpu {
namespace {

using Json = nlohmann::json;

constexpr std::string_view argument_begin = "network:";

}  // namespace

std::string text(const NetworkRunRequest& request) {
  Json json{{"libraries", request.libraries},
            {"family", traits(request.family).key},
            {"samples", request.sampling.samples},
            {"seconds", request.sampling.seconds},
            {"cpu_seconds", request.cpu_seconds},
            {"more_bytes", request.more_bytes},
            {"step_by_step", request.step_by_step},
            {"buffers", Json::array()},
            {"outputs", Json::array()},
            {"steps", Json::array()}};
  for (const auto& buffer : request.buffers)
    json["buffers"].push_back({buffer.values, buffer.contents, flyte::text(buffer.storage), buffer.behind});
  for (const auto& output : request.outputs) json["outputs"].push_back({output.buffer, output.expected});
  for (const auto& step : request.steps)
    json["steps"].push_back({{"library", step.library},
                             {"symbol", step.symbol},
                             {"convolution", step.convolution},
                             {"inputs", step.inputs},
                             {"output", step.output},
                             {"expected", step.expected},
                             {"bound", step.bound}});
  return json.dump();
}

std::optional<NetworkRunRequest> parse_network_request(const std::string& text) try {
  const Json json = Json::parse(text);
  const FamilyTraits* family = find_family(json.at("family").get<std::string>());
  if (family == nullptr) return std::nullopt;
  NetworkRunRequest request;
  request.family = family->family;
  request.libraries = json.at("libraries");
  request.sampling = {json.at("samples"), json.at("seconds"), false};
  request.cpu_seconds = json.at("cpu_seconds");
  request.more_bytes = json.at("more_bytes");
  request.step_by_step = json.at("step_by_step");
  for (const Json& buffer : json.at("buffers")) {
    const auto storage = flyte::parse_storage(buffer.at(2).get<std::string>());
    if (!storage || storage->whole != 4) return std::nullopt;
    request.buffers.push_back({buffer.at(0), buffer.at(1), *storage, buffer.at(3)});
  }
  for (const Json& output : json.at("outputs")) request.outputs.push_back({output.at(0), output.at(1)});
  for (const Json& step : json.at("steps"))
    request.steps.push_back({step.at("library"), step.at("symbol"), step.at("convolution"), step.at("inputs"),
                             step.at("output"), step.at("expected"), step.at("bound")});
  return request;
} catch (const Json::exception&) {
  return std::nullopt;
}

std::string text(const NetworkRunAnswer& answer) {
  const Outcome& whole = answer.whole;
  Json json{{"ending", key(whole.ending)}, {"message", whole.message}, {"minimum", whole.minimum},
            {"median", whole.median},      {"samples", whole.samples}, {"gated", whole.gated},
            {"peak", whole.peak},          {"error", whole.error},     {"steps", Json::array()},
            {"outputs", Json::array()}};
  for (const auto& output : answer.outputs)
    json["outputs"].push_back({output.error, output.signal, output.noise, output.same_largest});
  for (const auto& step : answer.steps) json["steps"].push_back({step.minimum, step.median, step.error});
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::optional<NetworkRunAnswer> parse_network_answer(const std::string& text) try {
  const Json json = Json::parse(text);
  NetworkRunAnswer answer;
  answer.whole.ending = find_ending(json.at("ending").get<std::string>()).value_or(Ending::crash);
  answer.whole.message = json.at("message");
  if (!json.contains("samples")) return answer;  // told by a signal handler
  answer.whole.minimum = number_or_infinite(json, "minimum");
  answer.whole.median = number_or_infinite(json, "median");
  answer.whole.samples = json.at("samples");
  answer.whole.gated = json.at("gated");
  answer.whole.peak = number_or_infinite(json, "peak");
  answer.whole.error = number_or_infinite(json, "error");
  const auto number = [](const Json& value) {
    return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
  };
  for (const Json& output : json.at("outputs"))
    answer.outputs.push_back({number(output.at(0)), number(output.at(1)), number(output.at(2)), output.at(3)});
  for (const Json& step : json.at("steps")) answer.steps.push_back({step.at(0), step.at(1), number(step.at(2))});
  return answer;
} catch (const Json::exception&) {
  return std::nullopt;
}

std::string network_argument(std::size_t bytes) {
  return std::string(argument_begin) + std::to_string(bytes);
}

std::optional<std::size_t> parse_network_argument(const std::string& argument) {
  if (!argument.starts_with(argument_begin)) return std::nullopt;
  return parse_integer<std::size_t>(std::string_view(argument).substr(argument_begin.size()));
}

}  // namespace convscope::cpu
