#include "core/network/inference/other_work.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "core/network/inference/dimensions.h"
#include "core/network/inference/window.h"

namespace convscope::network {
namespace {

const OtherWork unknown_work{.macs = 0, .weights = 0, .known = false};

bool is_int(std::int64_t dimension) {
  return dimension >= 0 && dimension <= std::numeric_limits<int>::max();
}

std::vector<int> ints(const Dimensions& dimensions) {
  std::vector<int> result;
  for (const std::int64_t each : dimensions) result.push_back(is_int(each) ? static_cast<int>(each) : 0);
  return result;
}

Dimensions space_of(const TensorShape& shape) {
  if (shape.dimensions.size() < 2) return {};
  return {shape.dimensions.begin() + 2, shape.dimensions.end()};
}

/// A product of what is known; unknown beyond the cap.
OtherWork work(std::int64_t positions, std::int64_t each, std::int64_t weights) {
  if (positions < 0 || each < 0 || weights < 0) return unknown_work;
  const std::int64_t macs = saturating_multiply(positions, each);
  if (macs > mac_cap || weights > mac_cap) return unknown_work;
  return {macs, weights, true};
}

const TensorShape& input_of(const NodeShapes& shapes, std::size_t input) {
  static const TensorShape absent;
  return input < shapes.inputs.size() ? shapes.inputs[input] : absent;
}

/// Sizes of the letters of one operand; false if they contradict each other or their number isn't the operand's rank.
bool take_letters(const std::string& letters, const TensorShape& shape, std::map<char, std::int64_t>& sizes) {
  if (!shape.complete() || shape.dimensions.size() != letters.size()) return false;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    std::int64_t& size = sizes.try_emplace(letters[i], 1).first->second;
    if (size != 1 && shape.dimensions[i] != 1 && size != shape.dimensions[i]) return false;
    if (size == 1) size = shape.dimensions[i];
  }
  return true;
}

}  // namespace

std::vector<int> deep_space(const TensorShape& shape) {
  const Dimensions space = space_of(shape);
  return space.size() > 2 && std::all_of(space.begin(), space.end(), is_int) ? ints(space) : std::vector<int>();
}

OtherWork convolution_work(const NodeShapes& shapes, std::size_t data, std::size_t weights, bool transposed) {
  const TensorShape& over = transposed ? input_of(shapes, data) : shapes.out;
  const Dimensions& kernel = input_of(shapes, weights).dimensions;
  if (over.dimensions.size() < 3 || kernel.size() != over.dimensions.size()) return unknown_work;
  return work(product(over.dimensions, 1, over.dimensions.size()), product(kernel, 1, kernel.size()), product(kernel));
}

void set_window(Space& space, const Node& node, const TensorShape& data, const TensorShape& weights) {
  std::string problem;
  const Dimensions kernel = space_of(weights);
  if (kernel.empty() || data.dimensions.size() != weights.dimensions.size()) return;
  const auto window = window_of(node.attributes, kernel, space_of(data), problem);
  if (!window || !std::all_of(window->kernel.begin(), window->kernel.end(), is_int)) return;
  space.kernel = ints(window->kernel);
  space.stride = ints(window->strides);
  space.dilation = ints(window->dilations);
  space.padding = ints(window->pads_begin);
  const std::vector<int> behind = ints(window->pads_end);
  space.padding.insert(space.padding.end(), behind.begin(), behind.end());
}

OtherWork product_work(const TensorShape& out, std::int64_t inner, const TensorShape* constant) {
  if (!out.known) return unknown_work;
  return work(product(out.dimensions, 1, out.dimensions.size()), inner, constant ? product(constant->dimensions) : 0);
}

OtherWork recurrent_work(const NodeShapes& shapes, const Attributes& attributes) {
  const TensorShape &data = input_of(shapes, 0), &input = input_of(shapes, 1), &recurrence = input_of(shapes, 2);
  if (data.dimensions.size() != 3 || input.dimensions.size() != 3 || recurrence.dimensions.size() != 3)
    return unknown_work;
  const std::int64_t of_input = product(input.dimensions), of_recurrence = product(recurrence.dimensions);
  if (of_input < 0 || of_recurrence < 0) return unknown_work;
  const std::int64_t weights = saturating_add(of_input, of_recurrence);
  return work(data.dimensions[attributes.integer("layout", 0) != 0 ? 1 : 0], weights, weights);
}

std::int64_t recurrent_batch(const NodeShapes& shapes, const Attributes& attributes) {
  const TensorShape& data = input_of(shapes, 0);
  if (data.dimensions.size() != 3) return unknown_dimension;
  return data.dimensions[attributes.integer("layout", 0) != 0 ? 0 : 1];
}

OtherWork einsum_work(const NodeShapes& shapes, const Attributes& attributes) {
  if (shapes.inputs.size() < 2) return {};  // a sum or a transposition
  std::string equation = attributes.text("equation");
  equation.erase(std::remove(equation.begin(), equation.end(), ' '), equation.end());
  const std::string terms = equation.substr(0, equation.find("->"));
  const std::size_t comma = terms.find(',');
  if (shapes.inputs.size() != 2 || comma == std::string::npos) return unknown_work;
  std::map<char, std::int64_t> sizes;
  if (!take_letters(terms.substr(0, comma), input_of(shapes, 0), sizes) ||
      !take_letters(terms.substr(comma + 1), input_of(shapes, 1), sizes))
    return unknown_work;
  std::int64_t macs = 1;
  for (const auto& [letter, size] : sizes) macs = saturating_multiply(macs, size);
  return work(macs, 1, 0);
}

}  // namespace convscope::network
