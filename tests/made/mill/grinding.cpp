#include "tests/made/mill/grinding.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/key.h"
#include "tests/made/mill/figures.h"

namespace convscope::made::mill {
namespace {

constexpr std::int64_t grains_of_sack = 64;
constexpr int control = 0, carts = 1, stones = 2;

artifact::TimelineSection section_of(const Grinding& g, std::int64_t address) {
  using artifact::OperationClass;
  const std::int64_t start = g.cart_turns - g.hidden_turns;
  artifact::TimelineSection section{g.layer, g.turns(), 1, address, 0, {}};
  section.cells = {{control, 0, 1, hash64("go " + g.layer), 0, OperationClass::control, "go " + g.layer}};
  if (start > 0)
    section.cells.push_back({carts, 0, start, cart_key(g), 0, OperationClass::transfer, "carts " + g.layer});
  section.cells.push_back(
      {stones, start, g.stone_turns, stone_key(g), 0, OperationClass::multiply_accumulate, "grind " + g.layer});
  return section;
}

}  // namespace

BarnPlan plan_barn(const target::PassRun& /*run*/, const std::vector<std::int64_t>& grains) {
  BarnPlan plan;
  for (const std::int64_t each : grains) {
    plan.shelves.push_back(plan.all);
    plan.all += each / grains_of_sack + 1;
  }
  return plan;
}

Grinding grind(const network::Layer& layer, const Machine& machine, bool fine, std::int64_t shelf) {
  Grinding g{layer.name, layer.macs(), layer.macs() / grains_of_sack + 1, 0, 0, shelf, fine};
  g.cart_turns = g.sacks;
  const std::int64_t whole = (g.grains + machine.stones - 1) / machine.stones;
  g.stone_turns = std::max<std::int64_t>(1, fine ? whole : whole + whole / 4);
  return g;
}

artifact::Metrics metrics_of(const Grinding& g, const Machine& machine) {
  artifact::Metrics m;
  const auto turns = static_cast<double>(g.turns());
  m.macs = g.grains;
  m.cycles.value = turns;
  m.seconds.value = turns / machine.clock_hz;
  m.utilization.value = static_cast<double>(g.grains) / (turns * machine.stones);
  m.bytes_in = g.sacks * grains_of_sack;
  m.bytes_out = g.grains / 8;
  m.bytes_weights = g.sacks;
  m.bound = {"stones", g.stone_turns, g.fine};
  m.breakdown = {{"carts", g.cart_turns - g.hidden_turns}, {"stones", g.stone_turns}};
  m.target_figures = {word(grist, g.fine ? "flour" : "groats"), number(sacks, static_cast<double>(g.sacks)),
                      number(grains_per_sack, static_cast<double>(g.grains) / static_cast<double>(g.sacks)),
                      number(cart_turns, static_cast<double>(g.cart_turns))};
  return m;
}

artifact::Metrics sum_of(const std::vector<artifact::Metrics>& layers) {
  artifact::Metrics sum;
  double all_sacks = 0, carried = 0, used = 0;
  for (const artifact::Metrics& m : layers) {
    sum.macs += m.macs;
    sum.cycles.value += m.cycles.value;
    sum.seconds.value += m.seconds.value;
    used += m.utilization.value * m.cycles.value;
    sum.bytes_in += m.bytes_in;
    sum.bytes_out += m.bytes_out;
    sum.bytes_weights += m.bytes_weights;
    all_sacks += m.find(sacks)->value;
    carried += m.find(cart_turns)->value;
  }
  if (sum.cycles.value > 0) sum.utilization.value = used / sum.cycles.value;
  if (all_sacks > 0)
    sum.target_figures = {number(sacks, all_sacks), number(grains_per_sack, static_cast<double>(sum.macs) / all_sacks),
                          number(cart_turns, carried)};
  return sum;
}

artifact::OperationKey cart_key(const Grinding& grinding) {
  return hash64("carts " + grinding.layer);
}

artifact::OperationKey stone_key(const Grinding& grinding) {
  return hash64("grind " + grinding.layer);
}

std::shared_ptr<const artifact::Timeline> timeline_of(const std::vector<Grinding>& layers) {
  std::vector<artifact::TimelineSection> sections;
  for (const Grinding& each : layers) sections.push_back(section_of(each, static_cast<std::int64_t>(sections.size())));
  return std::make_shared<const artifact::Timeline>(std::vector<std::string>{"control", "carts", "stones"},
                                                    std::move(sections));
}

std::shared_ptr<const artifact::Listing> listing_of(const std::vector<Grinding>& layers) {
  auto listing = std::make_shared<artifact::Listing>();
  listing->columns = {"control", "carts", "stones"};
  listing->assembly = "mill program\n";
  for (const Grinding& g : layers) {
    const auto address = static_cast<std::int64_t>(listing->lines.size());
    listing->lines.push_back({address,
                              g.layer,
                              fmt::format("{:08x}", address),
                              {{"go", hash64("go " + g.layer)},
                               {fmt::format("carry {}", g.sacks), cart_key(g)},
                               {fmt::format("grind {}", g.grains), stone_key(g)}}});
    listing->assembly += fmt::format("{}: carry {}; grind {}\n", g.layer, g.sacks, g.grains);
  }
  return listing;
}

std::shared_ptr<const artifact::MemoryMap> memory_map_of(const std::vector<Grinding>& layers, const Machine& machine) {
  using artifact::OperationClass;
  auto map = std::make_shared<artifact::MemoryMap>();
  std::int64_t shelves = 0, at = 0;
  for (const Grinding& g : layers) shelves = std::max(shelves, g.shelf + g.sacks);
  map->memories.push_back({"barn", shelves, shelves, 64, {}});
  for (int i = 0; i < machine.stones; ++i) map->memories.push_back({fmt::format("hopper {}", i), 16, 16, 64, {}});
  for (const Grinding& g : layers) {
    map->memories[0].blocks.push_back({g.layer, OperationClass::pixels, g.shelf, g.sacks, at, at + g.turns()});
    for (int i = 0; i < machine.stones; ++i)
      map->memories[static_cast<std::size_t>(i) + 1].blocks.push_back(
          {g.layer, OperationClass::coefficients, 0, 16, at, at + g.turns()});
    at += g.turns();
  }
  return map;
}

std::shared_ptr<const artifact::Links> links_of(const std::vector<Grinding>& layers) {
  std::vector<artifact::OperationPlace> places;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto address = static_cast<std::int64_t>(i);
    places.push_back({cart_key(layers[i]), {address}, {{0, layers[i].shelf}}, -1, 0});
    places.push_back({stone_key(layers[i]), {address}, {{1, 0}, {1, 1}}, -1, 0});
  }
  return std::make_shared<const artifact::Links>(std::move(places));
}

}  // namespace convscope::made::mill
