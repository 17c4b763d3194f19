// Convolutions and pooling.

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/readers/common/maps.h"
#include "core/readers/graphdef/operators.h"
#include "core/readers/graphdef/shape_numbers.h"

namespace convscope::readers::graphdef {
namespace {

using network::Attributes;

constexpr std::int64_t largest = 1 << 20;

/// Of an operator's sliding window: rows, then columns.
struct Sliding {
  Integers kernel, strides{1, 1}, dilations{1, 1};
  Integers pads{0, 0, 0, 0};  ///< top, left, bottom, right
  std::string padding;
};

/// Rows and columns of an attribute with a number for each axis of data_format. Nothing where batch or maps are not
/// stepped one by one; then `foreign` is set, or else the error was said.
std::optional<Integers> rows_and_columns(const OperatorContext& context, const char* name, bool& foreign) {
  const Integers values = context.source.integers(name);
  const bool first = context.maps_stand_first();
  if (values.size() != 4) {
    context.error(fmt::format("{} are {}", name, fmt::join(values, ", ")), "four numbers");
    return std::nullopt;
  }
  for (const std::int64_t value : values) {
    if (value >= 1 && value <= largest) continue;
    context.error(fmt::format("{} are {}", name, fmt::join(values, ", ")), fmt::format("1 to {}", largest));
    return std::nullopt;
  }
  foreign = foreign || values[0] != 1 || values[first ? 1 : 3] != 1;
  return first ? Integers{values[2], values[3]} : Integers{values[1], values[2]};
}

/// EXPLICIT's pairs (before, after), one an axis of data_format.
bool read_pads(const OperatorContext& context, Integers& pads) {
  const Integers pairs = context.source.integers("explicit_paddings");
  bool fits = pairs.size() == 8;
  for (const std::int64_t pad : pairs) fits = fits && pad >= 0 && pad <= largest;
  if (!fits) {
    context.error(fmt::format("explicit_paddings are {}", fmt::join(pairs, ", ")),
                  fmt::format("eight numbers from 0 to {}", largest));
    return false;
  }
  const std::size_t rows = context.maps_stand_first() ? 4 : 2;
  pads = {pairs[rows], pairs[rows + 2], pairs[rows + 1], pairs[rows + 3]};
  return true;
}

/// Nothing after an error, which is said, or where `foreign` is set.
std::optional<Sliding> sliding_of(const OperatorContext& context, bool& foreign) {
  Sliding sliding;
  const auto strides = rows_and_columns(context, "strides", foreign);
  if (!strides) return std::nullopt;
  sliding.strides = *strides;
  if (!context.source.integers("dilations").empty()) {
    const auto dilations = rows_and_columns(context, "dilations", foreign);
    if (!dilations) return std::nullopt;
    sliding.dilations = *dilations;
  }
  sliding.padding = context.source.text("padding", "");
  if (sliding.padding == "EXPLICIT" && !read_pads(context, sliding.pads)) return std::nullopt;
  if (sliding.padding != "SAME" && sliding.padding != "VALID" && sliding.padding != "EXPLICIT") {
    context.error(fmt::format("padding is '{}'", sliding.padding), "SAME, VALID or EXPLICIT");
    return std::nullopt;
  }
  return sliding;
}

Attributes attributes_of(const Sliding& sliding) {
  Attributes attributes;
  attributes.set("kernel_shape", sliding.kernel);
  attributes.set("strides", sliding.strides);
  if (sliding.dilations != Integers{1, 1}) attributes.set("dilations", sliding.dilations);
  if (sliding.padding == "EXPLICIT")
    attributes.set("pads", sliding.pads);
  else
    attributes.set("auto_pad", std::string(sliding.padding == "SAME" ? "SAME_UPPER" : "VALID"));
  return attributes;
}

/// The output's shape in the file's order; `maps` of them.
network::TensorShape slid(const OperatorContext& context, const network::TensorShape& in, const Sliding& sliding,
                          std::int64_t maps) {
  const bool first = context.maps_stand_first();
  network::TensorShape out{true, Integers(4, network::unknown_dimension), {}};
  if (in.known) out.dimensions[0] = in.dimensions[0];
  out.dimensions[first ? 1 : 3] = maps;
  for (std::size_t axis = 0; axis < 2 && in.known; ++axis) {
    const std::int64_t size = in.dimensions[(first ? 2 : 1) + axis];
    const Window window{sliding.kernel[axis], sliding.strides[axis], sliding.dilations[axis], sliding.pads[axis],
                        sliding.pads[axis + 2]};
    const bool same = sliding.padding == "SAME";
    out.dimensions[(first ? 2 : 1) + axis] = size < 0 ? network::unknown_dimension
                                             : same   ? (size - 1) / window.stride + 1
                                                      : window_positions(size, window);
  }
  return out;
}

/// Four dimensions of weights; nothing if they aren't known, or none fits.
std::optional<Integers> weights_of(const OperatorContext& context) {
  if (context.inputs() < 2 || !context.input(1).has_rank(4)) return std::nullopt;
  const Integers& shape = context.input(1).shape.dimensions;
  for (const std::int64_t dimension : shape)
    if (dimension < 1 || dimension > network::element_cap) return std::nullopt;
  if (shape[0] > largest || shape[1] > largest || !element_count(shape)) return std::nullopt;
  return shape;
}

/// Remembers that a bias may be given to the node that was made last.
void has_room_for_bias(const OperatorContext& context, Value& made) {
  made.linear_node = static_cast<int>(context.to.graph().graph().nodes.size()) - 1;
}

bool pool(const OperatorContext& context, const std::string& operator_name) {
  if (context.inputs() != 1 || !context.has_plain_format()) return false;
  bool foreign = false;
  const auto kernel = rows_and_columns(context, "ksize", foreign);
  auto sliding = kernel ? sliding_of(context, foreign) : std::nullopt;
  if (!sliding) return true;
  if (foreign) return false;
  sliding->kernel = *kernel;
  Value& in = context.input(0);
  const auto maps = context.maps(in);
  if (!maps) return false;
  const network::TensorShape out = slid(context, in.shape, *sliding, context.maps_of(in.shape));
  context.finish_maps(operator_name, {*maps}, attributes_of(*sliding), out);
  return true;
}

}  // namespace

/// Weights (height, width, in, out). With fewer input maps in them than in the input it is a grouped convolution.
bool convolution(const OperatorContext& context) {
  const auto weights = weights_of(context);
  if (!weights || !context.has_plain_format()) return false;
  bool foreign = false;
  auto sliding = sliding_of(context, foreign);
  if (!sliding) return true;
  if (foreign) return false;
  sliding->kernel = {(*weights)[0], (*weights)[1]};
  Value& in = context.input(0);
  const std::int64_t inputs = in.has_rank(4) ? context.maps_of(in.shape) : network::unknown_dimension;
  const std::int64_t groups = inputs > 0 ? inputs / (*weights)[2] : 1;
  if (inputs >= 0 && (groups < 1 || inputs % (*weights)[2] != 0 || (*weights)[3] % groups != 0)) {
    context.error(fmt::format("weights of {} don't fit {} input maps", fmt::join(*weights, " x "), inputs),
                  "height, width, input maps and output maps");
    return true;
  }
  const auto maps = context.maps(in);
  if (!maps) return false;
  Attributes attributes = attributes_of(*sliding);
  attributes.set("group", groups);
  const Integers order{3, 2, 0, 1};
  const int filter =
      context.to.reordered(context.input(1), order, {(*weights)[3], (*weights)[2], (*weights)[0], (*weights)[1]});
  has_room_for_bias(context, context.finish_maps("Conv", {*maps, filter}, std::move(attributes),
                                                 slid(context, in.shape, *sliding, (*weights)[3])));
  return true;
}

/// Weights (height, width, in, multiplier): output map in * multiplier + m takes input map in.
bool depthwise_convolution(const OperatorContext& context) {
  const auto weights = weights_of(context);
  if (!weights || !context.has_plain_format()) return false;
  bool foreign = false;
  auto sliding = sliding_of(context, foreign);
  if (!sliding) return true;
  if (foreign) return false;
  sliding->kernel = {(*weights)[0], (*weights)[1]};
  Value& in = context.input(0);
  const std::int64_t inputs = in.has_rank(4) ? context.maps_of(in.shape) : network::unknown_dimension;
  if (inputs >= 0 && inputs != (*weights)[2]) {
    context.error(fmt::format("weights of {} don't fit {} input maps", fmt::join(*weights, " x "), inputs),
                  "height, width, input maps and their multiplier");
    return true;
  }
  const auto maps = context.maps(in);
  if (!maps) return false;
  const std::int64_t outputs = (*weights)[2] * (*weights)[3];
  Attributes attributes = attributes_of(*sliding);
  attributes.set("group", (*weights)[2]);
  const int filter = context.to.reordered(context.input(1), {2, 3, 0, 1}, {outputs, 1, (*weights)[0], (*weights)[1]});
  has_room_for_bias(context, context.finish_maps("Conv", {*maps, filter}, std::move(attributes),
                                                 slid(context, in.shape, *sliding, outputs)));
  return true;
}

/// Inputs: the output's shape, weights (height, width, out, in), maps.
bool transposed_convolution(const OperatorContext& context) {
  const auto weights = weights_of(context);
  const auto size = context.inputs() == 3 ? numbers_of(context.input(0)) : std::nullopt;
  if (!weights || !size || size->size() != 4 || !context.has_plain_format()) return false;
  bool foreign = false;
  auto sliding = sliding_of(context, foreign);
  if (!sliding) return true;
  if (foreign || sliding->padding == "EXPLICIT") return false;
  sliding->kernel = {(*weights)[0], (*weights)[1]};
  network::TensorShape out{true, {}, {}};
  for (const ShapeNumber& number : *size) out.dimensions.push_back(number.dimension());
  const std::size_t rows = context.maps_stand_first() ? 2 : 1;
  if (out.dimensions[rows] < 1 || out.dimensions[rows + 1] < 1) return false;
  const auto maps = context.maps(context.input(2));
  if (!maps) return false;
  Attributes attributes = attributes_of(*sliding);
  attributes.set("output_shape", Integers{out.dimensions[rows], out.dimensions[rows + 1]});
  const int filter = context.to.reordered(context.input(1), {3, 2, 0, 1},
                                          {(*weights)[3], (*weights)[2], (*weights)[0], (*weights)[1]});
  context.finish_maps("ConvTranspose", {*maps, filter}, std::move(attributes), std::move(out));
  return true;
}

bool max_pool(const OperatorContext& context) {
  return pool(context, "MaxPool");
}

/// Pixels outside the input don't count, as ONNX has it too.
bool average_pool(const OperatorContext& context) {
  return pool(context, "AveragePool");
}

}  // namespace convscope::readers::graphdef
