#include "core/readers/torch7/modules.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/readers/common/maps.h"

namespace convscope::readers::torch7 {
namespace {

using network::Attributes;

template <const char* Operator>
Flow each(const ModuleContext& context) {
  return context.each_value(Operator);
}

constexpr char abs_name[] = "Abs", exp_name[] = "Exp", log_name[] = "Log", neg_name[] = "Neg", relu_name[] = "Relu",
               sigmoid_name[] = "Sigmoid", softsign_name[] = "Softsign", sqrt_name[] = "Sqrt", tanh_name[] = "Tanh";

const std::map<std::string_view, ModuleTranslation>& translations() {
  static const std::map<std::string_view, ModuleTranslation> table{
      {"SpatialConvolution", convolution},
      {"SpatialConvolutionMM", convolution},
      {"SpatialDilatedConvolution", convolution},
      {"SpatialDepthWiseConvolution", depthwise_convolution},
      {"SpatialFullConvolution", full_convolution},
      {"Linear", linear},
      {"LinearNoBias", linear},
      {"BatchNormalization", batch_normalization},
      {"SpatialBatchNormalization", batch_normalization},
      {"PReLU", prelu},
      {"Mul", multiplied},
      {"CMul", multiplied},
      {"Add", added},
      {"CAdd", added},
      {"SpatialMaxPooling", max_pooling},
      {"SpatialDilatedMaxPooling", max_pooling},
      {"SpatialAveragePooling", average_pooling},
      {"SpatialAdaptiveMaxPooling", adaptive_max_pooling},
      {"SpatialAdaptiveAveragePooling", adaptive_average_pooling},
      {"SpatialCrossMapLRN", map_normalization},
      {"SpatialCrossResponseNormalization", map_normalization},
      {"Abs", each<abs_name>},
      {"Exp", each<exp_name>},
      {"Log", each<log_name>},
      {"Negative", each<neg_name>},
      {"ReLU", each<relu_name>},
      {"Sigmoid", each<sigmoid_name>},
      {"SoftSign", each<softsign_name>},
      {"Sqrt", each<sqrt_name>},
      {"Tanh", each<tanh_name>},
      {"Threshold", threshold},
      {"ReLU6", clamp},
      {"HardTanh", clamp},
      {"Clamp", clamp},
      {"ClippedReLU", clamp},
      {"LeakyReLU", leaky_relu},
      {"ELU", elu},
      {"Dropout", dropout},
      {"SpatialDropout", spatial_dropout},
      {"VolumetricDropout", spatial_dropout},
      {"SoftMax", softmax},
      {"SpatialSoftMax", softmax},
      {"LogSoftMax", log_softmax},
      {"SpatialLogSoftMax", log_softmax},
      {"SoftPlus", soft_plus},
      {"Power", power},
      {"Square", square},
      {"MulConstant", constant_factor},
      {"AddConstant", constant_term},
      {"Identity", unchanged},
      {"Copy", unchanged},
      {"Contiguous", unchanged},
      {"View", view},
      {"Reshape", view},
      {"SpatialZeroPadding", zero_padding},
      {"SpatialReflectionPadding", reflection_padding},
      {"SpatialReplicationPadding", replication_padding},
      {"Padding", padding},
      {"SpatialUpSamplingNearest", nearest_upsampling},
      {"PixelShuffle", pixel_shuffle},
      {"CAddTable", sum_of_table},
      {"CMulTable", product_of_table},
      {"CSubTable", difference_of_table},
      {"CDivTable", quotient_of_table},
      {"CMaxTable", maximum_of_table},
      {"CMinTable", minimum_of_table},
      {"JoinTable", join_table},
      {"SelectTable", select_table},
      {"FlattenTable", flatten_table}};
  return table;
}

}  // namespace

ModuleTranslation translation_of(std::string_view type) {
  const auto found = translations().find(type);
  return found == translations().end() ? nullptr : found->second;
}

std::span<const Flow> parts_of(const Flow& flow) {
  return flow.is_table() ? std::span<const Flow>(*flow.parts) : std::span<const Flow>(&flow, 1);
}

Flow ModuleContext::table(std::vector<Flow> parts) const {
  constexpr std::size_t parts_cap = 1000;
  constexpr int depth_cap = 50;
  int depth = 0;
  for (const Flow& part : parts) depth = std::max(depth, part.depth);
  if (parts.empty() || parts.size() > parts_cap || depth >= depth_cap) {
    error(fmt::format("it makes a table of {} parts and {} tables in each other", parts.size(), depth + 1),
          fmt::format("1 to {} parts, at most {} tables in each other", parts_cap, depth_cap));
    return {};
  }
  return {-1, -1, std::make_shared<const std::vector<Flow>>(std::move(parts)), depth + 1};
}

Place ModuleContext::place() const {
  const Object* object = shop.tables.object_of(module);
  return object == nullptr ? Place{} : object->place;
}

std::string ModuleContext::element() const {
  const std::string where = place().text();
  return fmt::format("module '{}'{}{}", name, where.empty() ? "" : " at ", where);
}

void ModuleContext::error(std::string what, std::string expected) const {
  shop.report.error(place().line, element(), std::move(what), std::move(expected));
}

void ModuleContext::warning(std::string what, std::string expected) const {
  shop.report.warning(place().line, element(), std::move(what), std::move(expected));
}

std::int64_t ModuleContext::integer(std::string_view key, std::optional<std::int64_t> fallback, std::int64_t least,
                                    std::int64_t most) const {
  const Value value = field(key);
  if (value.kind == Kind::nothing && fallback) return *fallback;
  const bool number = value.kind == Kind::number && value.number >= static_cast<double>(least) &&
                      value.number <= static_cast<double>(most);
  const std::int64_t integer = number ? static_cast<std::int64_t>(value.number) : least;
  if (!number || static_cast<double>(integer) != value.number)
    error(value.kind == Kind::number ? fmt::format("field '{}' is {}", key, value.number)
                                     : fmt::format("field '{}' is missing or no number", key),
          fmt::format("an integer from {} to {}", least, most));
  return integer;
}

double ModuleContext::real(std::string_view key, std::optional<double> fallback) const {
  const Value value = field(key);
  if (value.kind == Kind::number) return value.number;
  if (value.kind != Kind::nothing || !fallback)
    error(fmt::format("field '{}' is missing or no number", key), "a number");
  return fallback.value_or(0);
}

bool ModuleContext::boolean(std::string_view key, bool fallback) const {
  const Value value = field(key);
  return value.kind == Kind::boolean ? value.number != 0 : fallback;
}

std::optional<StoredTensor> ModuleContext::stored(std::string_view key) const {
  return stored_tensor(shop.tables, field(key));
}

int ModuleContext::parameter(std::string_view key, const Integers& dimensions) const {
  if (!has(key)) return -1;
  const auto tensor = stored(key);
  if (tensor) return parameter(*tensor, key, dimensions);
  return shop.graph.constant(fmt::format("{}/{}", name, key), dimensions, place().line);
}

int ModuleContext::parameter(const StoredTensor& tensor, std::string_view key, const Integers& dimensions) const {
  const int made = shop.graph.constant(fmt::format("{}/{}", name, key), dimensions, place().line, tensor.array.type);
  network::Constant* constant = shop.graph.constant_of(made);
  if (constant == nullptr) return made;
  const auto wanted = element_count(dimensions);
  if (wanted != tensor.elements())
    warning(fmt::format("'{}' has {} values; they are left out", key, fmt::join(tensor.layout.dimensions, " x ")),
            fmt::format("{}", fmt::join(dimensions, " x ")));
  else if (!give_tensor(tensor, *constant, shop.copy_budget))
    shop.copies_left_out = true;
  return made;
}

int ModuleContext::scalar(const std::string& suffix, double value) const {
  return shop.graph.floats(name + "/" + suffix, {}, {static_cast<float>(value)});
}

int ModuleContext::list(const std::string& suffix, const Integers& values) const {
  return shop.graph.integers(name + "/" + suffix, values);
}

int ModuleContext::operand() const {
  if (in.is_table()) error("its input is a table", "a tensor");
  return in.tensor;
}

Flow ModuleContext::node(const std::string& operator_name, std::vector<int> inputs, int rank, Attributes attributes,
                         const std::string& domain) const {
  return {shop.graph.node({operator_name, name, std::move(inputs), std::move(attributes), domain, place().line}), rank};
}

int ModuleContext::step(const std::string& suffix, const std::string& operator_name, std::vector<int> inputs,
                        Attributes attributes) const {
  return shop.graph.node(
      {operator_name, name + "/" + suffix, std::move(inputs), std::move(attributes), {}, place().line});
}

Flow ModuleContext::each_value(const std::string& operator_name, Attributes attributes) const {
  return node(operator_name, {operand()}, in.rank, std::move(attributes));
}

Flow ModuleContext::opaque() const {
  std::vector<int> inputs;
  for (const Flow& part : parts_of(in)) {
    if (part.is_table()) error("its input is a table of tables", "a tensor or a table of tensors");
    inputs.push_back(part.tensor);
  }
  return node(type, std::move(inputs), -1, {}, "torch");
}

Slide slide_of(const ModuleContext& context, char axis) {
  constexpr std::int64_t most = 1 << 16;
  const auto key = [axis](const char* front) { return std::string(front) + axis; };
  const std::int64_t pad = context.integer("padding", 0, 0, most);  // of files before padW and padH
  return {context.integer(key("k"), std::nullopt, 1, most), context.integer(key("d"), 1, 1, most),
          context.integer(key("pad"), pad, 0, most), context.integer(key("dilation"), 1, 1, most)};
}

Attributes window_attributes(const Slide& rows, const Slide& columns) {
  Attributes attributes;
  attributes.set("kernel_shape", Integers{rows.kernel, columns.kernel});
  attributes.set("strides", Integers{rows.stride, columns.stride});
  attributes.set("dilations", Integers{rows.dilation, columns.dilation});
  attributes.set("pads", Integers{rows.pad, columns.pad, rows.pad, columns.pad});
  return attributes;
}

std::int64_t batch_axis(std::int64_t dimension, bool counts_frame) {
  return counts_frame || dimension == 1 ? dimension : dimension - 1;
}

}  // namespace convscope::readers::torch7
