#include "core/snowflake/compile/network_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/quantization/network_formats.h"
#include "core/quantization/own_scales.h"
#include "core/snowflake/trained/by_range.h"

namespace convscope::snowflake {
namespace {

constexpr int pool_weights_fraction = 15;
constexpr int calibration_inputs = 4;

int fraction_of(FixedPoint choice) {
  return choice == FixedPoint::q5_11 ? 11 : 8;
}

bool any_weights(const network::Graph& graph, const std::vector<LayerNodes>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const LayerNodes& each) { return has_weights(graph, each); });
}

std::string first_error(const Diagnostics& diagnostics) {
  return diagnostics.empty() ? "" : diagnostics.items().front().text();
}

/// Positions by range; what was refused otherwise.
std::string choose_by_range(SnowflakePlan& plan, const std::shared_ptr<const network::Graph>& graph,
                            const std::vector<LayerNodes>& nodes, KnownRanges& known,
                            const std::vector<reference::FloatTensors>& calibration, const std::stop_token& stop,
                            std::vector<MapsFormat>& formats) {
  if (!graph || !any_weights(*graph, nodes)) return "the file has no weights";
  const auto ranges = known.of(graph, calibration, stop);
  if (!ranges->refused.empty()) return ranges->refused;
  formats = set_fractions_by_range(plan.parsed, *graph, nodes, ranges->tensors);
  return {};
}

}  // namespace

void set_fixed_point(ParsedNetwork& parsed, FixedPoint choice) {
  const int bits = fraction_of(choice);
  for (ParsedLayer& layer : parsed.layers) {
    ProgramLayer& l = layer.layer;
    l.in_fraction = l.out_fraction = bits;
    l.weights_fraction = l.kind == LayerKind::average_pool ? pool_weights_fraction : bits;
    l.fraction = l.kind == LayerKind::max_pool ? 0 : l.in_fraction + l.weights_fraction - l.out_fraction;
    if (layer.limit)
      layer.remarks.push_back(fmt::format("the upper limit of Clip, {:g}, is not applied", *layer.limit));
  }
}

std::shared_ptr<const network::Graph> KnownRanges::real(const network::Network& network, std::string& refused) {
  const auto has_scale = [](const network::Tensor& tensor) { return tensor.scale != nullptr; };
  if (!network.graph || std::none_of(network.graph->tensors.begin(), network.graph->tensors.end(), has_scale))
    return network.graph;
  {
    const std::lock_guard lock(mutex_);
    if (integers_.lock() == network.graph) return real_;
  }
  Diagnostics diagnostics;
  auto graph = quantization::in_real_numbers(*network.graph, network.source_file, diagnostics);
  if (!graph) return refused = first_error(diagnostics), nullptr;
  const auto real = std::make_shared<const network::Graph>(*std::move(graph));
  const std::lock_guard lock(mutex_);
  integers_ = network.graph;
  return real_ = real;
}

std::shared_ptr<const KnownRanges::Ranges> KnownRanges::remembered(const std::shared_ptr<const network::Graph>& graph) {
  const std::lock_guard lock(mutex_);
  return graph_.lock() == graph ? known_ : nullptr;
}

std::shared_ptr<const KnownRanges::Ranges> KnownRanges::of(const std::shared_ptr<const network::Graph>& graph,
                                                           const std::vector<reference::FloatTensors>& inputs,
                                                           const std::stop_token& stop) {
  if (auto known = remembered(graph); known && inputs.empty()) return known;
  quantization::FormatOptions options;
  options.seeded_inputs = calibration_inputs;
  Diagnostics diagnostics;
  auto formats = quantization::choose_formats(*graph, inputs, options, diagnostics, stop);
  auto ranges = std::make_shared<const Ranges>(formats ? Ranges{std::move(formats->ranges), {}}
                                                       : Ranges{{}, first_error(diagnostics)});
  if (!inputs.empty()) return ranges;
  const std::lock_guard lock(mutex_);
  graph_ = graph;
  return known_ = ranges;
}

std::shared_ptr<const SnowflakePlan> make_plan(const network::Network& network, const Machine& machine,
                                               const std::vector<reference::FloatTensors>& calibration,
                                               KnownRanges* known, const std::stop_token& stop) {
  auto plan = std::make_shared<SnowflakePlan>();
  plan->parsed = parse(network, machine.macs);
  std::vector<LayerNodes> nodes = nodes_of(network, plan->parsed);
  std::vector<MapsFormat> formats(plan->parsed.regions.size(), {fraction_of(machine.fixed_point), 1});
  std::string refused;
  const bool by_range = machine.fixed_point == FixedPoint::by_range;
  KnownRanges own;
  if (known == nullptr) known = &own;
  const auto graph = known->real(network, refused);
  if (by_range && refused.empty()) refused = choose_by_range(*plan, graph, nodes, *known, calibration, stop, formats);
  if (!by_range || !refused.empty()) set_fixed_point(plan->parsed, machine.fixed_point);
  if (by_range && !refused.empty())
    for (ParsedLayer& layer : plan->parsed.layers)
      layer.remarks.push_back(fmt::format("computed in Q8.8, not by range: {}", refused));
  if (graph && any_weights(*graph, nodes))
    plan->trained = std::make_shared<const TrainedNetwork>(graph, plan->parsed, std::move(nodes), formats);
  return plan;
}

}  // namespace convscope::snowflake
