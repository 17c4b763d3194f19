// Any bytes as a .caffemodel beside a sound definition: the network always opens, its constants hold together.

#include <cstdint>
#include <string_view>

#include "core/readers/caffe/caffe.h"
#include "tests/fuzz/check_graph.h"

using convscope::fuzz::require;

namespace {

constexpr std::string_view definition =
    "input: \"x\" input_dim: 1 input_dim: 2 input_dim: 4 input_dim: 4\n"
    "layer { name: \"c\" type: \"Convolution\" bottom: \"x\" top: \"c\" convolution_param { num_output: 2 kernel_size: "
    "1 } }\n"
    "layer { name: \"b\" type: \"BatchNorm\" bottom: \"c\" top: \"b\" }\n"
    "layer { name: \"s\" type: \"Scale\" bottom: \"b\" top: \"b\" scale_param { bias_term: true } }\n"
    "layer { name: \"o\" type: \"Python\" bottom: \"b\" top: \"o\" }\n"
    "layer { name: \"i\" type: \"InnerProduct\" bottom: \"o\" top: \"i\" inner_product_param { num_output: 2 } }\n";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view model(reinterpret_cast<const char*>(data), size);
  convscope::Diagnostics diagnostics;
  const auto network = convscope::readers::read_caffe_text(definition, "fuzz.prototxt", model, nullptr, diagnostics);
  // A model may complete a dimension that the definition leaves open, and make it too large.
  require(network.has_value() != diagnostics.has_errors(), "a network or an error");
  require(diagnostics.items().size() < 500, "a bounded number of diagnostics");
  if (network) convscope::fuzz::check_graph(*network->graph);
  return 0;
}
