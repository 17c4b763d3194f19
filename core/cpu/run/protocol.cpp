#include "core/cpu/run/protocol.h"

#include "core/cpu/run/json_number.h"

namespace convscope::cpu {
namespace {

using Json = nlohmann::json;

Json json_of(const Outcome& outcome) {
  return {{"ending", key(outcome.ending)}, {"message", outcome.message},
          {"minimum", outcome.minimum},    {"first_quartile", outcome.first_quartile},
          {"median", outcome.median},      {"samples", outcome.samples},
          {"gated", outcome.gated},        {"ratio", outcome.ratio},
          {"peak", outcome.peak},          {"error", outcome.error},
          {"bound", outcome.bound},        {"error_max", outcome.error_max},
          {"error_l2", outcome.error_l2},  {"sustained", outcome.sustained}};
}

Outcome outcome_of(const Json& json) {
  Outcome outcome;
  outcome.ending = find_ending(json.at("ending").get<std::string>()).value_or(Ending::crash);
  outcome.message = json.at("message");
  if (!json.contains("samples")) return outcome;  // told by a signal handler
  outcome.minimum = number_or_infinite(json, "minimum");
  outcome.first_quartile = number_or_infinite(json, "first_quartile");
  outcome.median = number_or_infinite(json, "median");
  outcome.samples = json.at("samples");
  outcome.gated = json.at("gated");
  outcome.ratio = number_or_infinite(json, "ratio");
  outcome.peak = number_or_infinite(json, "peak");
  outcome.error = number_or_infinite(json, "error");
  outcome.bound = number_or_infinite(json, "bound");
  outcome.error_max = number_or_infinite(json, "error_max");
  outcome.error_l2 = number_or_infinite(json, "error_l2");
  outcome.sustained = number_or_infinite(json, "sustained");
  return outcome;
}

Layout layout_of(const Json& json) {
  return parse_layout(json.get<std::string>()).value_or(Layout{});
}

/// As many columns as there are taps, or none at all.
KernelTransform::Matrix matrix_of(const Json& json, int taps) {
  auto matrix = json.get<KernelTransform::Matrix>();
  for (const auto& row : matrix)
    if (row.size() != static_cast<std::size_t>(taps)) return {};
  return matrix;
}

KernelTransform transform_of(const Json& program, const Problem& problem) {
  return {matrix_of(program.at("transform_rows"), problem.kernel_height),
          matrix_of(program.at("transform_columns"), problem.kernel_width), program.at("error_growth")};
}

}  // namespace

std::string text(const RunRequest& request) {
  Json json{{"problem", text(request.problem)},
            {"family", traits(request.family).key},
            {"samples", request.sampling.samples},
            {"seconds", request.sampling.seconds},
            {"threads", request.sampling.threads},
            {"sustained", request.sampling.sustained},
            {"other_bytes", request.sampling.other_bytes},
            {"only_check", request.only_check},
            {"error_metric", key(request.accuracy.metric)},
            {"error_bound", request.accuracy.bound},
            {"cpu_seconds", request.cpu_seconds},
            {"more_bytes", request.more_bytes},
            {"programs", Json::array()}};
  for (const RunRequest::Program& program : request.programs) {
    json["programs"].push_back({{"library", program.library},
                                {"symbol", program.symbol},
                                {"image", text(program.image)},
                                {"kernel", text(program.kernel)},
                                {"output", text(program.output)},
                                {"transform_rows", program.transform.rows},
                                {"transform_columns", program.transform.columns},
                                {"error_growth", program.transform.error_growth}});
  }
  return json.dump();
}

std::optional<RunRequest> parse_request(const std::string& text) try {
  const Json json = Json::parse(text);
  Diagnostics diagnostics;
  const auto problem = parse_problem(json.at("problem").get<std::string>(), diagnostics);
  const FamilyTraits* family = find_family(json.at("family").get<std::string>());
  if (!problem || family == nullptr) return std::nullopt;
  RunRequest request;
  request.problem = *problem;
  request.family = family->family;
  request.sampling = {json.at("samples"), json.at("seconds"), json.at("threads"), json.at("sustained"),
                      json.at("other_bytes")};
  request.only_check = json.at("only_check");
  request.accuracy = {find_error_metric(json.at("error_metric").get<std::string>()).value_or(ErrorMetric::max),
                      json.at("error_bound")};
  request.cpu_seconds = json.at("cpu_seconds");
  request.more_bytes = json.at("more_bytes");
  for (const Json& program : json.at("programs")) {
    request.programs.push_back({program.at("library"), program.at("symbol"), layout_of(program.at("image")),
                                layout_of(program.at("kernel")), layout_of(program.at("output")),
                                transform_of(program, *problem)});
  }
  return request;
} catch (const Json::exception&) {
  return std::nullopt;
}

std::string text(const RunAnswer& answer) {
  Json json{{"programs", Json::array()}, {"complete", answer.complete}};
  for (const Outcome& outcome : answer.programs) json["programs"].push_back(json_of(outcome));
  for (const PeerOutcome& peer : answer.peers) {
    json["peers"].push_back({{"name", peer.name},
                             {"implementation", peer.implementation},
                             {"temporary_bytes", peer.temporary_bytes},
                             {"outcome", json_of(peer.outcome)}});
  }
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::optional<RunAnswer> parse_answer(const std::string& text) try {
  const Json json = Json::parse(text);
  RunAnswer answer;
  answer.complete = json.at("complete");
  for (const Json& peer : json.value("peers", Json::array())) {
    answer.peers.push_back(
        {peer.at("name"), peer.at("implementation"), peer.at("temporary_bytes"), outcome_of(peer.at("outcome"))});
  }
  for (const Json& outcome : json.at("programs")) answer.programs.push_back(outcome_of(outcome));
  return answer;
} catch (const Json::exception&) {
  return std::nullopt;
}

}  // namespace convscope::cpu
