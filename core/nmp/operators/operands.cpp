#include "core/nmp/operators/operands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/nmp/operators/functions.h"
#include "core/nmp/operators/pools.h"

namespace convscope::nmp {
namespace {

using network::Graph;
using network::Layer;
using network::Node;
using Kind = OperatorUse::Kind;

struct Pair {
  std::string_view name;
  Computation whole, spread;
  bool commutes;
};
constexpr std::array<Pair, 7> pairs{{{"Add", Computation::add, Computation::add_spread, true},
                                     {"Sum", Computation::add, Computation::add_spread, true},
                                     {"Sub", Computation::subtract, Computation::subtract_spread, false},
                                     {"Mul", Computation::multiply, Computation::multiply_spread, true},
                                     {"Max", Computation::maximum, Computation::maximum_spread, true},
                                     {"Min", Computation::minimum, Computation::minimum_spread, true},
                                     {"PRelu", Computation::slope, Computation::slope_spread, false}}};

const Pair* pair_of(std::string_view name) {
  const auto found = std::find_if(pairs.begin(), pairs.end(), [&](const Pair& pair) { return pair.name == name; });
  return found == pairs.end() ? nullptr : &*found;
}

class Combiner {
 public:
  Combiner(const Graph& graph, const Layer& layer, const Node& node, int element_bytes)
      : graph_(graph), layer_(layer), node_(node), element_bytes_(element_bytes), pair_(pair_of(node.operator_name)) {}

  OperatorUse use() {
    const auto count = elements(node_.outputs.empty() ? -1 : node_.outputs.front());
    if (!count) return unmapped(unknown_shape);
    if (*count == 0) return {Kind::free, "nothing to compute", {}, 0, 1, {}};
    count_ = *count;
    tensors_ = node_.inputs;
    std::erase(tensors_, -1);
    for (const int tensor : tensors_)
      if (!elements(tensor)) return unmapped(unknown_shape);
    const auto whole = std::count_if(tensors_.begin(), tensors_.end(), [&](int t) { return is_whole(t); });
    if (whole == 0) return unmapped("its operands are spread over one another");
    if (tensors_.size() == 1) return by_element(1, {.computation = Computation::copy});
    if (tensors_.size() == 2 && whole == 1) return of_unequal();
    return by_element(static_cast<int>(whole), of_equal(static_cast<std::size_t>(whole)));
  }

 private:
  std::optional<std::int64_t> elements(int tensor) const {
    return tensor < 0 ? std::nullopt : graph_.tensors[static_cast<std::size_t>(tensor)].shape.elements();
  }
  const network::Constant* constant(int tensor) const {
    return graph_.tensors[static_cast<std::size_t>(tensor)].constant.get();
  }
  bool is_whole(int tensor) const { return elements(tensor) == count_; }
  Computing missing() const {
    return {.missing = fmt::format("programs have no {} of these operands", node_.operator_name)};
  }

  OperatorUse by_element(int operands, Computing computing) const {
    OperatorUse use{
        Kind::elements,      fmt::format("{}, element by element", layer_.operator_name), {}, count_, operands,
        std::move(computing)};
    use.tensors = tensors_;
    return use;
  }

  // IN is computed; W may be a constant.
  Computing of_equal(std::size_t whole) {
    if (whole != tensors_.size()) return missing();
    if (!pair_ || pair_->whole == Computation::slope || (whole > 2 && !pair_->commutes)) return missing();
    if (pair_->commutes)
      std::stable_partition(tensors_.begin(), tensors_.end(), [&](int tensor) { return !constant(tensor); });
    if (constant(tensors_.front())) return missing();
    return {.computation = pair_->whole};
  }

  OperatorUse of_unequal() {
    const bool first_is_whole = is_whole(tensors_.front());
    const int whole = tensors_[first_is_whole ? 0 : 1], other = tensors_[first_is_whole ? 1 : 0];
    if (constant(whole)) return by_element(1, missing());
    if (elements(other) == 1 && constant(other)) {
      Computing computing = with_number(other, first_is_whole);
      tensors_ = {whole};
      return by_element(1, std::move(computing));
    }
    if (!pair_ || (!pair_->commutes && !first_is_whole) || !is_per_map(other)) return by_element(1, missing());
    OperatorUse use = spread_over_maps(layer_, {.computation = pair_->spread});
    use.tensors = {whole, other};
    return use;
  }

  /// By a constant.
  Computing with_number(int other, bool first_is_whole) const {
    const auto values = constant(other)->floats(1);
    if (!values || values->size() != 1) return {.missing = "its constant has no value"};
    const double value = values->front();
    const int maps = map_fraction(element_bytes_);
    if (const auto linear = linear_function(node_.operator_name, value, first_is_whole))
      return affine(linear->factor, linear->constant, maps, maps);
    constexpr double one = 1 << 15;
    if (node_.operator_name != "PRelu" || !first_is_whole || !(value >= -1 && value < 1)) return missing();
    return {.computation = Computation::slope, .slope = static_cast<int>(std::min(std::round(value * one), one - 1))};
  }

  /// [maps, 1, 1], as broadcasting aligns it with the output.
  bool is_per_map(int tensor) const {
    const auto& out = graph_.tensors[static_cast<std::size_t>(node_.outputs.front())].shape.dimensions;
    const auto& in = graph_.tensors[static_cast<std::size_t>(tensor)].shape.dimensions;
    if (out.size() != 4 || out[0] != 1 || in.size() > out.size()) return false;
    const std::size_t missing = out.size() - in.size();
    for (std::size_t i = 0; i < in.size(); ++i)
      if (in[i] != (i + missing == 1 ? out[1] : 1)) return false;
    return true;
  }

  const Graph& graph_;
  const Layer& layer_;
  const Node& node_;
  int element_bytes_;
  const Pair* pair_;
  std::int64_t count_ = 0;
  std::vector<int> tensors_;
};

}  // namespace

OperatorUse use_of_operands(const Graph& graph, const Layer& layer, const Node& node, int element_bytes) {
  return Combiner(graph, layer, node, element_bytes).use();
}

}  // namespace convscope::nmp
