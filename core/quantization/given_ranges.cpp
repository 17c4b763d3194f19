#include "core/quantization/given_ranges.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/json_text.h"

namespace convscope::quantization {
namespace {

using RangesJson = nlohmann::json;

constexpr JsonLimits range_limits{default_file_cap, 16};
constexpr const char* expected_ranges = "what quantize --json prints";

/// Nothing if it is no finite number.
std::optional<double> finite_number(const RangesJson& tensor, const char* key) {
  const auto found = tensor.find(key);
  if (found == tensor.end() || !found->is_number()) return std::nullopt;
  const auto value = found->get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// False, with an error, if the entry holds no range, or one of a tensor that has one.
bool take_range(const RangesJson& tensor, std::size_t index, const std::string& file, GivenRanges& ranges,
                Diagnostics& diagnostics) {
  const std::string place = fmt::format("tensors[{}]", index);
  const auto refuse = [&](const std::string& what, const char* expected) {
    diagnostics.error({file, 0, place}, what, expected);
    return false;
  };
  const auto name = tensor.is_object() ? tensor.find("name") : tensor.end();
  if (!tensor.is_object() || name == tensor.end() || !name->is_string())
    return refuse("it has no name", "an object with \"name\", \"least\" and \"most\"");
  const auto least = finite_number(tensor, "least"), most = finite_number(tensor, "most");
  if (!least || !most || *least > *most)
    return refuse(fmt::format("'{}' has no range", name->get<std::string>()),
                  "finite numbers \"least\" and \"most\", the first no greater");
  Range range;  // 0 belongs to it
  range.add(*least);
  range.add(*most);
  return ranges.emplace(name->get<std::string>(), range).second ||
         refuse(fmt::format("'{}' has a range before", name->get<std::string>()), "each tensor once");
}

bool is_report(const RangesJson& json) {
  return json.is_object() && json.value("schema", RangesJson()) == "convscope-quantization" &&
         json.value("version", RangesJson()) == 1 && json.contains("tensors") && json["tensors"].is_array();
}

}  // namespace

std::optional<GivenRanges> parse_ranges(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  if (!check_json(text, file, range_limits, expected_ranges, diagnostics)) return std::nullopt;
  const RangesJson json = RangesJson::parse(text.begin(), text.end(), nullptr, false);
  if (!is_report(json)) {
    diagnostics.error({file, 0, {}}, "it isn't of schema \"convscope-quantization\", version 1, with \"tensors\"",
                      expected_ranges);
    return std::nullopt;
  }
  GivenRanges ranges;
  for (std::size_t i = 0; i < json["tensors"].size(); ++i)
    if (!take_range(json["tensors"][i], i, file, ranges, diagnostics)) return std::nullopt;
  return ranges;
}

std::optional<GivenRanges> read_ranges(const std::string& file, Diagnostics& diagnostics) {
  const auto text = read_file(file, diagnostics);
  return text ? parse_ranges(*text, file, diagnostics) : std::nullopt;
}

std::optional<NetworkFormats> formats_of_ranges(const network::Graph& graph, const GivenRanges& given,
                                                const CalibrationOptions& options, const std::string& file,
                                                Diagnostics& diagnostics) {
  Observations seen = observe_constants(graph, options.per_filter);
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    if (!seen.held[i] || graph.tensors[i].constant) continue;
    const auto found = given.find(graph.tensors[i].name);
    if (found == given.end()) {
      diagnostics.error(
          {file, 0, fmt::format("tensor '{}'", graph.tensors[i].name)}, "there is no range of it",
          "a range of each tensor that the network takes or computes",
          "quantize --json of this network makes the file; with --keep-normalizations and --calibrate-anew alike");
      return std::nullopt;
    }
    seen.ranges[i] = found->second;
    seen.most[i] = std::max(-found->second.least, found->second.most);
  }
  return place_points(graph, seen, std::vector<int>(graph.tensors.size(), options.bits));
}

}  // namespace convscope::quantization
