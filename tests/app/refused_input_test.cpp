#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

using testing::HasSubstr;

/// Refused: code 1, nothing on stdout, a diagnostic that holds the message.
void expect_refused(const std::vector<std::string>& arguments, const std::string& message) {
  const CliResult result = run_cli(arguments);
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("error: "));
  EXPECT_THAT(result.err, HasSubstr(message));
}

void expect_wrong_usage(const std::vector<std::string>& arguments) {
  const CliResult result = run_cli(arguments);
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err, "");
}

TEST(RefusedInput, NetworksThatAreNone) {
  const TemporaryFolder folder;
  const std::string whole = file_content(sample("face_detection"));
  expect_refused({"report", folder.path("missing.xml")}, "missing.xml");
  expect_refused({"report", folder.path()}, folder.path());
  expect_refused({"report", folder.write("empty.xml", "")}, "empty.xml");
  expect_refused({"report", folder.write("text.xml", "hello")}, "format");
  expect_refused({"report", folder.write("cut.xml", whole.substr(0, whole.size() / 2))}, "cut.xml");
  expect_refused({"report", folder.write("binary.xml", std::string(5000, '\0'))}, "binary.xml");
  expect_refused({"report", folder.write("bomb.xml", "<convNetDescriptor>" + std::string(100000, '<'))}, "bomb.xml");
}

TEST(RefusedInput, MachinesThatCannotBe) {
  const std::string network = sample("filter_3x3");
  expect_refused({"report", network, "--set", "warp_factor=9"}, "warp_factor");
  expect_refused({"report", network, "--set", "lanes=fast"}, "lanes");
  expect_refused({"report", network, "--set", "lanes=1000000"}, "lanes");
  expect_refused({"report", network, "--set", "lanes=-16"}, "lanes");
  expect_refused({"report", network, "--set", "memory=holographic"}, "memory");
  expect_refused({"report", network, "--preset", "nve-imaginary"}, "nve-thesis");
  expect_refused({"report", network, "--preset", "/nonexistent.xml"}, "/nonexistent.xml");
  expect_refused({"report", network, "--level", "magic"}, "fusion");
}

// What is wrong, where, and what would do.
TEST(RefusedInput, NmpMachinesThatCannotBe) {
  const auto refused = [](const std::string& setting, const std::vector<std::string>& parts) {
    const CliResult result = run_cli({"report", sample("lenet"), "--target", "nmp", "--set", setting});
    EXPECT_EQ(result.exit_code, 1) << setting;
    EXPECT_EQ(result.out, "") << setting;
    for (const std::string& part : parts) EXPECT_THAT(result.err, HasSubstr(part)) << setting;
  };
  refused("tles=0", {"tles", "1 to 64"});
  refused("tlts=0", {"tlts", "1 to 64"});
  refused("burst=100", {"burst", "100", "power of two"});
  refused("input_memory=100", {"input_memory", "100", "power of two"});
  refused("bandwidth=0", {"bandwidth", "0.1"});
  refused("shared_buffer=100", {"shared_buffer", "256"});
  refused("element=12", {"element", "8", "16"});
}

TEST(RefusedInput, NmpMemoriesTooSmallForAnyTileNameLayerParameterAndWhatWouldDo) {
  const CliResult result = run_cli({"report", sample("resnet50"), "--target", "nmp", "--set", "weight_memory=64"});
  EXPECT_EQ(result.exit_code, 0) << result.err;  // all other layers are mapped
  EXPECT_THAT(result.out, HasSubstr("conv1 is not mapped: even the tile of one output, one channel and one filter is "
                                    "too large: MB1 (W) needs 98 bytes and has 64: 34 too many; weight_memory=128 "
                                    "would do"));
  EXPECT_EQ(run_cli({"report", sample("resnet50"), "--target", "nmp", "--set", "weight_memory=128"})
                .out.find("conv1 is not mapped"),
            std::string::npos);
}

TEST(RefusedInput, AllMistakesInOneRun) {
  const CliResult result =
      run_cli({"report", sample("filter_3x3"), "--set", "warp=9", "--set", "lanes=no", "--level", "magic"});
  EXPECT_EQ(result.exit_code, 1);
  for (const char* part : {"warp", "lanes", "magic"}) EXPECT_THAT(result.err, HasSubstr(part));
}

TEST(RefusedInput, BrokenPresets) {
  const TemporaryFolder folder;
  const std::string network = sample("filter_3x3");
  expect_refused({"report", network, "--preset", folder.write("cut.xml", "<preset target=\"nve\"")}, "cut.xml");
  expect_refused(
      {"report", network, "--preset", folder.write("other.xml", "<preset target=\"gpu\" name=\"x\" title=\"x\"/>")},
      "other.xml");
}

TEST(RefusedInput, LayersThatAreNotThere) {
  expect_refused({"report", sample("filter_3x3"), "--layer", "L9"}, "L9");
}

TEST(RefusedInput, SizesThatADescriptorStatesItself) {
  expect_refused({"report", sample("filter_3x3"), "--batch", "2"}, "--batch");
  expect_refused({"report", sample("filter_3x3"), "--input-size", "224x224"}, "--input-size");
}

TEST(RefusedInput, ImagesThatAreNone) {
  const TemporaryFolder folder;
  const CliResult result =
      run_cli({"report", sample("filter_3x3"), "--simulate", "--image", folder.write("image.png", "no image")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("image.png"));
}

TEST(RefusedInput, ProgramsThatAreNone) {
  const TemporaryFolder folder;
  for (const char* command : {"verify", "simulate"}) {
    const CliResult text = run_cli({command, folder.write("text.s", "nothing of the kind")});
    EXPECT_EQ(text.exit_code, 1);
    EXPECT_THAT(text.err, HasSubstr("text.s"));
    EXPECT_EQ(run_cli({command, folder.path("missing.json")}).exit_code, 1);
  }
}

TEST(RefusedInput, FiguresThatAreNone) {
  expect_refused({"figure", "nve-fig99"}, "nve-fig99");
}

TEST(RefusedInput, RangesThatCannotBeFitted) {
  expect_refused({"calibrate", "--range", "colour=1:2"}, "there is no such parameter to fit");
  expect_refused({"calibrate", "--range", "cas"}, "there is no such parameter to fit");
  expect_refused({"calibrate", "--range", "cas=20:10"}, "this is no range");
  expect_refused({"calibrate", "--range", "cas=ten"}, "this is no range");
  expect_refused({"calibrate", "--range", "mac_efficiency=0:2"}, "inside 0.05:1");
}

TEST(RefusedInput, WrongUsage) {
  expect_wrong_usage({});
  expect_wrong_usage({"frobnicate"});
  expect_wrong_usage({"report"});
  expect_wrong_usage({"report", sample("filter_3x3"), "--target", "abacus"});
  expect_wrong_usage({"report", sample("filter_3x3"), "--set", "lanes"});
  expect_wrong_usage({"report", sample("filter_3x3"), "--json", "--csv"});
  expect_wrong_usage({"report", sample("filter_3x3"), "--strips", "1"});
  expect_wrong_usage({"report", sample("filter_3x3"), "--batch", "0"});
  expect_wrong_usage({"report", sample("filter_3x3"), "--no-such-option"});
  expect_wrong_usage({"compile", sample("filter_3x3")});
  expect_wrong_usage({"figure"});
  expect_wrong_usage({"export", sample("filter_3x3"), "--view", "schedule", "-o", "picture.bmp"});
  expect_wrong_usage({"export", sample("filter_3x3"), "--view", "schedule", "-o", "picture.svg", "--size", "big"});
  expect_wrong_usage({"export", "--view", "schedule", "-o", "picture.svg"});
}

TEST(RefusedInput, AFolderThatCannotBeMade) {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "kept");
  expect_refused({"compile", sample("filter_3x3"), "-o", file + "/below"}, file);
  EXPECT_EQ(file_content(file), "kept");
}

}  // namespace
}  // namespace convscope::app
