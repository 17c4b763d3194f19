// Operators that join, cut, rearrange and reduce.

#include <algorithm>
#include <map>

#include "core/readers/tflite/operators.h"

namespace convscope::readers::tflite {
namespace {

using network::Attributes;

bool is_open(const Integers& shape) {
  return std::count(shape.begin(), shape.end(), network::unknown_dimension) > 1;
}

/// Slice with one entry an axis, in the file's layout.
void finish_slice(const OperatorContext& context, const Integers& begins, const Integers& ends, const Integers& steps) {
  Integers axes(begins.size());
  for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<std::int64_t>(i);
  context.finish("Slice",
                 {context.to.operand(context.input(0)), context.integers("starts", OperatorContext::by_axis(begins)),
                  context.integers("ends", OperatorContext::by_axis(ends)), context.integers("axes", axes),
                  context.integers("steps", OperatorContext::by_axis(steps))});
}

}  // namespace

bool concatenation(const OperatorContext& context) {
  const auto* options = context.source.options<schema::ConcatenationOptions>();
  const std::size_t rank = context.out().shape.size();
  const std::int64_t axis = OperatorContext::axis(options == nullptr ? 0 : options->axis(), rank);
  std::vector<int> operands;
  for (const std::int64_t input : context.source.inputs) {
    if (input < 0 || context.to.rank(input) != rank) return false;
    operands.push_back(context.to.operand(input));
  }
  if (axis < 0) return false;
  Attributes attributes;
  attributes.set("axis", axis);
  context.finish("Concat", std::move(operands), std::move(attributes),
                 fused_activation<schema::ConcatenationOptions>(context.source));
  return true;
}

/// RESHAPE, SQUEEZE and EXPAND_DIMS: the output's shape as the file declares it, the batch copied where it stays.
bool reshape(const OperatorContext& context) {
  Integers shape = context.out().shape;
  const Integers& in = context.in().shape;
  if (!context.out().ranked || is_open(shape)) return false;
  const Integers declared = shape;
  if (!shape.empty() && !in.empty() && shape[0] == in[0]) shape[0] = 0;
  const int source = context.to.operand_in_file_order(context.input(0));
  const int wanted = context.integers("shape", shape);
  if (shape.size() != 4) {
    context.finish("Reshape", {source, wanted});
    return true;
  }
  context.finish_from_file_order(context.step("reshaped", "Reshape", {source, wanted}, declared));
  return true;
}

bool transpose(const OperatorContext& context) {
  const auto order = context.to.values(context.input(1));
  const std::size_t rank = context.in().shape.size();
  if (!order || order->size() != rank) return false;
  Integers sorted = *order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < rank; ++i)
    if (sorted[i] != static_cast<std::int64_t>(i)) return false;
  Integers perm = *order;
  if (rank == 4) {
    for (std::size_t i = 0; i < rank; ++i)
      perm[i] = OperatorContext::axis((*order)[static_cast<std::size_t>(maps_first[i])], rank);
  }
  Attributes attributes;
  attributes.set("perm", perm);
  context.finish("Transpose", {context.to.operand(context.input(0))}, std::move(attributes));
  return true;
}

/// Paddings are pairs (before, after), one an axis.
bool pad(const OperatorContext& context) {
  const auto pairs = context.to.values(context.input(1));
  const std::size_t rank = context.in().shape.size();
  if (!pairs || pairs->size() != 2 * rank) return false;
  Integers before, after;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    before.push_back((*pairs)[2 * axis]);
    after.push_back((*pairs)[2 * axis + 1]);
  }
  Integers pads = OperatorContext::by_axis(before);
  const Integers ends = OperatorContext::by_axis(after);
  pads.insert(pads.end(), ends.begin(), ends.end());
  for (const std::int64_t zeros : pads)
    if (zeros < 0 || zeros > (1 << 20)) return false;
  Attributes attributes;
  if (context.source.name == "MIRROR_PAD") {
    const auto* options = context.source.options<schema::MirrorPadOptions>();
    if (options != nullptr && options->mode() != 0) return false;  // SYMMETRIC repeats the border
    attributes.set("mode", std::string("reflect"));
  }
  std::vector<int> operands{context.to.operand(context.input(0)), context.integers("pads", pads)};
  if (context.source.name == "PADV2") operands.push_back(context.to.operand(context.input(2)));
  context.finish("Pad", std::move(operands), std::move(attributes));
  return true;
}

bool reduction(const OperatorContext& context) {
  static const std::map<std::string, std::string> operators{{"MEAN", "ReduceMean"},
                                                            {"SUM", "ReduceSum"},
                                                            {"REDUCE_MAX", "ReduceMax"},
                                                            {"REDUCE_MIN", "ReduceMin"},
                                                            {"REDUCE_PROD", "ReduceProd"}};
  const auto axes = context.to.values(context.input(1));
  const std::size_t rank = context.in().shape.size();
  const auto* options = context.source.options<schema::ReducerOptions>();
  const bool keeps = options != nullptr && options->keep_dims();
  if (!axes) return false;
  Integers translated;
  for (const std::int64_t axis : *axes) {
    translated.push_back(OperatorContext::axis(axis, rank));
    if (translated.back() < 0) return false;
  }
  // Without the reduced axes, maps and pixels that are left must stand in the file's order.
  const bool maps_left = std::count(translated.begin(), translated.end(), 1) == 0;
  const bool pixels_left = std::count(translated.begin(), translated.end(), 2) == 0 ||
                           std::count(translated.begin(), translated.end(), 3) == 0;
  if (rank == 4 && !keeps && maps_left && pixels_left) return false;
  std::sort(translated.begin(), translated.end());
  Attributes attributes;
  attributes.set("keepdims", std::int64_t{keeps ? 1 : 0});
  // Opset 13 moved the axes of sums into an input.
  std::vector<int> operands{context.to.operand(context.input(0))};
  if (context.source.name == "SUM") {
    operands.push_back(context.integers("axes", translated));
  } else {
    attributes.set("axes", translated);
  }
  context.finish(operators.at(context.source.name), std::move(operands), std::move(attributes));
  return true;
}

bool resize(const OperatorContext& context) {
  const bool linear = context.source.name == "RESIZE_BILINEAR";
  const auto* bilinear = context.source.options<schema::ResizeBilinearOptions>();
  const auto* nearest = context.source.options<schema::ResizeNearestNeighborOptions>();
  const Integers &in = context.in().shape, &out = context.out().shape;
  if (in.size() != 4 || out.size() != 4 || in[1] < 1 || in[2] < 1 || out[1] < 1 || out[2] < 1) return false;
  const bool aligned = bilinear ? bilinear->align_corners() : nearest && nearest->align_corners();
  const bool centred = bilinear ? bilinear->half_pixel_centers() : nearest && nearest->half_pixel_centers();
  Attributes attributes;
  attributes.set("mode", std::string(linear ? "linear" : "nearest"));
  attributes.set("coordinate_transformation_mode", std::string(aligned   ? "align_corners"
                                                               : centred ? "half_pixel"
                                                                         : "asymmetric"));
  if (!linear) attributes.set("nearest_mode", std::string(aligned || centred ? "round_prefer_ceil" : "floor"));
  const int sizes = context.integers("sizes", {out[0], out[3], out[1], out[2]});
  context.finish("Resize", {context.to.operand(context.input(0)), -1, -1, sizes}, std::move(attributes));
  return true;
}

/// Without ellipsis and new axes; what is shrunk is cut to one and then reshaped away.
bool strided_slice(const OperatorContext& context) {
  const auto* options = context.source.options<schema::StridedSliceOptions>();
  auto begins = context.to.values(context.input(1)), ends = context.to.values(context.input(2)),
       steps = context.to.values(context.input(3));
  const std::size_t rank = context.in().shape.size();
  if (!begins || !ends || !steps || begins->size() != rank || ends->size() != rank || steps->size() != rank)
    return false;
  if (options != nullptr &&
      (options->ellipsis_mask() != 0 || options->new_axis_mask() != 0 || options->shrink_axis_mask() != 0))
    return false;
  const int begin_mask = options == nullptr ? 0 : options->begin_mask();
  const int end_mask = options == nullptr ? 0 : options->end_mask();
  constexpr std::int64_t far = std::int64_t{1} << 31;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if ((*steps)[axis] == 0) return false;
    const bool forward = (*steps)[axis] > 0;
    if ((begin_mask >> axis & 1) != 0) (*begins)[axis] = forward ? 0 : far;
    if ((end_mask >> axis & 1) != 0) (*ends)[axis] = forward ? far : -far;
  }
  finish_slice(context, *begins, *ends, *steps);
  return true;
}

/// Inputs: begins and sizes; a size of -1 reaches to the end.
bool slice(const OperatorContext& context) {
  const auto begins = context.to.values(context.input(1)), sizes = context.to.values(context.input(2));
  const std::size_t rank = context.in().shape.size();
  if (!begins || !sizes || begins->size() != rank || sizes->size() != rank) return false;
  Integers ends;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    constexpr std::int64_t far = std::int64_t{1} << 31;
    if ((*begins)[axis] < 0 || (*begins)[axis] >= far || (*sizes)[axis] < -1 || (*sizes)[axis] >= far) return false;
    ends.push_back((*sizes)[axis] < 0 ? far : (*begins)[axis] + (*sizes)[axis]);
  }
  finish_slice(context, *begins, ends, Integers(rank, 1));
  return true;
}

/// Inputs: the axis and what is split, into equal parts.
bool split(const OperatorContext& context) {
  const auto axis = context.to.values(context.input(0));
  const std::int64_t whole = context.input(1);
  if (!axis || axis->size() != 1 || whole < 0) return false;
  const std::int64_t translated = OperatorContext::axis(axis->front(), context.to.rank(whole));
  if (translated < 0) return false;
  std::vector<int> outputs;
  for (const std::int64_t output : context.source.outputs) outputs.push_back(context.to.result(output));
  Attributes attributes;
  attributes.set("axis", translated);
  // Equal parts are what ONNX does without sizes; since opset 18 it wants their number.
  attributes.set("num_outputs", static_cast<std::int64_t>(outputs.size()));
  context.to.graph().node_to({"Split", context.name, {context.to.operand(whole)}, std::move(attributes)},
                             std::move(outputs));
  return true;
}

bool depth_and_space(const OperatorContext& context) {
  const bool to_space = context.source.name == "DEPTH_TO_SPACE";
  const auto* depth = context.source.options<schema::DepthToSpaceOptions>();
  const auto* space = context.source.options<schema::SpaceToDepthOptions>();
  const std::int64_t block = depth ? depth->block_size() : space ? space->block_size() : 0;
  if (context.in().shape.size() != 4 || block < 1 || block > 4096) return false;
  Attributes attributes;
  attributes.set("blocksize", block);
  if (to_space) attributes.set("mode", std::string("DCR"));
  context.finish(to_space ? "DepthToSpace" : "SpaceToDepth", {context.to.operand(context.input(0))},
                 std::move(attributes));
  return true;
}

}  // namespace convscope::readers::tflite
