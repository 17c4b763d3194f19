#include "core/snowflake/compile/network_plan.h"

namespace convscope::snowflake {
namespace {

constexpr int pool_weights_fraction = 15;

int fraction_of(FixedPoint choice) {
  return choice == FixedPoint::q5_11 ? 11 : 8;
}

}  // namespace

void set_fixed_point(ParsedNetwork& parsed, FixedPoint choice) {
  const int bits = fraction_of(choice);
  for (ParsedLayer& layer : parsed.layers) {
    ProgramLayer& l = layer.layer;
    l.in_fraction = l.out_fraction = bits;
    l.weights_fraction = l.kind == LayerKind::average_pool ? pool_weights_fraction : bits;
    l.fraction = l.kind == LayerKind::max_pool ? 0 : l.in_fraction + l.weights_fraction - l.out_fraction;
  }
}

std::shared_ptr<const SnowflakePlan> make_plan(const network::Network& network, const Machine& machine) {
  auto plan = std::make_shared<SnowflakePlan>();
  plan->parsed = parse(network, machine.macs);
  set_fixed_point(plan->parsed, machine.fixed_point);
  return plan;
}

}  // namespace convscope::snowflake
