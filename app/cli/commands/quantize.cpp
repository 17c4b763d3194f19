#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "app/cli/options.h"
#include "core/analysis/table.h"
#include "core/base/cancellation.h"
#include "core/quantization/calibration.h"
#include "core/reference/image_file.h"

namespace convscope::cli {
namespace {

using Json = nlohmann::ordered_json;
using quantization::NetworkError;
using quantization::NetworkFormats;
using reference::FloatTensor;
using reference::FloatTensors;

struct QuantizeOptions {
  NetworkOptions network;
  quantization::CalibrationOptions calibration;
  std::string images;
  double mean = 0, scale = 255;
  std::uint64_t seed = 1;
  int inputs = 4;
  bool json = false;
};

/// The one input that images are put into; -1, with an error, if there is none or several.
int image_input(const network::Graph& graph, const std::string& file, Diagnostics& diagnostics) {
  int found = -1, count = 0;
  for (const int input : graph.inputs) {
    const network::Tensor& tensor = graph.tensors[static_cast<std::size_t>(input)];
    if (tensor.constant) continue;
    found = input;
    ++count;
  }
  const auto shape = found < 0 ? network::TensorShape{} : graph.tensors[static_cast<std::size_t>(found)].shape;
  const bool image = count == 1 && shape.elements() && shape.dimensions.size() == 4 && shape.dimensions[0] == 1 &&
                     std::all_of(shape.dimensions.begin() + 1, shape.dimensions.end(),
                                 [](std::int64_t size) { return size >= 1 && size <= reference::image_dimension_cap; });
  if (image) return found;
  diagnostics.error({file, 0, "--images"}, "the network doesn't take one image",
                    "one input of known size: batch 1, maps, height, width", "without --images inputs are made up");
  return -1;
}

/// Colours for networks that take three maps; for others gray.
std::vector<std::string> image_files(const std::string& folder, bool colors, Diagnostics& diagnostics) {
  std::vector<std::string> files;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".png" || extension == ".pgm" || (colors && extension == ".ppm"))
      files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  if (files.empty())
    diagnostics.error({folder, 0, "--images"}, failure ? failure.message() : "there are no images in it",
                      colors ? "a folder of PNG, PPM or PGM files" : "a folder of PNG or PGM files");
  return files;
}

std::vector<FloatTensors> read_images(const QuantizeOptions& options, const network::Graph& graph,
                                      Diagnostics& diagnostics) {
  std::vector<FloatTensors> inputs;
  const int input = image_input(graph, options.network.file, diagnostics);
  if (input < 0) return inputs;
  const network::Tensor& tensor = graph.tensors[static_cast<std::size_t>(input)];
  const auto& sizes = tensor.shape.dimensions;
  const network::Shape shape{static_cast<int>(sizes[1]), {static_cast<int>(sizes[2]), static_cast<int>(sizes[3])}};
  const bool colors = shape.maps == 3;
  for (const std::string& file : image_files(options.images, colors, diagnostics)) {
    const auto image = colors ? reference::load_colors(file, shape.size, diagnostics)
                              : reference::load_image(file, shape, diagnostics);
    if (!image) continue;
    FloatTensor value{network::ElementType::float32, sizes, {}};
    for (const std::uint8_t pixel : image->values) value.values.push_back((pixel - options.mean) / options.scale);
    inputs.push_back({{tensor.name, std::move(value)}});
  }
  return inputs;
}

std::vector<FloatTensors> make_inputs(const QuantizeOptions& options, const network::Graph& graph,
                                      Diagnostics& diagnostics) {
  if (!options.images.empty()) return read_images(options, graph, diagnostics);
  std::vector<FloatTensors> inputs;
  for (int i = 0; i < options.inputs; ++i) {
    auto made = quantization::seeded_inputs(graph, options.seed + static_cast<std::uint64_t>(i), diagnostics);
    if (!made) return {};
    inputs.push_back(*std::move(made));
  }
  return inputs;
}

struct Result {
  const network::Graph& graph;
  NetworkFormats formats;
  NetworkError error;

  const quantization::Error& error_of(int tensor) const { return error.tensors[static_cast<std::size_t>(tensor)]; }
  const quantization::Format* format_of(int tensor) const {
    const auto& format = formats.formats[static_cast<std::size_t>(tensor)];
    return format ? &*format : nullptr;
  }
};

/// Infinite where nothing was lost, which JSON has no number for.
Json sqnr_json(const quantization::Error& error) {
  const double sqnr = error.sqnr();
  return error.count > 0 && std::isfinite(sqnr) ? Json(sqnr) : Json();
}

std::string sqnr_text(const quantization::Error& error) {
  return error.count == 0 ? std::string() : fmt::format("{:.1f}", error.sqnr());
}

Json tensor_json(const Result& result, int tensor) {
  const auto& range = result.formats.ranges[static_cast<std::size_t>(tensor)];
  const quantization::Format& format = *result.format_of(tensor);
  return {{"name", result.graph.tensors[static_cast<std::size_t>(tensor)].name},
          {"format", format.name()},
          {"bits", format.bits},
          {"fraction", format.fraction},
          {"least", range.least},
          {"most", range.most},
          {"constant", result.graph.tensors[static_cast<std::size_t>(tensor)].constant != nullptr},
          {"sqnr", sqnr_json(result.error_of(tensor))}};
}

std::string as_json(const QuantizeOptions& options, const network::Network& network, const Result& result) {
  Json json{{"schema", "convscope-quantization"},
            {"version", 1},
            {"network", network.name},
            {"bits", options.calibration.bits},
            {"percentile", options.calibration.percentile},
            {"inputs", result.error.inputs},
            {"same_answer", result.error.same_answer},
            {"outputs", Json::array()},
            {"tensors", Json::array()}};
  for (const int output : result.graph.outputs)
    json["outputs"].push_back({{"name", result.graph.tensors[static_cast<std::size_t>(output)].name},
                               {"sqnr", sqnr_json(result.error_of(output))},
                               {"largest_error", result.error_of(output).largest}});
  for (int tensor = 0; tensor < static_cast<int>(result.graph.tensors.size()); ++tensor)
    if (result.format_of(tensor) != nullptr) json["tensors"].push_back(tensor_json(result, tensor));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

/// One row a node: the formats of its weights and its output, the values seen, and the error there.
std::string as_text(const network::Network& network, const Result& result) {
  analysis::TextTable table{{"layer", "operator", "weights", "output", "least", "most", "SQNR dB"}, {}};
  for (const network::Node& node : result.graph.nodes) {
    if (node.outputs.empty()) continue;
    const quantization::Format* output = result.format_of(node.outputs[0]);
    std::string weights;
    if (node.inputs.size() > 1 && node.inputs[1] >= 0 && result.format_of(node.inputs[1]) != nullptr &&
        result.graph.tensors[static_cast<std::size_t>(node.inputs[1])].constant)
      weights = result.format_of(node.inputs[1])->name();
    if (output == nullptr && weights.empty()) continue;
    const auto& range = result.formats.ranges[static_cast<std::size_t>(node.outputs[0])];
    std::vector<std::string> row{node.name, node.operator_name, weights};
    if (output != nullptr) {
      row.insert(row.end(), {output->name(), fmt::format("{:.4g}", range.least), fmt::format("{:.4g}", range.most),
                             sqnr_text(result.error_of(node.outputs[0]))});
    }
    table.rows.push_back(std::move(row));
  }
  std::string text = analysis::aligned_text(table) + '\n';
  for (const int output : result.graph.outputs)
    text +=
        fmt::format("signal to quantization noise of {}: {} dB at output {}\n", network.name,
                    sqnr_text(result.error_of(output)), result.graph.tensors[static_cast<std::size_t>(output)].name);
  return text + fmt::format("largest value in the same place: {} of {} inputs\n", result.error.same_answer,
                            result.error.inputs);
}

ExitCode run(const QuantizeOptions& options, Context& context) {
  Diagnostics diagnostics;
  const auto network =
      context.catalogue->read_network(options.network.file, diagnostics, request::resolve_sizes(options.network));
  if (network && !network->graph)
    diagnostics.error({options.network.file, 0, {}}, "the file has no operators, only connections and no weights",
                      "a network in another format than a ConvNet descriptor");
  if (!network || diagnostics.has_errors()) return context.console.report(diagnostics), refused;
  const network::Graph& graph = *network->graph;
  const auto inputs = make_inputs(options, graph, diagnostics);
  if (inputs.empty() || diagnostics.has_errors()) return context.console.report(diagnostics), refused;
  try {
    auto formats = quantization::calibrate(graph, inputs, options.calibration, diagnostics, context.interrupt.token());
    auto error = formats
                     ? quantization::measure_error(graph, *formats, inputs, {}, diagnostics, context.interrupt.token())
                     : std::nullopt;
    context.console.report(diagnostics);
    if (!error) return refused;
    const Result result{graph, *std::move(formats), *std::move(error)};
    context.console.data(options.json ? as_json(options, *network, result) : as_text(*network, result));
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
  command->add_option("--bits", options->calibration.bits, "Width of every word")
      ->check(CLI::Range(quantization::least_bits, quantization::most_bits))
      ->capture_default_str();
  command
      ->add_option("--percentile", options->calibration.percentile,
                   "Share of a tensor's magnitudes that its format holds, in percent; the rest saturates")
      ->check(CLI::Range(1.0, 100.0))
      ->capture_default_str();
  command->add_option("--images", options->images,
                      "Folder of PNG, PPM or PGM files to calibrate with: in colour for three maps, else gray; without "
                      "it, made-up inputs");
  command->add_option("--mean", options->mean, "What is subtracted from a pixel of 0 to 255")->capture_default_str();
  command->add_option("--scale", options->scale, "What a pixel is then divided by")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Of made-up inputs")->capture_default_str();
  command->add_option("--inputs", options->inputs, "How many inputs are made up")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_flag("--json", options->json, "As JSON, see docs/quantize.md");
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
