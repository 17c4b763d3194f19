#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class TraceCommand : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const CliResult compiled =
        run_cli({"compile", "16x16x16 -> 16, 3x3", "--target", GetParam(), "-o", folder_.path()});
    ASSERT_EQ(compiled.exit_code, 0) << compiled.err;
    const Json index = Json::parse(file_content(folder_.path("index.json")));
    program_ = folder_.path(index["layers"][0]["programs"][0]["program"]);
  }

  CliResult trace(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"trace", program_});
    return run_cli(arguments);
  }

  const char* block() const { return GetParam() == "nve" ? "accumulators" : "registers"; }

  TemporaryFolder folder_;
  std::string program_;
};

TEST_P(TraceCommand, TellsCyclesAsTextCsvAndJson) {
  const CliResult text = trace({"--from", "20", "--to", "30"});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_EQ(lines_of(text.out).size(), 12u);
  const CliResult csv = trace({"--from", "20", "--to", "30", "--csv"});
  EXPECT_EQ(lines_of(csv.out).size(), 11u);
  const CliResult json = trace({"--from", "20", "--to", "30", "--json", "--block", block()});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const Json parsed = Json::parse(json.out);
  EXPECT_EQ(parsed["schema"], "convscope-trace");
  ASSERT_EQ(parsed["trace"].size(), 10u);
  EXPECT_EQ(parsed["trace"][0]["cycle"], 20);
  EXPECT_EQ(parsed["trace"][0]["units"].size(), parsed["units"].size());
  for (const Json& cycle : parsed["trace"])
    for (const Json& write : cycle["writes"]) EXPECT_EQ(write["block"], block());
}

/// What is before, changed by what is written, is what the table of states has.
TEST_P(TraceCommand, WritesLeadFromStateToState) {
  const Json json = Json::parse(trace({"--from", "50", "--to", "150", "--json", "--block", block()}).out);
  const auto table = lines_of(trace({"--from", "50", "--to", "150", "--csv", "--block", block()}).out);
  Json state;
  for (const Json& each : json["blocks"])
    if (each["name"] == block()) state = each["before"];
  ASSERT_EQ(table.size(), 101u);
  for (std::size_t i = 0; i < 100; ++i) {
    for (const Json& write : json["trace"][i]["writes"])
      for (std::size_t k = 0; k < write["values"].size(); ++k)
        state[write["first"].get<std::size_t>() + k] = write["values"][k];
    std::string expected = std::to_string(50 + i);
    for (const Json& value : state) expected += "," + (value.is_null() ? std::string() : value.dump());
    EXPECT_EQ(table[i + 1], expected);
  }
}

/// Values of each wire by its full name, at the end of each cycle that the dump tells.
std::map<std::string, std::vector<std::string>> waves(const std::string& vcd) {
  std::map<std::string, std::string> names, now;
  std::map<std::string, std::vector<std::string>> waves;
  bool begun = false;
  for (const std::string& line : lines_of(vcd)) {
    std::istringstream words(line);
    std::string first, kind, bits, id, name;
    words >> first;
    if (first == "$var" && words >> kind >> bits >> id >> name) names[id] = name;
    if (first[0] == '#' && begun)
      for (const auto& [each, value] : now) waves[names[each]].push_back(value);
    begun = begun || first[0] == '#';
    if (first[0] == 'b' && words >> id) {
      if (first.find('x') != std::string::npos) first = "bx";
      const auto one = first.find_first_not_of('0', 1);
      now[id] = one == std::string::npos ? "0" : first.substr(one);
    }
  }
  return waves;
}

TEST_P(TraceCommand, VcdHoldsWhatTheTableHolds) {
  const auto held = waves(trace({"--from", "50", "--to", "90", "--vcd", "--block", block()}).out);
  const auto table = lines_of(trace({"--from", "50", "--to", "90", "--csv", "--block", block()}).out);
  const auto wire = held.find(std::string(block()) + "_3");
  ASSERT_NE(wire, held.end());
  ASSERT_EQ(wire->second.size(), 40u);
  for (std::size_t i = 0; i < 40; ++i) {
    std::vector<std::string> cells;
    std::istringstream row(table[i + 1]);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (cells[4].empty()) {
      EXPECT_EQ(wire->second[i], "x");
      continue;
    }
    std::uint32_t bits = 0;
    for (const char bit : wire->second[i]) bits = bits << 1 | (bit == '1' ? 1U : 0U);
    EXPECT_EQ(std::to_string(static_cast<std::int32_t>(bits)), cells[4]) << "cycle " << 50 + i;
  }
}

TEST_P(TraceCommand, GtkwavesToolsReadTheDump) {
  if (std::system("vcd2fst -h > /dev/null 2>&1; test $? -ne 127") != 0)
    GTEST_SKIP() << "vcd2fst (package gtkwave) is not installed";
  const std::string vcd = trace({"--to", "200", "--vcd"}).out;
  const std::string file = folder_.write("run.vcd", vcd);
  const std::string again = folder_.path("again.vcd");
  const std::string command = "vcd2fst '" + file + "' '" + folder_.path("run.fst") + "' > /dev/null 2>&1 && fst2vcd '" +
                              folder_.path("run.fst") + "' > '" + again + "' 2>/dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const auto before = waves(vcd), after = waves(file_content(again));
  ASSERT_GT(before.size(), 10u);
  // The tool leaves out moments at which nothing changes, and names wires with their range: how each one ends counts.
  for (const auto& [name, values] : before) {
    const auto found = after.find(name);
    ASSERT_NE(found, after.end()) << name;
    EXPECT_EQ(found->second.back(), values.back()) << name;
  }
}

TEST_P(TraceCommand, RefusesWhatIsNotThere) {
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& message) {
    const CliResult result = trace(arguments);
    EXPECT_EQ(result.exit_code, 1) << message;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(message));
  };
  refused({"--from", "5", "--to", "5"}, "cycles 5 to 5");
  refused({"--to", "99999999999"}, "cycles 0 to 99999999999");
  refused({"--block", "no such block"}, block());
  refused({"--layer", "L1"}, "of its own");
  refused({"--program", "3"}, "of its own");
  const std::string content = file_content(program_);
  for (const std::string& damaged : {content.substr(0, content.size() / 3), content.substr(0, content.size() - 9)}) {
    const CliResult result = run_cli({"trace", folder_.write("damaged.json", damaged)});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("damaged.json"));
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, TraceCommand, testing::Values("nve", "snowflake"),
                         [](const auto& parameter) { return parameter.param; });

TEST(TraceOfALayer, NeedsOneMappedLayerOfATargetThatTraces) {
  const CliResult fine = run_cli({"trace", sample("filter_3x3"), "--layer", "L1", "--to", "5"});
  EXPECT_EQ(fine.exit_code, 0) << fine.err;
  EXPECT_EQ(lines_of(fine.out).size(), 7u);
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& message) {
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_THAT(result.err, HasSubstr(message));
  };
  refused({"trace", sample("speed_sign")}, "one layer");
  refused({"trace", sample("speed_sign"), "--layer", "L2", "--program", "99"}, "has no program 99");
  refused({"trace", sample("speed_sign"), "--layer", "L2", "--target", "cpu"}, "no");
  // The first of NMP's programs is a tiling, as estimated: what is traced is the first that runs.
  const CliResult other = run_cli({"trace", sample("filter_3x3"), "--layer", "L1", "--target", "nmp", "--to", "5"});
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_EQ(lines_of(other.out).size(), 7u);
  refused({"trace", sample("filter_3x3"), "--layer", "L1", "--target", "nmp", "--program", "0"}, "nothing that runs");
  refused({"trace", "no/such/file.json"}, "no/such/file.json");
  EXPECT_EQ(run_cli({"trace", sample("filter_3x3"), "--json", "--vcd"}).exit_code, 2);
}

/// A network that halves its one map of 8 x 8, into 16 maps: weights of its own, written as ONNX.
const char* const halves = R"(ir_version: 8
graph {
  name: "halves"
  node { input: "x" input: "w" output: "y" name: "half" op_type: "Conv" }
  initializer { name: "w" data_type: 1 dims: 16 dims: 1 dims: 1 dims: 1
    float_data: 0.5 float_data: 0.5 float_data: 0.5 float_data: 0.5 float_data: 0.5 float_data: 0.5 float_data: 0.5
    float_data: 0.5 float_data: 0.5 float_data: 0.5 float_data: 0.5 float_data: 0.5 float_data: 0.5 float_data: 0.5
    float_data: 0.5 float_data: 0.5 }
  input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 1 } dim { dim_value: 1 }
    dim { dim_value: 8 } dim { dim_value: 8 } } } } }
  output { name: "y" type { tensor_type { elem_type: 1 } } }
}
opset_import { domain: "" version: 13 }
)";

class TraceOfTrained : public testing::Test {
 protected:
  CliResult trace(std::vector<std::string> more) const {
    std::vector<std::string> arguments{"trace", network, "--target", "snowflake", "--layer", "half"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_cli(arguments);
  }
  /// Real numbers that the words of the first output map stand for at the end of the run.
  std::set<double> output(const std::vector<std::string>& more) const {
    const Json whole = Json::parse(trace({"--json", "--to", "1"}).out);
    Json map;
    for (const Json& block : whole["blocks"])
      if (map.is_null() && block["kind"] == "image" && block["output"]) map = block;
    const std::int64_t cycles = whole["cycles"];
    std::vector<std::string> last{"--csv", "--from", std::to_string(cycles - 1), "--block", map["name"]};
    last.insert(last.end(), more.begin(), more.end());
    const CliResult result = trace(last);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::istringstream row(lines_of(result.out).back());
    std::set<double> values;
    std::string cell;
    std::getline(row, cell, ',');  // the cycle
    while (std::getline(row, cell, ',')) values.insert(std::ldexp(std::stod(cell), -map["fraction"].get<int>()));
    return values;
  }

  const TemporaryFolder folder;
  const std::string network = folder.write("halves.onnxtxt", halves);
  const std::string white = folder.write("white.pgm", "P5 8 8 255\n" + std::string(64, '\xff'));
};

TEST_F(TraceOfTrained, RunsWithTheNetworksWeightsAndAnImage) {
  EXPECT_EQ(output({"--image", white}), std::set<double>{0.5});
  EXPECT_EQ(output({"--image", white, "--image-mean", "255"}), std::set<double>{0.0});
  EXPECT_EQ(output({"--image", white, "--image-scale", "1020"}), std::set<double>{0.125});
  EXPECT_GT(output({}).size(), 8u) << "a seeded image differs from pixel to pixel";
}

// The Neuro Vector Engine's pixels have no fraction: of an image of one value they are alike, of a seeded one they
// aren't.
TEST_F(TraceOfTrained, OfTheVectorEngineToo) {
  const auto pixels = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"trace", network, "--preset", "nve-wide", "--layer", "half"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto traced = [&](std::vector<std::string> last) {
      last.insert(last.begin(), arguments.begin(), arguments.end());
      return run_cli(last);
    };
    const Json whole = Json::parse(traced({"--json", "--to", "1"}).out);
    std::string map;
    for (const Json& block : whole["blocks"])
      if (map.empty() && block["kind"] == "image" && block["output"]) map = block["name"];
    const std::int64_t cycles = whole["cycles"];
    const CliResult result = traced({"--csv", "--from", std::to_string(cycles - 1), "--block", map});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::istringstream row(lines_of(result.out).back());
    std::set<std::string> values;
    std::string cell;
    std::getline(row, cell, ',');  // the cycle
    while (std::getline(row, cell, ',')) values.insert(cell);
    return values;
  };
  EXPECT_EQ(pixels({"--image", white}).size(), 1u);
  EXPECT_GT(pixels({"--image", "seed:3"}).size(), 8u);
}

TEST_F(TraceOfTrained, RefusesImagesThatMeanNothing) {
  const auto refused = [](const CliResult& result, const std::string& message) {
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr(message));
  };
  refused(trace({"--image", folder.path("none.png")}), "none.png");
  refused(trace({"--image", folder.write("text.png", "no image")}), "text.png");
  refused(run_cli({"trace", sample("lenet"), "--target", "snowflake", "--layer", "conv1", "--image", white}),
          "no weights");
}

}  // namespace
}  // namespace convscope::app
