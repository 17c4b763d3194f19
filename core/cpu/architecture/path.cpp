#include "core/cpu/architecture/path.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/json_text.h"
#include "core/base/key.h"
#include "core/base/text.h"

namespace convscope::cpu {
namespace {

constexpr JsonLimits limits{1 << 16, 2, 256};
constexpr const char* expected_path = "an object of texts, such as {\"family\": \"avx512\", \"tile\": \"14x2\"}";

}  // namespace

const std::string* Path::find(std::string_view level) const {
  const auto found =
      std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) { return choice.level == level; });
  return found == choices.end() ? nullptr : &found->value;
}

std::string json(const Path& path) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const Choice& choice : path.choices) object[clean(choice.level)] = clean(choice.value);
  return object.dump();
}

std::optional<Path> parse_path(std::string_view json, Diagnostics& diagnostics) {
  if (!check_json(json, "path", limits, expected_path, diagnostics)) return std::nullopt;
  const auto object = nlohmann::ordered_json::parse(json);
  if (!object.is_object()) {
    diagnostics.error({{}, 0, "path"}, "it isn't an object", expected_path);
    return std::nullopt;
  }
  Path path;
  for (const auto& [level, value] : object.items()) {
    if (!value.is_string()) {
      diagnostics.error({{}, 0, "level " + in_quotes(level)}, "its value isn't a text", expected_path);
      return std::nullopt;
    }
    path.choices.push_back({level, value.get<std::string>()});
  }
  return path;
}

std::uint64_t hash(const Path& path) {
  return hash64(json(path));
}

}  // namespace convscope::cpu
