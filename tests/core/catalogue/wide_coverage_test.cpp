// How much of the models folder's work the machine nve-wide takes. All files with CONVSCOPE_FULL=1, then with a table.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "core/engine/engine.h"

namespace convscope::catalogue {
namespace {

struct Coverage {
  std::int64_t macs = 0, mapped = 0;
  double share() const { return static_cast<double>(mapped) / static_cast<double>(macs); }
};

Coverage coverage_of(const network::Network& network, const target::Target& nve) {
  arch::ParameterValues machine(nve.machine());
  Diagnostics diagnostics;
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
           {"loop", "on"}, {"accumulators", "16"}, {"bias_shift", "15"}})
    EXPECT_TRUE(machine.set(name, value, diagnostics)) << diagnostics.text();
  const auto cache = engine::make_memory_cache();
  Coverage coverage;
  for (int i = 0; i < static_cast<int>(network.layers.size()); ++i) {
    const network::Layer& layer = network.layers[static_cast<std::size_t>(i)];
    if (layer.macs() == 0) continue;
    const auto compiled = nve.compile({&network, i, &machine, nve.default_level(), nullptr}, *cache, {});
    coverage.macs += layer.macs();
    if (compiled->mapped()) coverage.mapped += layer.macs();
    if (!compiled->mapped() && layer.operator_name == "Conv")
      std::cout << "  " << layer.name << ": " << compiled->reason() << '\n';
  }
  return coverage;
}

std::vector<std::filesystem::path> all_models() {
  std::vector<std::filesystem::path> files;
  std::error_code missing;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(CONVSCOPE_MODELS, missing))
    if (entry.is_regular_file() && entry.file_size() < (std::uintmax_t{1} << 28)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// One of each kind of layer that has its own layout: low maps, products, dilation, tall kernels, all depths.
std::vector<std::filesystem::path> some_models() {
  const std::filesystem::path folder = CONVSCOPE_MODELS;
  return {folder / "caffe/bvlc_alexnet/deploy.prototxt", folder / "caffe/ultraface-rfb-320/RFB-320.prototxt",
          folder / "onnx-light/light_squeezenet.onnx"};
}

TEST(WideCoverage, NearlyAllWorkOfRealNetworksIsMapped) {
  if (!std::filesystem::exists(CONVSCOPE_MODELS)) GTEST_SKIP() << "no models at " << CONVSCOPE_MODELS;
  const bool full = std::getenv("CONVSCOPE_FULL") != nullptr;
  const CataloguePointer known = standard();
  const auto nve = known->find_target("nve");
  Coverage all;
  int networks = 0;
  for (const auto& file : full ? all_models() : some_models()) {
    Diagnostics unused;
    const auto network = known->read_network(file.string(), unused);
    if (!network || network->macs() == 0) continue;
    const Coverage coverage = coverage_of(*network, *nve);
    all.macs += coverage.macs;
    all.mapped += coverage.mapped;
    ++networks;
    if (coverage.mapped < coverage.macs)
      std::cout << fmt::format("{}: {:.2f} %\n", file.filename().string(), 100 * coverage.share());
  }
  std::cout << fmt::format("{} networks, {:.3f} Gmac, {:.4f} % mapped\n", networks, static_cast<double>(all.macs) / 1e9,
                           100 * all.share());
  EXPECT_GT(networks, full ? 60 : 2);
  EXPECT_GT(all.share(), full ? .999 : .9999);
}

}  // namespace
}  // namespace convscope::catalogue
