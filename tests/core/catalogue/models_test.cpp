// Every file of the models folder that a reader recognizes, through every target: mapped, or refused with a reason.

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/mapped_file.h"
#include "core/catalogue/standard.h"
#include "core/engine/engine.h"
#include "tests/made/sanitized.h"

namespace convscope::catalogue {
namespace {

namespace fs = std::filesystem;

const std::set<std::string> model_suffixes{".onnx", ".onnxtxt", ".prototxt", ".cfg", ".tflite", ".xml"};

/// ONNX's test data, tensors alone, have TensorFlow's suffix.
bool is_model(const fs::path& file) {
  return model_suffixes.contains(file.extension().string()) ||
         (file.extension() == ".pb" && file.parent_path().filename() == "tf-pb");
}

std::vector<fs::path> model_files() {
  std::vector<fs::path> files;
  std::error_code missing;
  for (const auto& entry : fs::recursive_directory_iterator(CONVSCOPE_MODELS, missing))
    if (entry.is_regular_file() && is_model(entry.path())) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Every `distance`-th.
std::vector<fs::path> sample_of(const std::vector<fs::path>& files, std::size_t distance) {
  std::vector<fs::path> sample;
  for (std::size_t i = 0; i < files.size(); i += distance) sample.push_back(files[i]);
  return sample;
}

struct Count {
  int mapped = 0, unmapped = 0;
};

void compile_all(const network::Network& network, const target::Target& target, Count& count) {
  const arch::ParameterValues machine(target.machine());
  const auto cache = engine::make_memory_cache();
  const auto plan = target.prepare({&network, &machine, target.default_level()}, *cache, {});
  for (int layer = 0; layer < static_cast<int>(network.layers.size()); ++layer) {
    const auto compiled = target.compile({&network, layer, &machine, target.default_level(), plan.get()}, *cache, {});
    (compiled->mapped() ? count.mapped : count.unmapped) += 1;
    if (compiled->mapped() && compiled->program_count() > 0) {  // others are computed by the layer before them
      EXPECT_TRUE(compiled->metrics().verified || compiled->metrics().cycles.origin == Origin::estimate);
      EXPECT_GT(compiled->metrics().cycles.value, 0) << network.layers[static_cast<std::size_t>(layer)].name;
      EXPECT_GE(compiled->metrics().cycles.value, static_cast<double>(compiled->metrics().bound.cycles));
    } else if (!compiled->mapped()) {
      EXPECT_EQ(compiled->reason().find("refused by the verifier"), std::string::npos) << compiled->reason();
    }
  }
}

TEST(Models, OpenAndCompileOrSayWhyNot) {
  std::vector<fs::path> files = model_files();
  if (files.empty()) GTEST_SKIP() << "no models at " << CONVSCOPE_MODELS;
  const bool all = !test::sanitized || std::getenv("CONVSCOPE_FULL") != nullptr;
  if (!all) files = sample_of(files, 10);
  const CataloguePointer known = standard();
  std::vector<std::string> refused;
  std::map<std::string, Count> counts;
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.string());
    Diagnostics diagnostics;
    const auto network = known->read_network(file.string(), diagnostics);
    if (!network) {
      EXPECT_TRUE(diagnostics.has_errors());
      refused.push_back(file.filename().string());
      continue;
    }
    EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.text();
    for (const auto& target : known->targets) compile_all(*network, *target, counts[target->id()]);
  }
  if (all) {
    EXPECT_THAT(refused, testing::ElementsAre("lfs-pointer-resnet18.onnx"));
  }
  std::cout << files.size() - refused.size() << " of " << files.size() << " files open\n";
  for (const auto& [target, count] : counts)
    std::cout << target << ": " << count.mapped << " layers mapped, " << count.unmapped << " refused with a reason\n";
}

}  // namespace
}  // namespace convscope::catalogue
