// Modules that compute value by value, without weights, and softmax.

#include "core/readers/torch7/modules.h"

namespace convscope::readers::torch7 {
namespace {

using network::Attributes;

Flow with_alpha(const ModuleContext& context, const char* operator_name, double alpha) {
  Attributes attributes;
  attributes.set("alpha", alpha);
  return context.each_value(operator_name, std::move(attributes));
}

Flow with_scalar(const ModuleContext& context, const char* operator_name, const char* suffix, double value) {
  return context.node(operator_name, {context.operand(), context.scalar(suffix, value)}, context.in.rank);
}

Flow over_maps(const ModuleContext& context, const char* operator_name) {
  Attributes attributes;
  attributes.set("axis", std::int64_t{1});
  return context.each_value(operator_name, std::move(attributes));
}

Flow dropped(const ModuleContext& context, bool scales) {
  const double ratio = context.real("p", 0.5);
  if (scales) return with_scalar(context, "Mul", "kept", 1 - ratio);
  Attributes attributes;
  attributes.set("ratio", ratio);
  return context.each_value("Dropout", std::move(attributes));
}

}  // namespace

/// x above the threshold, else a value.
Flow threshold(const ModuleContext& context) {
  const double least = context.real("threshold", 1e-6), otherwise = context.real("val", 0);
  if (otherwise != 0) return context.opaque();
  return least == 0 ? context.each_value("Relu") : with_alpha(context, "ThresholdedRelu", least);
}

Flow clamp(const ModuleContext& context) {
  double least = context.real("min_val", -1), most = context.real("max_val", 1);
  if (context.type == "ReLU6") least = 0, most = 6;
  if (context.type == "ClippedReLU") least = 0, most = context.real("ceiling", std::nullopt);
  return context.node("Clip", {context.operand(), context.scalar("least", least), context.scalar("most", most)},
                      context.in.rank);
}

Flow leaky_relu(const ModuleContext& context) {
  return with_alpha(context, "LeakyRelu", context.real("negval", 0.01));
}

Flow elu(const ModuleContext& context) {
  return with_alpha(context, "Elu", context.real("alpha", 1));
}

/// The first version scales when it is used, the second when it is trained.
Flow dropout(const ModuleContext& context) {
  return dropped(context, !context.boolean("v2", false));
}

Flow spatial_dropout(const ModuleContext& context) {
  return dropped(context, true);
}

Flow softmax(const ModuleContext& context) {
  return over_maps(context, "Softmax");
}

Flow log_softmax(const ModuleContext& context) {
  return over_maps(context, "LogSoftmax");
}

/// log(1 + exp(beta x)) / beta.
Flow soft_plus(const ModuleContext& context) {
  return context.real("beta", 1) == 1 ? context.each_value("Softplus") : context.opaque();
}

Flow power(const ModuleContext& context) {
  return with_scalar(context, "Pow", "power", context.real("pow", std::nullopt));
}

Flow square(const ModuleContext& context) {
  const int in = context.operand();
  return context.node("Mul", {in, in}, context.in.rank);
}

Flow constant_factor(const ModuleContext& context) {
  return with_scalar(context, "Mul", "factor", context.real("constant_scalar", std::nullopt));
}

Flow constant_term(const ModuleContext& context) {
  if (context.field("constant_scalar").kind != Kind::number) return context.opaque();  // newer ones add tensors too
  return with_scalar(context, "Add", "term", context.real("constant_scalar", std::nullopt));
}

}  // namespace convscope::readers::torch7
