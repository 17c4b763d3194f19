#include <algorithm>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/cpu/run/host.h"
#include "core/cpu/search/compilers.h"
#include "core/cpu/search/real_workshop.h"
#include "programs.h"

namespace convscope::cpu::test {
namespace {

/// A laboratory, a store that goes away, and what a search asks.
class RealSearch : public testing::Test {
 protected:
  void SetUp() override {
    RunOptions options;
    options.sampling = {3, 0.005, false};
    laboratory_ = Laboratory::open(small_problem(), find_availability(), options, {}, diagnostics_);
    store_ = Store::open(path_, diagnostics_);
    const auto weights = standard_weights(diagnostics_);
    ASSERT_TRUE(laboratory_ && store_ && weights) << diagnostics_.text();
    world_.laboratory = laboratory_.get();
    world_.tree.families = {Family::scalar};
    world_.weights = *weights;
    world_.store = store_.get();
    world_.identity = {this_host().identity(), find_availability().toolchain->version,
                       flags_text(Generated{}, options.compile), "random", 1};
    world_.variant_run = world_.final_run = options;
    world_.diagnostics = &diagnostics_;
    search_.algorithm = Algorithm::random;
    search_.variants = 8;
    search_.finals = 2;
  }
  ~RealSearch() override {
    store_.reset();
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path_ + end);
  }

  const std::string path_ =
      (std::filesystem::temp_directory_path() / ("search" + std::to_string(getpid()) + ".sqlite")).string();
  Diagnostics diagnostics_;
  std::unique_ptr<Laboratory> laboratory_;
  std::unique_ptr<Store> store_;
  RealWorld world_;
  SearchOptions search_;
};

TEST_F(RealSearch, GoesOnWhereItWasStopped) {
  const Workshop workshop = real_workshop(world_);
  std::stop_source source;
  const auto stop_soon = [&](const SearchResult& so_far) {
    if (so_far.variants.size() == 3) source.request_stop();
  };
  const SearchResult part = search(workshop, search_, stop_soon, source.get_token());
  EXPECT_TRUE(part.stopped);
  const SearchResult resumed = search(workshop, search_, {}, {});
  ASSERT_EQ(resumed.variants.size(), 8U) << diagnostics_.text();
  EXPECT_EQ(resumed.reused, 3);
  for (std::size_t i = 0; i < part.variants.size(); ++i) {
    EXPECT_EQ(resumed.variants[i].path, part.variants[i].path);
    EXPECT_EQ(resumed.variants[i].outcome.minimum, part.variants[i].outcome.minimum);
  }
  const SearchResult again = search(workshop, search_, {}, {});
  EXPECT_EQ(again.reused, 8);
  ASSERT_EQ(again.finals.size(), resumed.finals.size());
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(again.variants[i].outcome.minimum, resumed.variants[i].outcome.minimum);
  for (std::size_t i = 0; i < again.finals.size(); ++i)
    EXPECT_EQ(again.finals[i].outcome.minimum, resumed.finals[i].outcome.minimum);
}

TEST_F(RealSearch, GoesOnWithWhatWasMeasuredInTurn) {
  search_.algorithm = Algorithm::guided;
  search_.variants = 30;  // a round of 24, and some of the next
  const Workshop workshop = real_workshop(world_);
  std::stop_source source;
  const auto stop_late = [&](const SearchResult& so_far) {
    if (so_far.variants.size() == 26) source.request_stop();
  };
  const SearchResult part = search(workshop, search_, stop_late, source.get_token());
  const SearchResult resumed = search(workshop, search_, {}, {});
  EXPECT_EQ(resumed.reused, 26);
  ASSERT_EQ(resumed.variants.size(), 30U) << diagnostics_.text();
  ASSERT_EQ(part.variants.size(), 26U);
  for (std::size_t i = 0; i < part.variants.size(); ++i) {
    EXPECT_EQ(resumed.variants[i].path, part.variants[i].path);
    EXPECT_EQ(resumed.variants[i].outcome.minimum, part.variants[i].outcome.minimum);
  }
  const auto stored = store_->runs(small_problem(), 100);
  EXPECT_EQ(std::count_if(stored.begin(), stored.end(),
                          [](const Record& record) { return record.algorithm == "random, in turn 1"; }),
            2);
}

TEST_F(RealSearch, TheBestPathIsTriedByEveryCompiler) {
  search_.variants = 1;
  const SearchResult result = search(real_workshop(world_), search_, {}, {});
  const Tried* found = best(result);
  ASSERT_TRUE(found);
  const auto compilers = compiler_choices();
  EXPECT_GE(compilers.size(), 2U);
  const auto chosen = best_of_compilers(*laboratory_, {found->path}, compilers, world_.final_run, {});
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->path, found->path);
  EXPECT_TRUE(chosen->outcome.ran());
  EXPECT_FALSE(best_of_compilers(*laboratory_, {Path{}}, compilers, world_.final_run, {}));
}

TEST(Compilers, EachIsTriedOnceWhateverItsNames) {
  std::set<std::string> known;
  for (const CompilerChoice& choice : compiler_choices())
    EXPECT_TRUE(
        known.insert(std::filesystem::canonical(choice.toolchain.compiler).string() + choice.optimization).second)
        << choice.toolchain.compiler;
}

}  // namespace
}  // namespace convscope::cpu::test
