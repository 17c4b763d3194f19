#include "core/analysis/report_reader.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/json_text.h"

namespace convscope::analysis {
namespace {

// Not the ordered kind: an object with very many members would take it forever.
using ReadJson = nlohmann::json;

constexpr int depth_cap = 16;
constexpr std::size_t largest_rank = 64;
constexpr double largest_count = 9e18;  ///< below 2^63

constexpr Origin origins[] = {Origin::measured, Origin::simulated, Origin::derived, Origin::estimate,
                              Origin::published};

class ReportReader {
 public:
  ReportReader(const std::string& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  std::optional<Run> read(const ReadJson& json) {
    if (!is_report(json)) return std::nullopt;
    Run run;
    run.network = text(json, "network", "report");
    run.target = text(json, "target", "report");
    run.level = text(json, "level", "report");
    if (json.contains("preset")) run.preset = text(json, "preset", "report");
    if (json.contains("coverage")) run.coverage = coverage(json);
    if (json.contains("unknown_layers")) run.unknown_layers = whole(json["unknown_layers"], "unknown_layers");
    if (json.contains("complete")) run.complete = truth(json, "complete", "report");
    if (json.contains("parameters")) read_parameters(json["parameters"], run);
    read_layers(member(json, "layers", "report"), run);
    run.total = metrics(object(member(json, "total", "report"), "total"), run.target, "total");
    if (!ok_) return std::nullopt;
    return run;
  }

 private:
  void fail(const std::string& element, const std::string& what, const std::string& expected) {
    ok_ = false;
    diagnostics_.error({file_, 0, element}, what, expected, "`convscope-cli report --json` writes it");
  }

  bool is_report(const ReadJson& json) {
    const bool named = json.is_object() && json.contains("schema") && json["schema"] == "convscope-report";
    if (!named) fail("schema", "this is no report", "an object with \"schema\": \"convscope-report\"");
    if (named && (!json.contains("version") || json["version"] != 1))
      fail("version", "another version of reports", "1");
    return ok_;
  }

  const ReadJson& member(const ReadJson& json, const std::string& key, const std::string& element) {
    static const ReadJson nothing;
    if (json.is_object() && json.contains(key)) return json[key];
    fail(element, fmt::format("no member '{}'", key), "all members of the schema");
    return nothing;
  }

  const ReadJson& object(const ReadJson& json, const std::string& element) {
    static const ReadJson nothing = ReadJson::object();
    if (json.is_object()) return json;
    if (!json.is_null()) fail(element, json.type_name(), "an object");
    return nothing;
  }

  std::string text(const ReadJson& json, const std::string& key, const std::string& element) {
    const ReadJson& value = member(json, key, element);
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_null()) fail(element + " " + key, value.type_name(), "a text");
    return {};
  }

  bool truth(const ReadJson& json, const std::string& key, const std::string& element) {
    const ReadJson& value = member(json, key, element);
    if (value.is_boolean()) return value.get<bool>();
    if (!value.is_null()) fail(element + " " + key, value.type_name(), "true or false");
    return false;
  }

  /// No figure of a report is negative.
  double number(const ReadJson& json, const std::string& key, const std::string& element) {
    const ReadJson& value = member(json, key, element);
    const double result = value.is_number() ? value.get<double>() : 0;
    if (!value.is_null() && (!value.is_number() || !std::isfinite(result) || result < 0))
      fail(element + " " + key, value.is_number() ? "negative or infinite" : value.type_name(), "a number from 0 on");
    return result;
  }

  /// A network without MACs, or with unknown ones, has none.
  artifact::Coverage coverage(const ReadJson& json) {
    if (json["coverage"].is_null()) return std::nullopt;
    return number(json, "coverage", "report");
  }

  std::int64_t count(const ReadJson& json, const std::string& key, const std::string& element) {
    const double value = number(json, key, element);
    if (value > largest_count) {
      fail(element + " " + key, "number is too large", fmt::format("at most {}", largest_count));
      return 0;
    }
    return static_cast<std::int64_t>(value);
  }

  Origin origin(const ReadJson& value, const std::string& element) {
    for (const Origin each : origins)
      if (value.is_string() && value.get_ref<const std::string&>() == origin_name(each)) return each;
    fail(element + " origin", "unknown origin", "measured, simulated, derived, estimate or published");
    return Origin::estimate;
  }

  void read_parameters(const ReadJson& json, Run& run) {
    for (const auto& [name, value] : object(json, "parameters").items()) {
      if (value.is_string())
        run.parameters[name] = value.get<std::string>();
      else if (value.is_number())
        run.parameters[name] = value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
      else
        fail("parameter " + name.substr(0, 40), value.type_name(), "a number or the name of a choice");
    }
  }

  void read_layers(const ReadJson& json, Run& run) {
    if (!json.is_array()) {
      if (!json.is_null()) fail("layers", json.type_name(), "an array");
      return;
    }
    for (const ReadJson& each : json) run.layers.push_back(layer(object(each, "layers"), run));
  }

  RunLayer layer(const ReadJson& json, const Run& run) {
    RunLayer row;
    row.identity.name = text(json, "name", fmt::format("layer {}", run.layers.size()));
    const std::string element = "layer '" + row.identity.name.substr(0, 60) + "'";
    row.identity.operator_name = text(json, "operator", element);
    read_shape(object(member(json, "shape", element), element + " shape"), element + " shape", row.identity);
    const bool mapped = truth(json, "mapped", element);
    if (!mapped && json.contains("reason")) row.reason = text(json, "reason", element);
    if (!mapped && row.reason.empty()) row.reason = "not mapped";
    row.metrics = metrics(json, run.target, element);
    return row;
  }

  /// Whole numbers, at least so many of them; as many zeros if there are fewer.
  std::vector<int> numbers(const ReadJson& json, const std::string& key, std::size_t least,
                           const std::string& element) {
    const ReadJson& array = member(json, key, element);
    const bool right = array.is_array() && array.size() >= least && array.size() <= largest_rank;
    if (!right && !array.is_null())
      fail(element + " " + key, "wrong size or no array", fmt::format("{} numbers, or more", least));
    std::vector<int> values(right ? array.size() : least, 0);
    for (std::size_t i = 0; right && i < values.size(); ++i) values[i] = whole(array[i], element + " " + key);
    return values;
  }

  int whole(const ReadJson& value, const std::string& element) {
    const double result = value.is_number_integer() ? value.get<double>() : -1;
    if (result >= 0 && result <= std::numeric_limits<int>::max()) return static_cast<int>(result);
    fail(element, "no whole number, negative or too large", "0 to 2147483647");
    return 0;
  }

  network::Size size(const ReadJson& json, const std::string& key, const std::string& element, std::vector<int>& deep) {
    const std::vector<int> values = numbers(json, key, 2, element);
    if (values.size() > 2) deep = values;
    return values.size() > 2 ? network::Size{} : network::Size{values[0], values[1]};
  }

  /// Dimensions in front of the last count as rows, as in a network that was read.
  network::Shape maps(const ReadJson& json, const std::string& key, const std::string& element,
                      std::vector<int>& deep) {
    const std::vector<int> values = numbers(json, key, 3, element);
    if (values.size() > 3) deep.assign(values.begin() + 1, values.end());
    std::int64_t rows = 1;
    for (std::size_t i = 1; i + 1 < values.size(); ++i)
      if (__builtin_mul_overflow(rows, values[i], &rows)) rows = std::numeric_limits<std::int64_t>::max();
    const bool fits = rows <= std::numeric_limits<int>::max();
    return {values[0], {fits ? static_cast<int>(rows) : 0, values.back()}};
  }

  void read_shape(const ReadJson& json, const std::string& element, LayerIdentity& identity) {
    identity.in = maps(json, "in", element, identity.space.in);
    identity.out = maps(json, "out", element, identity.space.out);
    identity.kernel = size(json, "kernel", element, identity.space.kernel);
    identity.stride = size(json, "stride", element, identity.space.stride);
    if (!identity.space.stride.empty()) identity.stride = {1, 1};
    if (json.contains("dilation")) identity.dilation = size(json, "dilation", element, identity.space.dilation);
    if (!identity.space.dilation.empty()) identity.dilation = {1, 1};
    identity.groups = whole(member(json, "groups", element), element + " groups");
  }

  artifact::Metrics metrics(const ReadJson& json, const std::string& target, const std::string& element) {
    artifact::Metrics result;
    const Origin of_cycles = json.contains("origin") ? origin(json["origin"], element) : Origin::estimate;
    if (!json.contains("macs") || !json["macs"].is_null()) result.macs = count(json, "macs", element);
    result.cycles = {number(json, "cycles", element), "cycles", of_cycles};
    result.seconds = {number(json, "seconds", element), "s", of_cycles};
    result.utilization = {number(json, "utilization", element), "", of_cycles};
    result.bytes_in = count(json, "bytes_in", element);
    result.bytes_out = count(json, "bytes_out", element);
    result.bytes_weights = count(json, "bytes_weights", element);
    if (json.contains("verified")) result.verified = truth(json, "verified", element);
    if (json.contains(target)) read_target(object(json[target], element), "", of_cycles, element, result);
    if (json.contains("origins")) read_origins(object(json["origins"], element), element, result);
    return result;
  }

  void read_target(const ReadJson& json, const std::string& prefix, Origin of_cycles, const std::string& element,
                   artifact::Metrics& result) {
    for (const auto& [key, value] : json.items()) {
      if (value.is_object() && prefix.empty()) {
        read_target(value, key + ".", of_cycles, element, result);
        continue;
      }
      const bool figure = (value.is_number() && std::isfinite(value.get<double>())) || value.is_string();
      if (!figure) {
        fail(element + " " + key.substr(0, 40), value.type_name(), "a number or a text");
        continue;
      }
      artifact::NamedQuantity named{prefix + key, {0, "", of_cycles}};
      if (value.is_string())
        named.text = value.get<std::string>();
      else
        named.quantity.value = value.get<double>();
      result.target_figures.push_back(std::move(named));
    }
  }

  void read_origins(const ReadJson& json, const std::string& element, artifact::Metrics& result) {
    for (const auto& [key, value] : json.items()) {
      const Origin found = origin(value, element);
      if (key == "seconds") result.seconds.origin = found;
      if (key == "utilization") result.utilization.origin = found;
      for (artifact::NamedQuantity& each : result.target_figures)
        if (each.key == key) each.quantity.origin = found;
    }
  }

  const std::string& file_;
  Diagnostics& diagnostics_;
  bool ok_ = true;
};

}  // namespace

std::optional<Run> read_report(std::string_view text, const std::string& file,
                               const std::vector<std::shared_ptr<const target::Target>>& targets,
                               Diagnostics& diagnostics) {
  const JsonLimits limits{largest_report, depth_cap};
  if (!check_json(text, file, limits, "what `convscope-cli report --json` writes", diagnostics)) return std::nullopt;
  auto run = ReportReader(file, diagnostics).read(ReadJson::parse(text.begin(), text.end(), nullptr, false));
  for (const auto& target : targets)
    if (run && target->id() == run->target) run->figures = target->figures();
  return run;
}

}  // namespace convscope::analysis
