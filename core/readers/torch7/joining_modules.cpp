// Modules whose input is a table.

#include <algorithm>

#include <fmt/format.h>

#include "core/readers/torch7/modules.h"

namespace convscope::readers::torch7 {
namespace {

using network::Attributes;

/// Tensors of the input table, at least `least`; empty after an error.
std::vector<int> tensors_of(const ModuleContext& context, std::span<const Flow> parts, std::size_t least) {
  std::vector<int> tensors;
  for (const Flow& part : parts) {
    if (part.is_table()) {
      context.error("its input is a table of tables", "a table of tensors");
      return {};
    }
    tensors.push_back(part.tensor);
  }
  if (tensors.size() >= least) return tensors;
  context.error(fmt::format("its input has {} parts", tensors.size()), fmt::format("at least {}", least));
  return {};
}

int rank_of(std::span<const Flow> parts) {
  int rank = -1;
  for (const Flow& part : parts) rank = std::max(rank, part.rank);
  return rank;
}

/// ONNX's operator takes as many operands as there are.
Flow of_all(const ModuleContext& context, const char* operator_name) {
  const std::span<const Flow> parts = parts_of(context.in);
  std::vector<int> tensors = tensors_of(context, parts, 1);
  return tensors.empty() ? Flow{} : context.node(operator_name, std::move(tensors), rank_of(parts));
}

/// An operator of two, from the first to the last.
Flow chain(const ModuleContext& context, const char* operator_name) {
  const std::span<const Flow> parts = parts_of(context.in);
  const std::vector<int> tensors = tensors_of(context, parts, 2);
  if (tensors.empty()) return {};
  int result = tensors[0];
  for (std::size_t i = 1; i + 1 < tensors.size(); ++i)
    result = context.step(fmt::format("{}", i), operator_name, {result, tensors[i]});
  return context.node(operator_name, {result, tensors.back()}, rank_of(parts));
}

}  // namespace

Flow sum_of_table(const ModuleContext& context) {
  return parts_of(context.in).size() == 2 ? chain(context, "Add") : of_all(context, "Sum");
}

Flow product_of_table(const ModuleContext& context) {
  return chain(context, "Mul");
}

Flow difference_of_table(const ModuleContext& context) {
  return chain(context, "Sub");
}

Flow quotient_of_table(const ModuleContext& context) {
  return chain(context, "Div");
}

Flow maximum_of_table(const ModuleContext& context) {
  return of_all(context, "Max");
}

Flow minimum_of_table(const ModuleContext& context) {
  return of_all(context, "Min");
}

Flow joined(const ModuleContext& context, std::span<const Flow> parts, std::int64_t axis) {
  std::vector<int> tensors = tensors_of(context, parts, 1);
  if (tensors.empty()) return {};
  Attributes attributes;
  attributes.set("axis", axis);
  return context.node("Concat", std::move(tensors), rank_of(parts), std::move(attributes));
}

Flow join_table(const ModuleContext& context) {
  const std::int64_t dimension = context.integer("dimension", std::nullopt, 1, 8);
  return joined(context, parts_of(context.in), batch_axis(dimension, context.has("nInputDims")));
}

Flow select_table(const ModuleContext& context) {
  const std::span<const Flow> parts = parts_of(context.in);
  const auto count = static_cast<std::int64_t>(parts.size());
  const std::int64_t index = context.integer("index", std::nullopt, -count, count);
  if (index == 0) {
    context.error("field 'index' is 0", fmt::format("1 to {}, or -{} to -1", count, count));
    return {};
  }
  return parts[static_cast<std::size_t>(index > 0 ? index - 1 : count + index)];
}

bool add_leaves(const Flow& flow, std::vector<Flow>& leaves) {
  constexpr std::size_t cap = 1000;
  if (leaves.size() >= cap) return false;
  if (!flow.is_table()) leaves.push_back(flow);
  return !flow.is_table() || std::all_of(flow.parts->begin(), flow.parts->end(),
                                         [&](const Flow& part) { return add_leaves(part, leaves); });
}

Flow flatten_table(const ModuleContext& context) {
  std::vector<Flow> leaves;
  if (!add_leaves(context.in, leaves)) context.error("its input has more than 1000 parts");
  return context.table(std::move(leaves));
}

}  // namespace convscope::readers::torch7
