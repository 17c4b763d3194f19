#include <memory>

#include <fmt/format.h>

#include "app/cli/commands/calibration_inputs.h"
#include "app/cli/commands/commands.h"
#include "app/cli/commands/quantize_report.h"
#include "core/base/cancellation.h"
#include "core/quantization/fold_normalizations.h"
#include "core/quantization/given_ranges.h"
#include "core/quantization/mixed_widths.h"
#include "core/quantization/stored_weights.h"

namespace convscope::cli {
namespace {

using Result = QuantizeResult;

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

/// Formats alone: nothing is executed, so that there is no error to tell of.
std::optional<Result> by_given_ranges(const QuantizeOptions& options, const network::Graph& graph, int folded,
                                      Diagnostics& diagnostics) {
  const auto ranges = quantization::read_ranges(options.ranges, diagnostics);
  auto formats = ranges
                     ? quantization::formats_of_ranges(graph, *ranges, options.calibration, options.ranges, diagnostics)
                     : std::nullopt;
  if (!formats) return std::nullopt;
  quantization::NetworkError none;
  none.tensors.resize(graph.tensors.size());
  return Result{graph, {*std::move(formats), {}, true}, std::move(none), folded};
}

/// Whether there are scales of the file's own, and they are wanted.
bool keeps_scales(const QuantizeOptions& options, const std::optional<quantization::ScaledGraph>& scaled,
                  Diagnostics& diagnostics) {
  if (!scaled || options.calibrates_anew) return false;
  if (!options.narrow) return true;
  diagnostics.warning({options.network.file, 0, "--narrow"},
                      "the file's own scales aren't kept, all points are chosen");
  return false;
}

/// As measured, with the formats that the file's scales ask for.
std::optional<Result> measured_by_own_scales(quantization::ScaledGraph& scaled, int folded,
                                             const std::vector<reference::FloatTensors>& inputs,
                                             const QuantizeOptions& options, Diagnostics& diagnostics,
                                             Context& context) {
  const std::stop_token stop = context.interrupt.token();
  scaled.scales.resize(scaled.graph.tensors.size());  // folding adds tensors
  scaled.passed.resize(scaled.graph.tensors.size());
  auto own = quantization::own_points(scaled, inputs, options.calibration, diagnostics, stop);
  auto error =
      own ? quantization::measure_error(scaled.graph, own->formats, inputs, {}, diagnostics, stop) : std::nullopt;
  if (!error) return std::nullopt;
  quantization::NetworkFormats formats = own->formats;
  return Result{scaled.graph,
                {std::move(formats), {}, true},
                *std::move(error),
                folded,
                OwnResult{scaled.scales, *std::move(own)}};
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
  auto scaled = options.stored.empty()
                    ? quantization::with_own_scales(*network->stated_graph(), options.network.file, diagnostics)
                    : std::nullopt;
  network::Graph unscaled = scaled ? network::Graph() : *network->graph;
  network::Graph& graph = scaled ? scaled->graph : unscaled;
  const int folded = options.keeps_normalizations ? 0 : quantization::fold_normalizations(graph);
  const auto inputs = options.ranges.empty() ? options.inputs.make(graph, options.network.file, diagnostics)
                                             : std::vector<reference::FloatTensors>();
  if ((inputs.empty() && options.ranges.empty()) || diagnostics.has_errors())
    return context.console.report(diagnostics), refused;
  try {
    const auto result = !options.ranges.empty() ? by_given_ranges(options, graph, folded, diagnostics)
                        : keeps_scales(options, scaled, diagnostics)
                            ? measured_by_own_scales(*scaled, folded, inputs, options, diagnostics, context)
                            : measured(options, graph, folded, inputs, diagnostics, context);
    context.console.clear_progress();
    context.console.report(diagnostics);
    if (!result) return refused;
    context.console.data(options.json ? quantize_json(options, *network, *result)
                                      : quantize_text(options, *network, *result));
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
  command->add_flag("--calibrate-anew", options->calibrates_anew,
                    "Choose all points, also where the file states scales of its own");
  options->inputs.add_to(*command);
  command
      ->add_option(
          "--ranges", options->ranges,
          "Formats from the ranges in this file, as --json prints them: nothing is executed, no error measured")
      ->excludes("--images")
      ->excludes("--percentile")
      ->excludes("--narrow")
      ->excludes("--stored-weights");
  command->add_flag("--json", options->json, "As JSON, see docs/quantize.md");
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
