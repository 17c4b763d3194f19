#include "core/labs/outcome_json.h"

#include <nlohmann/json.hpp>

namespace convscope::labs {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> strings(const Json& array) {
  std::vector<std::string> result;
  for (const Json& each : array) result.push_back(each.get<std::string>());
  return result;
}

Outcome outcome_of(const Lab& lab, const Json& json) {
  Outcome outcome{json.at("by").get<std::string>(), strings(json.at("refusals")), strings(json.at("notes")), {}};
  for (const Json& each : json.at("tasks"))
    outcome.tasks.push_back({each.at("task").get<std::string>(), each.at("passed").get<bool>(),
                             each.at("points").get<double>(), strings(each.at("reasons")),
                             each.at("hints").get<int>()});
  if (outcome.tasks.size() != lab.tasks.size()) throw std::invalid_argument("tasks are missing");
  return outcome;
}

}  // namespace

Json outcome_json(const Lab& lab, const Outcome& outcome) {
  Json json{{"by", outcome.by},      {"passed", outcome.passed()},   {"points", outcome.points()},
            {"of", lab.points()},    {"refusals", outcome.refusals}, {"notes", outcome.notes},
            {"tasks", Json::array()}};
  for (const TaskOutcome& each : outcome.tasks)
    json["tasks"].push_back({{"task", each.task},
                             {"passed", each.passed},
                             {"points", each.points},
                             {"reasons", each.reasons},
                             {"hints", each.hints}});
  return json;
}

std::string check_json(const Lab& lab, const std::vector<std::pair<std::string, Outcome>>& outcomes) {
  Json json{{"schema", "convscope-lab-check"}, {"version", 1}, {"lab", lab.name}, {"submissions", Json::array()}};
  for (const auto& [file, outcome] : outcomes) {
    Json one{{"file", file}};
    one.update(outcome_json(lab, outcome));
    json["submissions"].push_back(std::move(one));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::optional<Outcome> read_check_json(const Lab& lab, std::string_view text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("lab") != lab.name || json.at("submissions").size() != 1) return std::nullopt;
    return outcome_of(lab, json.at("submissions").at(0));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace convscope::labs
