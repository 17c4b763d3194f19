// Nodes whose values are known while reading: constants, what is computed from constants alone (a batch norm written
// out), and what shapes are computed from.

#include <algorithm>
#include <utility>

#include "core/readers/graphdef/operators.h"
#include "core/readers/graphdef/shape_numbers.h"

namespace convscope::readers::graphdef {
namespace {

using NumberKind = ShapeNumber::Kind;
using network::Constant;
using network::ElementType;

constexpr int deepest_numbers = 500;  ///< what is taken after all is made by recursion

void give_constant(const OperatorContext& context, std::shared_ptr<const Constant> constant) {
  Value& made = context.to.make(context.index);
  made.shape = {true, constant->dimensions, {}};
  made.type = constant->type;
  made.constant = std::move(constant);
}

/// Numbers in a row, or a single one.
bool give_numbers(const OperatorContext& context, ShapeNumbers numbers, bool scalar, ElementType type) {
  if (numbers.size() > most_numbers || (scalar && numbers.size() != 1)) return false;
  int depth = 0;
  for (std::size_t i = 0; i < context.inputs(); ++i) depth = std::max(depth, context.input(i).number_depth + 1);
  if (depth > deepest_numbers) return false;
  Value& made = context.to.make(context.index);
  made.type = type == ElementType::int64 ? ElementType::int64 : ElementType::int32;
  made.shape = {true, {}, {}};
  if (!scalar) made.shape.dimensions = {static_cast<std::int64_t>(numbers.size())};
  made.numbers = std::move(numbers);
  std::vector<std::int64_t> known;
  for (const ShapeNumber& number : *made.numbers)
    if (number.kind == NumberKind::known) known.push_back(number.value);
  if (known.size() != made.numbers->size()) {
    made.number_depth = depth;
    return true;
  }
  auto constant = std::make_shared<Constant>();
  constant->type = ElementType::int64;
  constant->dimensions = made.shape.dimensions;
  give_values(*constant, std::move(known));
  made.constant = std::move(constant);
  return true;
}

bool fold_constant(const OperatorContext& context) {
  const Attribute* attribute = context.source.find("value", Attribute::Kind::tensor);
  if (attribute == nullptr) {
    context.error("it is a Const without a value", "attribute 'value' with a tensor");
    return true;
  }
  auto constant = constant_of(*attribute->tensor, context.to.element(context.index), context.source.line,
                              context.to.budget(), context.to.report());
  if (constant) give_constant(context, std::move(constant));
  return true;
}

bool fold_shape(const OperatorContext& context) {
  const Value& in = context.input(0);
  if (!in.shape.known || context.inputs() != 1) return false;
  const ElementType type = element_type(context.source.type("out_type"));
  ShapeNumbers numbers;
  for (const std::int64_t dimension : in.shape.dimensions) numbers.push_back(ShapeNumber::of(dimension));
  const std::string& name = context.source.operator_name;
  if (name == "Shape") return give_numbers(context, std::move(numbers), false, type);
  if (name == "Rank")
    return give_numbers(context, {{NumberKind::known, static_cast<std::int64_t>(numbers.size())}}, true, type);
  ShapeNumber size{NumberKind::known, 1};
  for (const ShapeNumber& number : numbers) size = product(size, number);
  return give_numbers(context, {size}, true, type);
}

/// Of a row of numbers: which are taken, as TensorFlow slices.
std::optional<ShapeNumbers> sliced(const ShapeNumbers& numbers, std::int64_t begin, std::int64_t end,
                                   std::int64_t step) {
  const auto count = static_cast<std::int64_t>(numbers.size());
  if (step != 1) return std::nullopt;
  const auto place = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + count : at, 0, count); };
  ShapeNumbers taken;
  for (std::int64_t at = place(std::max(begin, -count - 1)); at < place(std::max(end, -count - 1)); ++at)
    taken.push_back(numbers[static_cast<std::size_t>(at)]);
  return taken;
}

bool fold_slice(const OperatorContext& context, const ShapeNumbers& numbers) {
  const bool strided = context.source.operator_name == "StridedSlice";
  const auto begins = context.integers(1), ends = context.integers(2);
  const auto steps = strided ? context.integers(3) : std::optional<Integers>(Integers{1});
  if (!begins || !ends || !steps || begins->size() != 1 || ends->size() != 1 || steps->size() != 1) return false;
  const NodeDef& node = context.source;
  if (node.integer("ellipsis_mask", 0) != 0 || node.integer("new_axis_mask", 0) != 0) return false;
  std::int64_t begin = (node.integer("begin_mask", 0) & 1) != 0 ? 0 : begins->front();
  std::int64_t end = ends->front();
  const auto count = static_cast<std::int64_t>(numbers.size());
  if (!strided) {
    if (begin < 0 || begin > count || end < -1 || end > count) return false;
    end = end < 0 ? count : begin + end;
  } else if ((node.integer("end_mask", 0) & 1) != 0) {
    end = count;
  }
  const bool single = (node.integer("shrink_axis_mask", 0) & 1) != 0;
  if (single && (begin < -count || begin >= count)) return false;
  if (single) begin = begin < 0 ? begin + count : begin;
  if (single) end = begin + 1;
  auto taken = sliced(numbers, begin, end, steps->front());
  return taken && give_numbers(context, *std::move(taken), single, context.input(0).type);
}

/// All operands in a row: Pack of single numbers, Concat of rows.
bool fold_row(const OperatorContext& context) {
  const std::string& name = context.source.operator_name;
  const std::size_t first = name == "Concat" ? 1 : 0, last = context.inputs() - (name == "ConcatV2" ? 1 : 0);
  if (name == "Pack" && context.source.integer("axis", 0) != 0) return false;
  ShapeNumbers row;
  for (std::size_t i = first; i < last; ++i) {
    const auto numbers = numbers_of(context.input(i));
    if (!numbers || row.size() > most_numbers || !context.input(i).has_rank(name == "Pack" ? 0 : 1)) return false;
    row.insert(row.end(), numbers->begin(), numbers->end());
  }
  return last > first && give_numbers(context, std::move(row), false, context.input(first).type);
}

bool fold_arithmetic(const OperatorContext& context, const ShapeNumbers& a, const ShapeNumbers& b) {
  if (a.empty() || b.empty() || (a.size() != b.size() && a.size() != 1 && b.size() != 1)) return false;
  ShapeNumbers result;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    result.push_back(computed(context.source.operator_name, a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]));
  const bool scalar = context.input(0).has_rank(0) && context.input(1).has_rank(0);
  return give_numbers(context, std::move(result), scalar, context.input(0).type);
}

bool fold_gather(const OperatorContext& context, const ShapeNumbers& numbers) {
  const auto indices = context.integers(1);
  if (!indices || !context.input(0).has_rank(1) || (context.inputs() > 2 && context.integers(2) != Integers{0}))
    return false;
  ShapeNumbers taken;
  for (const std::int64_t index : *indices) {
    if (index < 0 || index >= static_cast<std::int64_t>(numbers.size())) return false;
    taken.push_back(numbers[static_cast<std::size_t>(index)]);
  }
  return give_numbers(context, std::move(taken), context.input(1).has_rank(0), context.input(0).type);
}

bool fold_numbers(const OperatorContext& context) {
  const std::string& name = context.source.operator_name;
  const auto numbers = numbers_of(context.input(0));
  if (name == "Pack" || name == "Concat" || name == "ConcatV2") return fold_row(context);
  if (!numbers) return false;
  const ElementType type = context.input(0).type;
  if ((name == "StridedSlice" || name == "Slice") && context.input(0).has_rank(1)) return fold_slice(context, *numbers);
  if (name == "Prod") {
    ShapeNumber all{NumberKind::known, 1};
    for (const ShapeNumber& number : *numbers) all = product(all, number);
    return give_numbers(context, {all}, !context.source.boolean("keep_dims", false), type);
  }
  if (name == "ExpandDims" && numbers->size() == 1 && context.input(0).has_rank(0))
    return give_numbers(context, *numbers, false, type);
  if (name == "Squeeze" && numbers->size() == 1) return give_numbers(context, *numbers, true, type);
  if (name == "Reshape" && context.inputs() == 2) {
    const auto wanted = context.integers(1);
    if (wanted && wanted->size() == 1) return give_numbers(context, *numbers, false, type);
    return wanted && wanted->empty() && give_numbers(context, *numbers, true, type);
  }
  if (name == "Cast") {
    const ElementType to = element_type(context.source.type("DstT"));
    return (to == ElementType::int32 || to == ElementType::int64) &&
           give_numbers(context, *numbers, context.input(0).has_rank(0), to);
  }
  if ((name == "Gather" || name == "GatherV2") && context.inputs() >= 2) return fold_gather(context, *numbers);
  const auto second = context.inputs() == 2 ? numbers_of(context.input(1)) : std::nullopt;
  const bool arithmetic = name == "Mul" || name == "Add" || name == "AddV2" || name == "Sub" || name == "FloorDiv" ||
                          name == "Maximum" || name == "Minimum";
  return second && arithmetic && fold_arithmetic(context, *numbers, *second);
}

/// Fill: one value for all.
bool fold_fill(const OperatorContext& context) {
  const auto dimensions = context.integers(0, largest_rank);
  if (context.inputs() != 2 || !dimensions || !element_count(*dimensions)) return false;
  const auto& value = context.input(1).constant;
  if (!value || value->type != ElementType::float32) return false;
  const auto number = value->floats(1);
  if (!number || number->size() != 1) return false;
  auto constant = std::make_shared<Constant>();
  constant->type = value->type;
  constant->dimensions = *dimensions;
  constant->fill = number->front();
  give_constant(context, std::move(constant));
  return true;
}

/// Other dimensions or another order of a constant.
bool fold_movement(const OperatorContext& context) {
  const std::string& name = context.source.operator_name;
  const std::shared_ptr<const Constant> source = context.input(0).constant;
  const std::size_t rank = source->dimensions.size();
  if (name == "Reshape" && context.inputs() == 2) {
    const auto wanted = numbers_of(context.input(1));
    const auto dimensions = wanted ? reshaped_dimensions(context.input(0).shape, *wanted) : std::nullopt;
    if (!dimensions || dimensions->size() > largest_rank ||
        element_count(*dimensions) != element_count(source->dimensions))
      return false;
    give_constant(context, reshaped(*source, *dimensions));
    return true;
  }
  if (name == "ExpandDims" && context.inputs() == 2 && rank < largest_rank) {
    const auto axis = context.integers(1, 1);
    const auto place = axis && axis->size() == 1 ? absolute_axis(axis->front(), rank + 1) : std::nullopt;
    if (!place) return false;
    Integers dimensions = source->dimensions;
    dimensions.insert(dimensions.begin() + static_cast<std::ptrdiff_t>(*place), 1);
    give_constant(context, reshaped(*source, std::move(dimensions)));
    return true;
  }
  return false;
}

bool fold_constants(const OperatorContext& context) {
  std::vector<const Constant*> operands;
  for (std::size_t i = 0; i < context.inputs(); ++i) {
    if (!context.input(i).constant) return false;
    operands.push_back(context.input(i).constant.get());
  }
  if (fold_movement(context)) return true;
  auto result = folded(context.source.operator_name, operands, context.to.budget());
  if (!result) return false;
  give_constant(context, std::move(result));
  return true;
}

}  // namespace

bool fold(const OperatorContext& context) {
  const std::string& name = context.source.operator_name;
  if (name == "Const") return fold_constant(context);
  if (context.inputs() == 0) return false;
  if (name == "Shape" || name == "Size" || name == "Rank") return fold_shape(context);
  if (name == "Fill") return fold_fill(context);
  return fold_numbers(context) || fold_constants(context);
}

}  // namespace convscope::readers::graphdef
