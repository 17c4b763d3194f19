// What users get of a layer's program: a file that verifies and runs, figures of its run; or why there is none.

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "core/nmp/architecture/machine.h"
#include "core/target/programs.h"
#include "networks.h"
#include "random_problems.h"

namespace convscope::nmp {
namespace {

using testing::HasSubstr;

struct SmallLayer {
  std::shared_ptr<const target::Target> target = catalogue::standard()->find_target("nmp");
  target::OptionValues options{target->simulation_tools()->options()};
  Diagnostics diagnostics;

  std::shared_ptr<const target::CompiledLayer> compile(const std::vector<std::pair<const char*, const char*>>& set) {
    arch::ParameterValues machine(target->machine());
    for (const auto& [name, value] : set) EXPECT_TRUE(machine.set(name, value, diagnostics)) << diagnostics.text();
    network::Network network;
    network.layers = {convolution(7, {11, 9}, 20, {3, 3}, 1, true)};
    network.layers[0].name = "L";
    target::NoCache cache;
    return target->compile({&network, 0, &machine, "burst"}, cache, {});
  }
};

TEST(LayerPrograms, RunInTheTimeOfTheEstimateButForInstructions) {
  SmallLayer small;
  const auto layer = small.compile({});
  const auto run = layer->simulate(small.options, {}, small.diagnostics);
  ASSERT_TRUE(run && run->ran && run->matches) << small.diagnostics.text();
  ASSERT_EQ(run->figures.size(), 3U);
  EXPECT_EQ(run->figures[0].key, "cycles");
  EXPECT_EQ(run->figures[0].quantity.origin, Origin::simulated);
  const double software = run->counted[1].quantity.value;
  EXPECT_GT(software, 0);
  EXPECT_NEAR(run->figures[0].quantity.value - software, layer->metrics().cycles.value, 2);
  EXPECT_EQ(run->counted[3].quantity.value, static_cast<double>(layer->metrics().macs));
  EXPECT_EQ(run->counted[4].quantity.value, 20 * 11 * 9);
}

TEST(LayerPrograms, FilesVerifyAndRun) {
  SmallLayer small;
  const std::string file = small.compile({{"tle_timing", "free-running"}})->program_file(1);
  const target::ProgramTools& tools = *small.target->program_tools();
  EXPECT_TRUE(tools.recognizes(file));
  EXPECT_TRUE(tools.verify(file, "L.json", small.diagnostics)) << small.diagnostics.text();
  const auto run = tools.simulate(file, "L.json", small.options, {}, small.diagnostics);
  EXPECT_TRUE(run.ran && run.matches) << small.diagnostics.text();
  EXPECT_FALSE(tools.recognizes("{}"));
  EXPECT_FALSE(tools.simulate("{}", "L.json", small.options, {}, small.diagnostics).ran);
}

TEST(LayerPrograms, ListingReadsBack) {
  SmallLayer small;
  const auto layer = small.compile({});
  ASSERT_EQ(layer->program_count(), 2);
  const auto listing = layer->listing(1);
  ASSERT_TRUE(listing);
  EXPECT_EQ(layer->listing(0), nullptr);
  // By these names runs are compared: whatever the tiling, a program stays the same one.
  EXPECT_EQ(layer->program_name(0), small.compile({{"tlts", "2"}})->program_name(0));
  EXPECT_EQ(small.target->program_tools()->assemble(listing->assembly, "L.s", small.diagnostics),
            layer->program_file(1));
  std::map<std::string, int> lines;
  for (const artifact::ListingLine& line : listing->lines) ++lines[line.fields[1].text];
  for (const char* purpose : {"set-up", "loops", "IN", "W", "MACs", "OUT", "end"})
    EXPECT_GT(lines[purpose], 1) << purpose;
  const auto map = layer->memory_map(1);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->memories[2].used, static_cast<std::int64_t>(listing->lines.size()) * 4);
}

/// Of the DRAM's row, cycles by what it does; and the end of the last cell of all rows.
std::map<std::string, double> cycles_of_the_dram(const artifact::Timeline& timeline) {
  std::map<std::string, double> cycles;
  for (const artifact::TimelineCell& cell : timeline.sections()[0].cells) {
    EXPECT_LE(cell.begin + cell.length, timeline.length());
    if (cell.resource == 0) cycles[cell.label] += static_cast<double>(cell.length);
  }
  return cycles;
}

TEST(LayerPrograms, TimelineIsThatOfTheRun) {
  for (const char* timing : {"lockstep", "free-running"}) {
    SmallLayer small;
    const auto layer = small.compile({{"tle_timing", timing}, {"command_cost", "200"}});
    const auto run = layer->simulate(small.options, {}, small.diagnostics);
    ASSERT_TRUE(run && run->ran);
    const auto timeline = layer->timeline(1);
    ASSERT_TRUE(timeline);
    EXPECT_NEAR(static_cast<double>(timeline->length()), run->figures[0].quantity.value, 1);
    auto dram = cycles_of_the_dram(*timeline);
    EXPECT_NEAR(dram["IN"] + dram["W"] + dram["OUT"], 1e9 * layer->metrics().find("seconds_dram")->value, 100);
    EXPECT_EQ(dram["commands"] > 0, std::string(timing) == "lockstep");
  }
}

// As estimated and as run: the time that the estimate charges.
TEST(LayerPrograms, TimelinesShowTheRing) {
  for (const char* timing : {"lockstep", "free-running"}) {
    SmallLayer small;
    const auto layer = small.compile({{"ring", "on"}, {"tle_timing", timing}, {"ring_latency", "100"}});
    const double expected = 1e9 * layer->metrics().find("seconds_ring")->value;
    EXPECT_GT(expected, 0);
    for (const int program : {0, 1}) {
      const auto timeline = layer->timeline(program);
      ASSERT_TRUE(timeline);
      ASSERT_EQ(timeline->resources().back(), "ring");
      const auto ring = static_cast<int>(timeline->resources().size()) - 1;
      double cycles = 0, cells = 0;
      for (const artifact::TimelineSection& section : timeline->sections())
        for (const artifact::TimelineCell& cell : section.cells)
          if (cell.resource == ring) {
            cycles += static_cast<double>(cell.length * section.repeats);
            cells += static_cast<double>(section.repeats);
          }
      EXPECT_NEAR(cycles, expected, 1 + cells) << timing << " " << program;
    }
  }
  SmallLayer small;
  EXPECT_EQ(small.compile({})->timeline(1)->resources().back(), "TLE 3");
  EXPECT_EQ(small.compile({})->metrics().find("seconds_ring"), nullptr);
}

TEST(LayerPrograms, SayWhyThereIsNone) {
  for (const auto& [parameter, value] : std::vector<std::pair<const char*, const char*>>{
           {"shared_buffer", "4096"}, {"memory_sharing", "joint"}, {"array", "lanes"}, {"tlts", "33"}}) {
    SmallLayer small;
    const auto layer = small.compile({{parameter, value}});
    ASSERT_TRUE(layer->mapped()) << parameter;
    EXPECT_EQ(layer->program_count(), 1) << parameter;
    EXPECT_EQ(layer->program_file(1), "") << parameter;
    const auto run = layer->simulate(small.options, {}, small.diagnostics);
    ASSERT_TRUE(run) << parameter;
    EXPECT_FALSE(run->ran) << parameter;
    EXPECT_TRUE(run->figures.empty()) << parameter;
    EXPECT_THAT(small.diagnostics.text(), HasSubstr("it has no program: ")) << parameter;
  }
}

}  // namespace
}  // namespace convscope::nmp
