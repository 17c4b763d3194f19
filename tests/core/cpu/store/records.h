#pragma once
// Measurements as tests need them.

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "core/cpu/store/store.h"

namespace convscope::cpu::test {

inline Problem problem(int kernels = 16) {
  Diagnostics diagnostics;
  return *parse_problem("14x14x32 -> " + std::to_string(kernels) + ", 3x3", diagnostics);
}

inline Record record(const std::string& tile, double minimum, const std::string& host = "here",
                     const std::string& algorithm = "guided") {
  Record result;
  result.problem = problem();
  result.path.choices = {{"family", "avx2"}, {"tile", tile}};
  result.source_hash = ~std::uint64_t{0};
  result.host = host;
  result.algorithm = algorithm;
  result.seed = 3;
  result.outcome.ending = Ending::ran;
  result.outcome.minimum = minimum;
  result.outcome.first_quartile = minimum * 1.1;
  result.outcome.median = minimum * 1.2;
  result.outcome.samples = 15;
  result.outcome.gated = true;
  result.outcome.compiler = "g++ 12";
  result.outcome.flags = "-O2";
  return result;
}

/// A folder that goes away.
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string pattern = testing::TempDir() + "cpu_store_XXXXXX";
    path = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name = "store.sqlite") const { return (path / name).string(); }
};

inline std::unique_ptr<Store> opened(const std::string& path) {
  Diagnostics diagnostics;
  auto store = Store::open(path, diagnostics);
  EXPECT_TRUE(store) << diagnostics.text();
  return store;
}

inline void add(Store& store, const Record& record) {
  Diagnostics diagnostics;
  EXPECT_TRUE(store.add(record, diagnostics)) << diagnostics.text();
}

}  // namespace convscope::cpu::test
