// Pools and normalization over neighbours.

#include "core/readers/torch7/modules.h"

namespace convscope::readers::torch7 {
namespace {

using network::Attributes;

/// imagine-nn's pools round up, and don't say so.
bool rounds_up(const ModuleContext& context) {
  const Object* object = context.shop.tables.object_of(context.module);
  return context.boolean("ceil_mode", object != nullptr && object->type.starts_with("inn."));
}

Attributes pool_attributes(const ModuleContext& context, const Slide& rows, const Slide& columns) {
  Attributes attributes = window_attributes(rows, columns);
  attributes.set("ceil_mode", std::int64_t{rounds_up(context) ? 1 : 0});
  return attributes;
}

/// To one pixel; other sizes move windows that ONNX has no operator for.
Flow adaptive(const ModuleContext& context, const char* operator_name) {
  const bool one = context.real("W", 0) == 1 && context.real("H", 0) == 1;
  return one ? context.node(operator_name, {context.operand()}, 4) : context.opaque();
}

}  // namespace

Flow max_pooling(const ModuleContext& context) {
  const Slide rows = slide_of(context, 'H'), columns = slide_of(context, 'W');
  return context.node("MaxPool", {context.operand()}, 4, pool_attributes(context, rows, columns));
}

Flow average_pooling(const ModuleContext& context) {
  const Slide rows = slide_of(context, 'H'), columns = slide_of(context, 'W');
  Attributes attributes = pool_attributes(context, rows, columns);
  // Files from before padding count none.
  const bool counts = context.boolean("count_include_pad", true);
  attributes.set("count_include_pad", std::int64_t{counts ? 1 : 0});
  if (context.boolean("divide", true))
    return context.node("AveragePool", {context.operand()}, 4, std::move(attributes));
  const int mean = context.step("mean", "AveragePool", {context.operand()}, std::move(attributes));
  const int count = context.scalar("count", static_cast<double>(rows.kernel * columns.kernel));
  return context.node("Mul", {mean, count}, 4);
}

Flow adaptive_max_pooling(const ModuleContext& context) {
  return adaptive(context, "GlobalMaxPool");
}

Flow adaptive_average_pooling(const ModuleContext& context) {
  return adaptive(context, "GlobalAveragePool");
}

Flow map_normalization(const ModuleContext& context) {
  Attributes attributes;
  attributes.set("size", context.integer("size", 5, 1, 1 << 16));
  attributes.set("alpha", context.real("alpha", 1e-4));
  attributes.set("beta", context.real("beta", 0.75));
  attributes.set("bias", context.real(context.has("K") ? "K" : "k", 1));  // cudnn's is the capital one
  return context.each_value("LRN", std::move(attributes));
}

}  // namespace convscope::readers::torch7
