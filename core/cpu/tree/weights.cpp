#include "core/cpu/tree/weights.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/json_text.h"
#include "core/base/resources.h"
#include "core/base/text.h"

namespace convscope::cpu {
namespace {

constexpr JsonLimits limits{1 << 16, 2, 1024};
constexpr double most = 1000;
constexpr const char* expected = "an object of numbers above 0, such as {\"block none\": 3}";

constexpr std::array<std::string_view, 33> rules{"family of 512 bit",
                                                 "microkernel W-M-C, Y and X inside",
                                                 "microkernel W-M-C",
                                                 "microkernel outer product, Y and X inside",
                                                 "microkernel outer product",
                                                 "microkernel parallel kernels",
                                                 "microkernel parallel kernels, C outside",
                                                 "microkernel pairwise, Y and X inside",
                                                 "microkernel pairwise",
                                                 "microkernel depthwise",
                                                 "microkernel Winograd",
                                                 "microkernel Winograd, sum over rows",
                                                 "transform of 4 outputs",
                                                 "points accurate",
                                                 "layout usual",
                                                 "kernel blocked",
                                                 "operand embedded",
                                                 "tail shared",
                                                 "tail scalar",
                                                 "unroll beyond 64 FMAs",
                                                 "block none",
                                                 "order W before H in HWC",
                                                 "order Y or X outside H or W",
                                                 "padding peeled",
                                                 "padding tests",
                                                 "padding rows",
                                                 "padding rows, image converted",
                                                 "prefetch none",
                                                 "prefetch next, weights beyond L2",
                                                 "prefetch next",
                                                 "store streaming, output beyond L2",
                                                 "store streaming",
                                                 "threads openmp"};

Location at(const std::string& file, const std::string& rule) {
  return {file, 0, "weight " + in_quotes(rule)};
}

bool take(const std::string& rule, const nlohmann::json& value, const std::string& file, Weights& weights,
          Diagnostics& diagnostics) {
  if (std::find(rules.begin(), rules.end(), rule) == rules.end()) {
    diagnostics.error(at(file, rule), "no rule has this name", "a name from resources/cpu/weights.json");
    return false;
  }
  if (!value.is_number() || value.get<double>() <= 0 || value.get<double>() > most) {
    diagnostics.error(at(file, rule), "it isn't a number above 0 and up to 1000", expected);
    return false;
  }
  weights.factors[rule] = value.get<double>();
  return true;
}

}  // namespace

double Weights::of(std::string_view rule) const {
  const auto found = factors.find(rule);
  return found == factors.end() ? 1 : found->second;
}

std::optional<Weights> parse_weights(std::string_view json, const std::string& file, Diagnostics& diagnostics) {
  if (!check_json(json, file, limits, expected, diagnostics)) return std::nullopt;
  const auto object = nlohmann::json::parse(json);
  if (!object.is_object()) {
    diagnostics.error({file, 0, {}}, "it isn't an object", expected);
    return std::nullopt;
  }
  Weights weights;
  bool fine = true;
  for (const auto& [rule, value] : object.items()) fine = take(rule, value, file, weights, diagnostics) && fine;
  return fine ? std::optional(weights) : std::nullopt;
}

std::optional<Weights> standard_weights(Diagnostics& diagnostics) {
  const std::string path = resource_path("cpu/weights.json");
  const auto text = read_file(path, diagnostics);
  return text ? parse_weights(*text, path, diagnostics) : std::nullopt;
}

}  // namespace convscope::cpu
