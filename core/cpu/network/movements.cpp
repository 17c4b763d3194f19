#include "core/cpu/network/movements.h"

#include <array>
#include <string_view>

#include "core/network/inference/dimensions.h"
#include "core/network/inference/slicing.h"

namespace convscope::cpu {
namespace {

using network::Dimensions;

constexpr std::size_t most_pieces = 256;  ///< of one step: each is a loop of its own

Dimensions strides_of(const Dimensions& dimensions) {
  Dimensions strides(dimensions.size(), 1);
  for (std::size_t i = dimensions.size(); i > 1; --i) strides[i - 2] = strides[i - 1] * dimensions[i - 1];
  return strides;
}

/// Elements along each axis of the output, and how far apart they are in the input.
Movement gathered(const Dimensions& out, const Dimensions& steps, std::int64_t from = 0) {
  Movement movement;
  movement.from = from;
  const Dimensions strides = strides_of(out);
  for (std::size_t i = 0; i < out.size(); ++i) movement.axes.push_back({out[i], steps[i], strides[i]});
  return movement;
}

class MovingNode {
 public:
  MovingNode(const network::Node& node, const NodeValues& read, std::size_t output)
      : node_(node),
        read_(read),
        output_(output),
        in_(read.constant(node.inputs.at(0)).dimensions),
        out_(read.constant(node.outputs.at(output)).dimensions) {}

  std::optional<Moves> moves() const {
    const std::string_view name = node_.operator_name;
    if (name == "Transpose") return one(transposed());
    if (name == "Slice") return one(sliced());
    if (name == "Split") return one(part());
    if (name == "Concat") return joined();
    if (name == "Gather") return picked();
    if (name == "Pad") return padded();
    if (name == "Expand") return one(stretched());
    if (name == "DepthToSpace") return one(blocks(true));
    if (name == "SpaceToDepth") return one(blocks(false));
    if (name == "Resize" || name == "Upsample") return one(repeated());
    return std::nullopt;
  }

 private:
  static std::optional<Moves> one(std::optional<Movement> movement) {
    if (!movement) return std::nullopt;
    return Moves{{*std::move(movement)}, {}};
  }

  std::optional<std::size_t> axis(std::int64_t otherwise) const {
    return network::normal_axis(node_.attributes.integer("axis", otherwise), in_.size());
  }

  std::optional<Movement> transposed() const {
    Dimensions order = node_.attributes.integers("perm");
    for (std::size_t i = in_.size(); order.size() < in_.size() && i > 0; --i)
      order.push_back(static_cast<std::int64_t>(i) - 1);
    const Dimensions strides = strides_of(in_);
    Dimensions steps;
    for (const std::int64_t each : order) {
      const auto from = network::normal_axis(each, in_.size());
      if (!from) return std::nullopt;
      steps.push_back(strides[*from]);
    }
    return gathered(out_, steps);
  }

  std::optional<Movement> sliced() const {
    const Dimensions starts = read_.integers(node_, "starts", 1), ends = read_.integers(node_, "ends", 2);
    const Dimensions axes = read_.integers(node_, "axes", 3), skips = read_.integers(node_, "steps", 4);
    const auto as_many = [&](const Dimensions& list) { return list.empty() || list.size() == starts.size(); };
    if (ends.size() != starts.size() || !as_many(axes) || !as_many(skips)) return std::nullopt;
    const Dimensions strides = strides_of(in_);
    Dimensions steps = strides;
    std::int64_t from = 0;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const auto at = network::normal_axis(axes.empty() ? static_cast<std::int64_t>(i) : axes[i], in_.size());
      const std::int64_t skip = skips.empty() ? 1 : skips[i];
      if (!at || skip == 0) return std::nullopt;
      const auto range = network::slice_range(in_[*at], starts[i], ends[i], skip);
      from += range.start * strides[*at];
      steps[*at] = range.count == 1 ? 0 : range.step * strides[*at];
    }
    return gathered(out_, steps, from);
  }

  /// One of several outputs along an axis; those before it tell where it begins.
  std::optional<Movement> part() const {
    const auto along = axis(0);
    if (!along) return std::nullopt;
    std::int64_t before = 0;
    for (std::size_t i = 0; i < output_; ++i) {
      const Dimensions& other = read_.constant(node_.outputs[i]).dimensions;
      if (other.size() != in_.size()) return std::nullopt;
      before += other[*along];
    }
    const Dimensions strides = strides_of(in_);
    return gathered(out_, strides, before * strides[*along]);
  }

  std::optional<Moves> joined() const {
    const auto along = axis(1);
    if (!along) return std::nullopt;
    Moves moves;
    const Dimensions strides = strides_of(out_);
    std::int64_t before = 0;
    for (std::size_t i = 0; i < node_.inputs.size(); ++i) {
      const Dimensions& d = read_.constant(node_.inputs[i]).dimensions;
      if (d.size() != out_.size()) return std::nullopt;
      Movement piece = gathered(d, strides_of(d));
      piece.input = i;
      piece.to = before * strides[*along];
      for (std::size_t a = 0; a < d.size(); ++a) piece.axes[a].to = strides[a];
      before += d[*along];
      moves.pieces.push_back(std::move(piece));
    }
    return moves;
  }

  std::optional<Moves> picked() const {
    const auto along = axis(0);
    if (!along || !read_.fixed(node_.inputs.at(1))) return std::nullopt;
    const Dimensions indices = read_.integers(node_, "", 1);
    if (indices.empty() || indices.size() > most_pieces) return std::nullopt;
    const std::int64_t outer = network::product(in_, 0, *along), size = in_[*along],
                       inner = network::product(in_, *along + 1, in_.size());
    const auto count = static_cast<std::int64_t>(indices.size());
    Moves moves;
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t index = indices[static_cast<std::size_t>(i)];
      index += index < 0 ? size : 0;
      if (index < 0 || index >= size) return std::nullopt;
      moves.pieces.push_back({0, index * inner, i * inner, {{outer, size * inner, count * inner}, {inner, 1, 1}}});
    }
    return moves;
  }

  std::optional<Moves> padded() const {
    if (node_.attributes.text("mode", "constant") != "constant" || node_.inputs.size() > 3) return std::nullopt;
    const Dimensions pads = read_.integers(node_, "pads", 1);
    if (pads.size() != 2 * in_.size()) return std::nullopt;
    const Dimensions strides = strides_of(out_);
    Movement piece = gathered(in_, strides_of(in_));
    for (std::size_t i = 0; i < in_.size(); ++i) {
      if (pads[i] < 0 || pads[i + in_.size()] < 0) return std::nullopt;
      piece.axes[i].to = strides[i];
      piece.to += pads[i] * strides[i];
    }
    const float value = node_.attributes.has("value") ? static_cast<float>(node_.attributes.real("value", 0))
                                                      : read_.number(node_, 2).value_or(0);
    return Moves{{std::move(piece)}, value};
  }

  std::optional<Movement> stretched() const {
    const Dimensions strides = strides_of(in_);
    if (in_.size() > out_.size()) return std::nullopt;
    Dimensions steps(out_.size(), 0);
    const std::size_t first = out_.size() - in_.size();
    for (std::size_t i = 0; i < in_.size(); ++i) steps[first + i] = in_[i] == 1 ? 0 : strides[i];
    return gathered(out_, steps);
  }

  /// Pixels of a block are dimensions of their own, in another order.
  std::optional<Movement> blocks(bool to_space) const {
    const std::int64_t block = node_.attributes.integer("blocksize", 1);
    if (in_.size() != 4 || block < 1) return std::nullopt;
    Dimensions split{in_[0], in_[1], in_[2] / block, block, in_[3] / block, block};
    std::array<std::size_t, 6> order{0, 3, 5, 1, 2, 4};
    if (to_space) {
      const std::int64_t maps = in_[1] / (block * block);
      const bool maps_first = node_.attributes.text("mode", "DCR") == "CRD";
      split = maps_first ? Dimensions{in_[0], maps, block, block, in_[2], in_[3]}
                         : Dimensions{in_[0], block, block, maps, in_[2], in_[3]};
      order = maps_first ? std::array<std::size_t, 6>{0, 1, 4, 2, 5, 3} : std::array<std::size_t, 6>{0, 3, 4, 1, 5, 2};
    }
    const Dimensions strides = strides_of(split);
    Dimensions out, steps;
    for (const std::size_t each : order) {
      out.push_back(split[each]);
      steps.push_back(strides[each]);
    }
    return gathered(out, steps);
  }

  /// Each pixel several times. In the other modes the nearest one isn't the one that is divided by the factor.
  bool repeats_pixels() const {
    const auto& a = node_.attributes;
    const bool old = node_.operator_name == "Upsample" || node_.inputs.size() <= 2;
    const std::string how = a.text("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
    const std::string nearest = a.text("nearest_mode", old ? "floor" : "round_prefer_floor");
    if (a.text("mode", "nearest") != "nearest") return false;
    if (how == "asymmetric") return nearest == "floor";
    return (how == "half_pixel" || how == "pytorch_half_pixel") && nearest.starts_with("round");
  }

  std::optional<Movement> repeated() const {
    if (!repeats_pixels() || in_.size() != out_.size()) return std::nullopt;
    const Dimensions strides = strides_of(in_);
    Dimensions sizes, steps;
    for (std::size_t i = 0; i < in_.size(); ++i) {
      if (in_[i] == 0 || out_[i] % in_[i] != 0) return std::nullopt;
      sizes.insert(sizes.end(), {in_[i], out_[i] / in_[i]});
      steps.insert(steps.end(), {strides[i], 0});
    }
    return gathered(sizes, steps);
  }

  const network::Node& node_;
  const NodeValues& read_;
  const std::size_t output_;
  const Dimensions& in_;
  const Dimensions& out_;
};

}  // namespace

std::optional<Moves> moves_of(const network::Node& node, const NodeValues& read, std::size_t output) {
  if (node.inputs.empty() || node.inputs[0] < 0) return std::nullopt;
  auto moves = MovingNode(node, read, output).moves();
  if (!moves || moves->pieces.size() > most_pieces) return std::nullopt;
  for (Movement& piece : moves->pieces) piece = simplified(std::move(piece));
  return moves;
}

Movement simplified(Movement movement) {
  std::vector<Movement::Axis> axes;
  for (const Movement::Axis& axis : movement.axes) {
    if (axis.count == 1) continue;
    const bool joins =
        !axes.empty() && axes.back().from == axis.from * axis.count && axes.back().to == axis.to * axis.count;
    if (joins)
      axes.back() = {axes.back().count * axis.count, axis.from, axis.to};
    else
      axes.push_back(axis);
  }
  movement.axes = std::move(axes);
  return movement;
}

}  // namespace convscope::cpu
