#include "core/schedule/draft/draft_file.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/base/integers.h"
#include "core/base/json_text.h"

namespace convscope::schedule {
namespace {

using DraftJson = nlohmann::json;

constexpr JsonLimits draft_limits{std::size_t{32} << 20, 4, 1'000'000};
constexpr std::size_t longest_name = 1'000;

std::string hash_text(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

std::optional<std::uint64_t> hash_from(const std::string& text) {
  std::uint64_t hash = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, hash, 16);
  if (text.size() != 16 || error != std::errc() || stop != end) return std::nullopt;
  return hash;
}

class DraftReader {
 public:
  DraftReader(const std::string& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  std::optional<DraftFile> read(const DraftJson& json) {
    if (!members(json, "draft", {"format", "version", "made_for", "interval", "placed"}, {"problem"}))
      return std::nullopt;
    if (text(json["format"], "format") != "convscope-draft" || number(json["version"], "version", 1, 1) != 1)
      fail("format", "another format or version", "\"convscope-draft\", version 1");
    origin(json["made_for"]);
    if (json.contains("problem")) {
      result_.problem_hash = hash_from(text(json["problem"], "problem"));
      if (!result_.problem_hash) fail("problem", "no hash", "16 hexadecimal digits");
    }
    result_.interval = number(json["interval"], "interval", 1, longest_interval);
    placed(json["placed"]);
    if (!ok_) return std::nullopt;
    return std::move(result_);
  }

 private:
  void fail(const std::string& element, const std::string& what, const std::string& expected) {
    ok_ = false;
    diagnostics_.error({file_, 0, element}, what, expected);
  }

  bool members(const DraftJson& json, const std::string& element, std::vector<std::string> keys,
               const std::vector<std::string>& optional = {}) {
    if (!json.is_object()) {
      fail(element, json.type_name(), "an object");
      return false;
    }
    bool complete = true;
    for (const std::string& key : keys)
      if (!json.contains(key)) fail(element, fmt::format("no member '{}'", key), "all members"), complete = false;
    keys.insert(keys.end(), optional.begin(), optional.end());
    for (const auto& [key, value] : json.items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        fail(element, fmt::format("unknown member '{}'", key.substr(0, 40)), fmt::format("{}", fmt::join(keys, ", ")));
    return complete;
  }

  std::int64_t number(const DraftJson& json, const std::string& element, std::int64_t least, std::int64_t most) {
    const bool whole = json.is_number_integer() &&
                       (!json.is_number_unsigned() || json.get<std::uint64_t>() <= static_cast<std::uint64_t>(most));
    const std::int64_t value = whole ? json.get<std::int64_t>() : least;
    if (whole && value >= least && value <= most) return value;
    fail(element, json.is_number() ? "a number out of range" : json.type_name(),
         fmt::format("a whole number from {} to {}", least, most));
    return least;
  }

  std::string text(const DraftJson& json, const std::string& element) {
    std::string result = json.is_string() ? json.get<std::string>() : std::string();
    if (json.is_string() && result.size() <= longest_name) return result;
    fail(element, json.is_string() ? "a long text" : json.type_name(),
         fmt::format("a text of at most {} bytes", longest_name));
    return {};
  }

  void origin(const DraftJson& json) {
    if (!members(json, "made_for", {"network", "target", "level", "layer", "program"})) return;
    DraftOrigin& origin = result_.origin;
    origin.network = text(json["network"], "network"), origin.target = text(json["target"], "target");
    origin.level = text(json["level"], "level"), origin.layer = text(json["layer"], "layer");
    origin.program = static_cast<int>(number(json["program"], "program", 0, 1'000'000));
  }

  void placed(const DraftJson& json) {
    if (!json.is_array()) return fail("placed", json.type_name(), "an array");
    std::set<int> seen;
    for (const DraftJson& item : json) {
      if (!members(item, "placed", {"operation", "name", "cycle"})) continue;
      constexpr auto last = static_cast<std::int64_t>(DraftProblem::most_operations) - 1;
      const int operation = static_cast<int>(number(item["operation"], "operation", 0, last));
      if (!seen.insert(operation).second)
        fail(fmt::format("operation {}", operation), "it is placed twice", "one place for each");
      result_.placed.push_back(
          {operation, text(item["name"], "name"), number(item["cycle"], "cycle", -furthest_cycle, furthest_cycle)});
    }
  }

  const std::string& file_;
  Diagnostics& diagnostics_;
  DraftFile result_;
  bool ok_ = true;
};

}  // namespace

DraftFile file_of(const Draft& draft, DraftOrigin origin) {
  DraftFile file{std::move(origin), draft.problem->hash(), draft.interval(), {}};
  for (int i = 0; i < draft.problem->operations(); ++i)
    if (draft.is_placed(i)) file.placed.push_back({i, draft.problem->problem().operations[at(i)].name, draft.cycle(i)});
  return file;
}

std::string write_draft_file(const DraftFile& file) {
  nlohmann::ordered_json json{{"format", "convscope-draft"}, {"version", 1}};
  json["made_for"] = {{"network", file.origin.network},
                      {"target", file.origin.target},
                      {"level", file.origin.level},
                      {"layer", file.origin.layer},
                      {"program", file.origin.program}};
  if (file.problem_hash) json["problem"] = hash_text(*file.problem_hash);
  json["interval"] = file.interval;
  json["placed"] = nlohmann::ordered_json::array();
  for (const FilePlace& place : file.placed)
    json["placed"].push_back({{"operation", place.operation}, {"name", place.name}, {"cycle", place.cycle}});
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

bool is_draft_file(std::string_view text) {
  return text.substr(0, 200).find("\"convscope-draft\"") != std::string_view::npos;
}

std::optional<DraftFile> read_draft_file(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  if (!check_json(text, file, draft_limits, "a draft", diagnostics)) return std::nullopt;
  const DraftJson json = DraftJson::parse(text, nullptr, false);
  return DraftReader(file, diagnostics).read(json);
}

std::optional<Draft> draft_of(const DraftFile& content, std::shared_ptr<const DraftProblem> problem,
                              const std::string& file, Diagnostics& diagnostics) {
  bool ok = true;
  const auto& operations = problem->problem().operations;
  Draft draft = empty_draft(problem, content.interval);
  for (const FilePlace& place : content.placed) {
    const Location where{file, 0, fmt::format("operation {}", place.operation)};
    if (place.operation < 0 || place.operation >= problem->operations()) {
      diagnostics.error(where, "the problem has no such operation", fmt::format("0 to {}", problem->operations() - 1));
      ok = false;
    } else if (place.name != operations[at(place.operation)].name) {
      diagnostics.error(where, fmt::format("it is called '{}' in the file", place.name),
                        fmt::format("'{}'", operations[at(place.operation)].name),
                        "was the draft made for another layer, level or machine?");
      ok = false;
    } else {
      draft.schedule.cycles[at(place.operation)] = std::clamp(place.cycle, -furthest_cycle, furthest_cycle);
    }
  }
  if (!ok) return std::nullopt;
  if (content.problem_hash && *content.problem_hash != problem->hash())
    diagnostics.warning({file, 0, "problem"}, "the draft was made for another problem",
                        "the same layer, level and machine", "operations agree; rules may not");
  return draft;
}

}  // namespace convscope::schedule
