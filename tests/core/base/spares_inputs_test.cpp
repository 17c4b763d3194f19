#include "core/base/spares_inputs.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace convscope {
namespace {

namespace fs = std::filesystem;

class SparesInputs : public testing::Test {
 protected:
  SparesInputs() {
    fs::create_directories(folder_);
    std::ofstream(input_) << "read";
  }
  ~SparesInputs() override { fs::remove_all(folder_); }

  const fs::path folder_ = fs::path(testing::TempDir()) / fmt::format("convscope-spares-inputs-{}", getpid());
  const std::string input_ = folder_ / "input.xml";
  Diagnostics diagnostics_;
};

TEST_F(SparesInputs, RefusesTheFileThatIsReadByWhateverName) {
  const std::string link = folder_ / "link.xml", detour = folder_ / "." / "input.xml";
  fs::create_symlink(input_, link);
  for (const std::string& output : {input_, link, detour}) {
    EXPECT_FALSE(spares_inputs(output, {"", "/nonexistent", input_}, diagnostics_)) << output;
  }
  EXPECT_EQ(diagnostics_.count(Severity::error), 3u);
}

TEST_F(SparesInputs, AllowsOtherFilesAndThoseThatAreNotThere) {
  EXPECT_TRUE(spares_inputs(folder_ / "output.xml", {input_, "", "seed:1"}, diagnostics_));
  EXPECT_TRUE(spares_inputs("", {input_, ""}, diagnostics_));
  EXPECT_TRUE(diagnostics_.empty());
}

}  // namespace
}  // namespace convscope
