// What targets say of their figures covers what they give.

#include <set>

#include <gtest/gtest.h>

#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "core/engine/engine.h"
#include "core/target/resources.h"

namespace convscope::catalogue {
namespace {

using Descriptions = std::vector<artifact::FigureDescription>;

void expect_described(const std::vector<artifact::NamedQuantity>& values, const Descriptions& descriptions) {
  for (const artifact::NamedQuantity& each : values) {
    const auto* found = artifact::find_figure(descriptions, each.key);
    ASSERT_NE(found, nullptr) << each.key;
    EXPECT_EQ(found->unit, each.quantity.unit) << each.key;
  }
}

TEST(Figures, EachIsDescribedOnceUnderAKeyOfItsOwn) {
  for (const auto& target : standard_targets()) {
    std::set<std::string> keys;
    for (const Descriptions* list : {&artifact::common_figures(), &target::shared_resources(), &target->figures()})
      for (const artifact::FigureDescription& each : *list) {
        EXPECT_TRUE(keys.insert(each.key).second) << target->id() << ' ' << each.key;
        EXPECT_FALSE(each.label.empty()) << each.key;
        EXPECT_FALSE(each.objective && each.key.find('.') != std::string::npos) << each.key << " can't be a column";
      }
  }
}

TEST(Figures, AllThatLayersTotalsAndMachinesHaveAreDescribed) {
  Diagnostics diagnostics;
  const auto network = standard()->read_network(sample_path("networks/speed_sign.xml"), diagnostics);
  ASSERT_TRUE(network) << diagnostics.text();
  const auto executor = engine::make_thread_executor(1);
  for (const auto& target : standard_targets()) {
    const arch::ParameterValues machine(target->machine());
    for (const target::Level& level : target->levels()) {
      const auto cache = engine::make_memory_cache();
      const auto compiled =
          engine::compile({std::make_shared<const network::Network>(*network), target, machine, level.name, {}, 0, {}},
                          *executor, *cache);
      for (const auto& layer : compiled.layers) expect_described(layer->metrics().target_figures, target->figures());
      expect_described(compiled.total.target_figures, target->figures());
    }
    Descriptions resources = target::shared_resources();
    resources.insert(resources.end(), target->figures().begin(), target->figures().end());
    expect_described(target->resources(machine), resources);
  }
}

}  // namespace
}  // namespace convscope::catalogue
