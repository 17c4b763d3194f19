#include "core/nve/trained_trace.h"

#include <utility>

#include "core/nve/run_network.h"
#include "core/nve/trace/program_trace.h"
#include "core/quantization/own_scales.h"

namespace convscope::nve {

std::shared_ptr<const target::Trace> trace_with_weights(const network::Network& given, const ChainLayer& layer,
                                                        int program, int most_bias_shift,
                                                        const target::OptionValues& options,
                                                        std::int64_t checkpoint_bytes, const std::stop_token& stop,
                                                        Diagnostics& diagnostics) {
  const reference::PixelScale pixels{static_cast<double>(options.integer("image-mean")),
                                     static_cast<double>(options.integer("image-scale"))};
  const network::Network network = quantization::in_real_numbers(given, diagnostics);
  const auto inputs = named_inputs(*network.graph, options.text("image"), pixels, diagnostics);
  if (!inputs) return nullptr;
  auto numbers = layer_numbers(network, layer, most_bias_shift, *inputs, stop, diagnostics);
  if (!numbers) return nullptr;
  const Layout& layout = layer.programs->layout();
  LayerData& data = numbers->data;
  Program traced = std::move(layer.programs->programs()[static_cast<std::size_t>(program)]);
  traced.activation_shift = data.activation.shift;
  traced.bias_shift = numbers->bias_shift;
  TraceInput input;
  input.image = layout.plain() ? std::move(data.image) : part_image(layout, data.image, 0, data.border);
  input.coefficients = part_coefficients(layout, data.coefficients);
  input.strip = static_cast<int>(options.integer("strip"));
  input.border = data.border;
  input.activation = data.activation;
  return trace_program(std::move(traced), std::move(input), checkpoint_bytes, stop, diagnostics);
}

}  // namespace convscope::nve
