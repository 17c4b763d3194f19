#include "core/figures/snowflake/snowflake_figures.h"
#include "core/figures/snowflake/snowflake_networks.h"
#include "core/snowflake/plan/decide.h"
#include "core/snowflake/plan/tiles.h"

namespace convscope::figures {
namespace {

/// Layers of the networks from which the paper takes its eight; which ones they are it says of none.
struct Drawn {
  const char* sample;
  const char* layer;
};
constexpr Drawn drawn[] = {{"snowflake_alexnet_owt.xml", "conv2"},
                           {"snowflake_alexnet_owt.xml", "conv4"},
                           {"snowflake_resnet50.xml", "conv2_2/increase"},
                           {"snowflake_resnet50.xml", "conv2_2/reduce"},
                           {"snowflake_resnet50.xml", "conv4_2/increase"}};

const snowflake::ProgramLayer* layer_named(const SnowflakeNetwork& network, const std::string& name) {
  for (const snowflake::ParsedLayer& parsed : network.plan->parsed.layers)
    if (parsed.layer.name == name) return &parsed.layer;
  return nullptr;
}

std::string shape_text(const snowflake::ProgramLayer& layer) {
  const auto size = [](int height, int width) { return std::to_string(height) + "x" + std::to_string(width); };
  return size(layer.in.height, layer.in.width) + ", " + size(layer.kernel_height, layer.kernel_width) + ", " +
         std::to_string(layer.in.channels) + ", " + std::to_string(layer.out.channels);
}

double required(const snowflake::ProgramLayer& layer, const SnowflakeNetwork& network, snowflake::Mapping mapping,
                bool maps_loop, const snowflake::Machine& machine) {
  mapping.maps_loop = maps_loop;
  snowflake::LayerShape shape = snowflake::shape_of(layer, network.plan->parsed.regions, machine, mapping.by_position);
  shape.has_bypass = false;
  snowflake::largest_tiles(shape, mapping, machine);
  return snowflake::required_bandwidth(shape, mapping, machine).bandwidth;
}

std::vector<Cell> row(const SnowflakeNetwork& network, const snowflake::ProgramLayer& layer,
                      const snowflake::Machine& machine) {
  const snowflake::Decision decision = snowflake::paper_mapping(layer, network.plan->parsed.regions, machine);
  const double maps = required(layer, network, decision.mapping, true, machine);
  const double kernels = required(layer, network, decision.mapping, false, machine);
  const auto rate = [](double value) { return number_cell(value / 1e9, "GB/s", Origin::derived, 2); };
  const auto over = [&](double value) { return text_cell(value > machine.bandwidth ? "above" : "below"); };
  return {text_cell(network.name),
          text_cell(layer.name),
          text_cell(shape_text(layer)),
          rate(maps),
          over(maps),
          rate(kernels),
          over(kernels),
          text_cell(decision.mapping.maps_loop ? "Mloop" : "Kloop")};
}

}  // namespace

std::optional<Figure> snowflake_figure4(const Environment& environment, Diagnostics& diagnostics) {
  const auto machine = snowflake_machine(environment, diagnostics);
  if (!machine) return std::nullopt;
  Figure figure{"snowflake-fig4", "Bandwidth that layers require, maps or kernels repeated", "", {}, {}, {}};
  figure.columns = {"network",
                    "layer",
                    "input, kernel, maps",
                    "Mloop GB/s",
                    "Mloop from the limit",
                    "Kloop GB/s",
                    "Kloop from the limit",
                    "chosen"};
  for (const Drawn& each : drawn) {
    const auto network = snowflake_network(each.sample, *machine, environment, diagnostics);
    if (!network) return std::nullopt;
    const snowflake::ProgramLayer* layer = layer_named(*network, each.layer);
    if (layer == nullptr) {
      diagnostics.error({each.sample, 0, each.layer}, "the sample has no such layer");
      return std::nullopt;
    }
    figure.rows.push_back(row(*network, *layer, *machine));
  }
  const auto limit = environment.published->find("snowflake-fig4", "", "", "dram_bytes_per_second");
  figure.rows.push_back({text_cell("limit, here"),
                         {},
                         {},
                         number_cell(machine->bandwidth / 1e9, "GB/s", Origin::derived),
                         {},
                         number_cell(machine->bandwidth / 1e9, "GB/s", Origin::derived),
                         {},
                         {}});
  const Cell line = number_cell(limit ? std::optional(*limit / 1e9) : limit, "GB/s", Origin::published);
  figure.rows.push_back({text_cell("limit, published"), {}, {}, line, {}, line, {}, {}});
  figure.notes = {
      "Bytes that the paper's tiles move, by the time of the valid MACs at the machine's peak; convolutions without "
      "the",
      "bypass that some of these layers add.",
      "The paper's bars have no numbers. Its text says: A and B, of AlexNet, are below the limit either "
      "way; G and H, of",
      "ResNet50, are above it with maps repeated, so that repeating kernels is necessary."};
  return figure;
}

}  // namespace convscope::figures
