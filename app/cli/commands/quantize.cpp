#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/calibration_inputs.h"
#include "app/cli/commands/commands.h"
#include "app/cli/options.h"
#include "core/analysis/table.h"
#include "core/base/cancellation.h"
#include "core/quantization/fold_normalizations.h"
#include "core/quantization/mixed_widths.h"
#include "core/quantization/stored_weights.h"

namespace convscope::cli {
namespace {

using Json = nlohmann::ordered_json;
using quantization::NetworkError;

struct QuantizeOptions {
  NetworkOptions network;
  quantization::CalibrationOptions calibration;
  CalibrationInputs inputs;
  std::optional<int> narrow;  ///< bits of what may be narrower
  double least_sqnr = 30;
  std::string stored;  ///< storage of weights that are computed with as floating point; empty: all in fixed point
  bool keeps_normalizations = false, json = false;
};

struct Result {
  const network::Graph& graph;
  quantization::MixedWidths widths;
  NetworkError error;
  int folded = 0;  ///< batch norms

  const quantization::Error& error_of(int tensor) const { return error.tensors[static_cast<std::size_t>(tensor)]; }
  const quantization::Format* format_of(int tensor) const {
    const auto& format = widths.formats.formats[static_cast<std::size_t>(tensor)];
    return format ? &*format : nullptr;
  }
};

/// Infinite where nothing was lost, which JSON has no number for.
Json sqnr_json(const quantization::Error& error) {
  const double sqnr = error.sqnr();
  return error.count > 0 && std::isfinite(sqnr) ? Json(sqnr) : Json();
}

/// With its unit, or in words where the quotient has no number.
std::string sqnr_text(const quantization::Error& error) {
  if (error.count == 0) return {};
  if (error.noise == 0) return "nothing lost";
  return error.signal == 0 ? "all lost" : fmt::format("{:.1f} dB", error.sqnr());
}

Json tensor_json(const Result& result, int tensor) {
  const auto& range = result.widths.formats.ranges[static_cast<std::size_t>(tensor)];
  const quantization::Format& format = *result.format_of(tensor);
  Json json{{"name", result.graph.tensors[static_cast<std::size_t>(tensor)].name},
            {"format", format.name()},
            {"bits", format.bits},
            {"fraction", format.fraction},
            {"least", range.least},
            {"most", range.most},
            {"constant", result.graph.tensors[static_cast<std::size_t>(tensor)].constant != nullptr},
            {"sqnr", sqnr_json(result.error_of(tensor))}};
  const auto& filters = result.widths.formats.filters;
  if (!filters.empty() && !filters[static_cast<std::size_t>(tensor)].fractions.empty())
    json["filter_fractions"] = filters[static_cast<std::size_t>(tensor)].fractions;
  return json;
}

Json unit_json(const Result& result, const quantization::WidthUnit& unit) {
  Json json{{"narrow", unit.narrow},
            {"sqnr", std::isfinite(unit.sqnr) ? Json(unit.sqnr) : Json()},
            {"bits_saved", unit.bits_saved},
            {"tensors", Json::array()}};
  for (const int tensor : unit.tensors)
    json["tensors"].push_back(result.graph.tensors[static_cast<std::size_t>(tensor)].name);
  return json;
}

Json narrow_json(const QuantizeOptions& options, const Result& result) {
  Json json{{"bits", *options.narrow},
            {"least_sqnr", options.least_sqnr},
            {"met", result.widths.bound_met},
            {"units", Json::array()}};
  for (const quantization::WidthUnit& unit : result.widths.units) json["units"].push_back(unit_json(result, unit));
  return json;
}

std::string as_json(const QuantizeOptions& options, const network::Network& network, const Result& result) {
  Json json{{"schema", "convscope-quantization"}, {"version", 1}, {"network", network.name}};
  if (options.stored.empty())
    json.update({{"bits", options.calibration.bits},
                 {"percentile", options.calibration.percentile},
                 {"per_filter", options.calibration.per_filter}});
  else
    json["stored_weights"] = options.stored;
  json.update({{"folded_normalizations", result.folded},
               {"inputs", result.error.inputs},
               {"same_answer", result.error.same_answer},
               {"outputs", Json::array()},
               {"tensors", Json::array()}});
  for (const int output : result.graph.outputs)
    json["outputs"].push_back({{"name", result.graph.tensors[static_cast<std::size_t>(output)].name},
                               {"sqnr", sqnr_json(result.error_of(output))},
                               {"largest_error", result.error_of(output).largest}});
  for (int tensor = 0; tensor < static_cast<int>(result.graph.tensors.size()); ++tensor)
    if (result.format_of(tensor) != nullptr) json["tensors"].push_back(tensor_json(result, tensor));
  if (options.narrow) json["narrow"] = narrow_json(options, result);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

/// What was narrowed, and what that saves of the bits of all that could have been.
std::string narrow_text(const QuantizeOptions& options, const quantization::MixedWidths& widths) {
  std::size_t narrowed = 0;
  double saved = 0, whole = 0;
  for (const quantization::WidthUnit& unit : widths.units) {
    narrowed += unit.narrow ? 1 : 0;
    saved += unit.narrow ? static_cast<double>(unit.bits_saved) : 0;
    whole += static_cast<double>(unit.bits_saved);
  }
  const int wide = options.calibration.bits;
  const double share = whole > 0 ? saved / whole * (wide - *options.narrow) / wide : 0;
  return fmt::format(
      "{} of {} groups of tensors have {} bits, {:.1f} % of all bits are saved; each output keeps {:g} dB\n", narrowed,
      widths.units.size(), *options.narrow, 100 * share, options.least_sqnr);
}

/// One row a node: the formats of its weights and its output, the values seen, and the error there.
std::string as_text(const QuantizeOptions& options, const network::Network& network, const Result& result) {
  analysis::TextTable table{{"layer", "operator", "weights", "output", "least", "most", "SQNR"}, {}};
  for (const network::Node& node : result.graph.nodes) {
    if (node.outputs.empty()) continue;
    const quantization::Format* output = result.format_of(node.outputs[0]);
    std::string weights;
    if (node.inputs.size() > 1 && node.inputs[1] >= 0 && result.format_of(node.inputs[1]) != nullptr &&
        result.graph.tensors[static_cast<std::size_t>(node.inputs[1])].constant)
      weights = result.format_of(node.inputs[1])->name();
    if (output == nullptr && weights.empty()) continue;
    const auto& range = result.widths.formats.ranges[static_cast<std::size_t>(node.outputs[0])];
    std::vector<std::string> row{node.name, node.operator_name, weights};
    if (output != nullptr) {
      row.insert(row.end(), {output->name(), fmt::format("{:.4g}", range.least), fmt::format("{:.4g}", range.most),
                             sqnr_text(result.error_of(node.outputs[0]))});
    }
    table.rows.push_back(std::move(row));
  }
  std::string text = table.rows.empty() ? std::string() : analysis::aligned_text(table) + '\n';
  for (const int output : result.graph.outputs)
    text +=
        fmt::format("signal to quantization noise of {}: {} at output {}\n", network.name,
                    sqnr_text(result.error_of(output)), result.graph.tensors[static_cast<std::size_t>(output)].name);
  if (options.narrow && result.widths.bound_met) text += narrow_text(options, result.widths);
  return text + fmt::format("largest value in the same place: {} of {} inputs\n", result.error.same_answer,
                            result.error.inputs);
}

/// One width for all, without units, unless some may be narrow.
std::optional<quantization::MixedWidths> widths_of(const QuantizeOptions& options, const network::Graph& graph,
                                                   const std::vector<reference::FloatTensors>& inputs,
                                                   Diagnostics& diagnostics, Context& context) {
  const std::stop_token stop = context.interrupt.token();
  if (!options.narrow) {
    auto formats = quantization::calibrate(graph, inputs, options.calibration, diagnostics, stop);
    return formats ? std::optional(quantization::MixedWidths{*std::move(formats), {}, true}) : std::nullopt;
  }
  auto mixed = quantization::choose_widths(graph, inputs, options.calibration, {*options.narrow, options.least_sqnr},
                                           diagnostics, stop, context.console.progress());
  if (mixed && !mixed->bound_met)
    diagnostics.warning({options.network.file, 0, "--least-sqnr"},
                        fmt::format("{:g} dB aren't reached with {} bits everywhere: nothing is narrowed",
                                    options.least_sqnr, options.calibration.bits));
  return mixed;
}

/// Nothing, with errors, if the network can't be executed. Throws Cancelled.
std::optional<Result> measured(const QuantizeOptions& options, const network::Graph& graph, int folded,
                               const std::vector<reference::FloatTensors>& inputs, Diagnostics& diagnostics,
                               Context& context) {
  const std::stop_token stop = context.interrupt.token();
  if (const auto storage = flyte::parse_storage(options.stored)) {
    auto error = quantization::measure_stored_weights(graph, *storage, inputs, diagnostics, stop);
    const std::size_t tensors = graph.tensors.size();
    const quantization::NetworkFormats none{std::vector<std::optional<quantization::Format>>(tensors),
                                            std::vector<quantization::Range>(tensors)};
    return error ? std::optional(Result{graph, {none, {}, true}, *std::move(error), folded}) : std::nullopt;
  }
  auto mixed = widths_of(options, graph, inputs, diagnostics, context);
  auto error = mixed ? quantization::measure_error(graph, mixed->formats, inputs, {}, diagnostics, stop) : std::nullopt;
  return error ? std::optional(Result{graph, *std::move(mixed), *std::move(error), folded}) : std::nullopt;
}

ExitCode run(const QuantizeOptions& options, Context& context) {
  if (options.narrow && *options.narrow >= options.calibration.bits)
    return context.console.error(
               fmt::format("--narrow {} isn't below --bits {}", *options.narrow, options.calibration.bits)),
           wrong_usage;
  Diagnostics diagnostics;
  const auto network =
      context.catalogue->read_network(options.network.file, diagnostics, request::resolve_sizes(options.network));
  if (network && !network->graph)
    diagnostics.error({options.network.file, 0, {}}, "the file has no operators, only connections and no weights",
                      "a network in another format than a ConvNet descriptor");
  if (!network || diagnostics.has_errors()) return context.console.report(diagnostics), refused;
  network::Graph graph = *network->graph;
  const int folded = options.keeps_normalizations ? 0 : quantization::fold_normalizations(graph);
  const auto inputs = options.inputs.make(graph, options.network.file, diagnostics);
  if (inputs.empty() || diagnostics.has_errors()) return context.console.report(diagnostics), refused;
  try {
    const auto result = measured(options, graph, folded, inputs, diagnostics, context);
    context.console.clear_progress();
    context.console.report(diagnostics);
    if (!result) return refused;
    context.console.data(options.json ? as_json(options, *network, *result) : as_text(options, *network, *result));
  } catch (const Cancelled&) {
    return context.console.error("cancelled"), cancelled;
  }
  return done;
}

}  // namespace

Command add_quantize(CLI::App& program) {
  CLI::App* command = program.add_subcommand("quantize", "Fixed-point formats of a network and the error they make");
  const auto options = std::make_shared<QuantizeOptions>();
  command->add_option("network", options->network.file, "Network file")->required();
  command->add_option("--input-size", options->network.input_size, "Height x width of image inputs, like 224x224");
  command->add_option("--bits", options->calibration.bits, "Width of a word")
      ->check(CLI::Range(quantization::least_bits, quantization::most_bits))
      ->capture_default_str();
  command
      ->add_option("--percentile", options->calibration.percentile,
                   "Share of a tensor's magnitudes that its format holds, in percent; the rest saturates")
      ->check(CLI::Range(1.0, 100.0))
      ->capture_default_str();
  command->add_flag("--per-filter", options->calibration.per_filter, "A point for each filter of a product's weights");
  command
      ->add_option("--narrow", options->narrow,
                   "Bits of what is narrower than --bits, as much of it as --least-sqnr allows")
      ->check(CLI::Range(quantization::least_bits, quantization::most_bits));
  command->add_option("--least-sqnr", options->least_sqnr, "Decibels that every output must keep with --narrow")
      ->check(CLI::Range(-100.0, 400.0))
      ->capture_default_str();
  command
      ->add_option(
          "--stored-weights", options->stored,
          "Instead of fixed point: weights stored as flyte-24, flyte-16 or flyte-8 (also \"flyte-16 truncated\")")
      ->check(CLI::Validator(
          [](const std::string& text) {
            const auto storage = flyte::parse_storage(text);
            return storage && storage->whole == 4 ? std::string() : "'" + text + "' is no storage like flyte-16";
          },
          "STORAGE"))
      ->excludes("--narrow")
      ->excludes("--per-filter");
  command->add_flag("--keep-normalizations", options->keeps_normalizations,
                    "Don't fold batch norms into the weights before them");
  options->inputs.add_to(*command);
  command->add_flag("--json", options->json, "As JSON, see docs/quantize.md");
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
