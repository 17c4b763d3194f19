#include "core/cpu/architecture/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/arch/preset.h"
#include "core/base/atomic_file.h"
#include "core/base/resources.h"

namespace convscope::cpu {
namespace {

Machine preset(const std::string& name) {
  Diagnostics diagnostics;
  const std::string path = resource_path("presets/" + name + ".xml");
  const auto text = read_file(path, diagnostics);
  const auto read = arch::read_preset(text.value_or(""), path, machine_description(), diagnostics);
  EXPECT_TRUE(read && diagnostics.empty()) << diagnostics.text();
  return read ? machine_from(read->values) : Machine{};
}

arch::ParameterValues with(const std::string& name, const std::string& value) {
  arch::ParameterValues values(machine_description());
  Diagnostics diagnostics;
  EXPECT_TRUE(values.set(name, value, diagnostics)) << diagnostics.text();
  return values;
}

TEST(CpuMachine, ThePresetThatStandsFirstIsTheDefault) {
  EXPECT_EQ(preset("cpu-avx2"), Machine{});
}

TEST(CpuMachine, PresetsHaveThePeaksOfTheirCores) {
  EXPECT_DOUBLE_EQ(preset("cpu-avx2").peak(), 96e9);
  EXPECT_DOUBLE_EQ(preset("cpu-cortex-a15").peak(), 16e9);
  EXPECT_DOUBLE_EQ(preset("cpu-cortex-a57").peak(), 8 * 1.91e9);
  EXPECT_DOUBLE_EQ(preset("cpu-cortex-a76").peak(), 38.4e9);
  EXPECT_DOUBLE_EQ(preset("cpu-sandy-bridge").peak(), 54.4e9);
}

TEST(CpuMachine, WiderVectorsTakeAUnitSeveralTimes) {
  CpuMachine machine;
  machine.unit_bits = 256;
  machine.fmas = 2;
  machine.loads = 2;
  EXPECT_EQ(machine.vector_fmas(8), 2);
  EXPECT_EQ(machine.vector_fmas(16), 1);
  EXPECT_EQ(machine.vector_fmas(4), 2) << "narrower ones gain nothing";
  EXPECT_EQ(machine.vector_loads(16), 1);
}

TEST(CpuMachine, ValuesGoThereAndBack) {
  for (const char* name : {"cpu-avx2", "cpu-cortex-a15", "cpu-cortex-a57", "cpu-cortex-a76", "cpu-sandy-bridge"})
    EXPECT_EQ(machine_from(parameter_values(preset(name))), preset(name)) << name;
}

TEST(CpuMachine, CachesMustGrowAndThreadsHaveCores) {
  Diagnostics fine;
  EXPECT_TRUE(arch::ParameterValues(machine_description()).check(fine));
  EXPECT_TRUE(with("l3", "0").check(fine)) << fine.text();
  for (const auto& [name, value] : {std::pair{"l2", "16"}, {"l3", "256"}, {"threads", "5"}}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(with(name, value).check(diagnostics)) << name;
    EXPECT_THAT(diagnostics.text(), testing::HasSubstr("must b")) << name;
  }
}

}  // namespace
}  // namespace convscope::cpu
