// The machine's parameters, and the preset that states them.
#include "core/snowflake/architecture/machine.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/arch/preset.h"
#include "core/base/atomic_file.h"
#include "core/base/resources.h"
#include "tests/core/arch/round_trip.h"

namespace convscope::snowflake {
namespace {

TEST(SnowflakeMachine, DefaultsAreAllowedAndReachThePaper) {
  const arch::ParameterValues values(machine_description());
  Diagnostics diagnostics;
  EXPECT_TRUE(values.check(diagnostics)) << diagnostics.text();
  EXPECT_EQ(machine_from(values), Machine{});
  EXPECT_DOUBLE_EQ(Machine{}.peak(), 64e9) << "256 MACs at 250 MHz";
}

TEST(SnowflakeMachine, GoesToValuesAndBack) {
  arch::expect_round_trips<Machine>(machine_description(), machine_from, parameter_values,
                                    [](const std::string&, const Machine&) { return true; });
}

TEST(SnowflakeMachine, EachParameterChangesTheMachine) {
  const arch::ParameterValues values(machine_description());
  for (std::size_t i = 0; i < values.description().parameters.size(); ++i) {
    const auto& parameter = values.description().parameters[i];
    EXPECT_FALSE(parameter.help.empty() || parameter.label.empty() || parameter.group.empty()) << parameter.name;
    const double last =
        parameter.kind == arch::ParameterKind::choice ? double(parameter.choices.size()) - 1 : parameter.maximum;
    for (const double value : {parameter.minimum, last}) {
      EXPECT_FALSE(arch::range_violation(parameter, value)) << parameter.name;
      arch::ParameterValues changed = values;
      changed.set_at(i, value);
      EXPECT_EQ(machine_from(changed) == Machine{}, value == parameter.initial) << parameter.name << ' ' << value;
    }
  }
}

TEST(SnowflakeMachine, BanksStartOnRegions) {
  for (const auto& [name, region] : {std::pair{"maps_bank", maps_region_words},
                                     {"kernel_bank", kernel_region_words},
                                     {"bias", kernel_region_words}}) {
    const auto& parameter = machine_description()->parameters[*machine_description()->find(name)];
    EXPECT_EQ(static_cast<int>(parameter.minimum) % region, 0) << name;
    EXPECT_EQ(static_cast<int>(parameter.step), region) << name;
  }
}

TEST(SnowflakeMachine, RefusesAFifoThatHoldsNoResult) {
  arch::ParameterValues values(machine_description());
  Diagnostics diagnostics;
  ASSERT_TRUE(values.set("store_fifo", "448", diagnostics)) << diagnostics.text();
  EXPECT_FALSE(values.check(diagnostics));
  EXPECT_THAT(diagnostics.text(), testing::HasSubstr("store_fifo must hold"));
}

TEST(SnowflakeMachine, PresetNamesAllDefaults) {
  Diagnostics diagnostics;
  const std::string path = resource_path("presets/snowflake-zc706.xml");
  const auto text = read_file(path, diagnostics);
  ASSERT_TRUE(text) << diagnostics.text();
  const auto preset = arch::read_preset(*text, path, machine_description(), diagnostics);
  ASSERT_TRUE(preset) << diagnostics.text();
  EXPECT_EQ(machine_from(preset->values), Machine{});
  EXPECT_EQ(preset->name, "snowflake-zc706");
  for (const auto& parameter : preset->values.description().parameters)
    EXPECT_NE(text->find('"' + parameter.name + '"'), std::string::npos) << "not in the preset: " << parameter.name;
}

TEST(SnowflakeMachine, EveryParameterIsDocumentedForOtherSimulators) {
  Diagnostics diagnostics;
  std::string pages;
  for (const char* page : {"encoding", "simulation"})
    pages += read_file(std::string(CONVSCOPE_SOURCE_DIR) + "/docs/snowflake-" + page + ".md", diagnostics).value_or("");
  for (const auto& parameter : machine_description()->parameters)
    EXPECT_NE(pages.find('`' + parameter.name + '`'), std::string::npos) << parameter.name;
}

}  // namespace
}  // namespace convscope::snowflake
