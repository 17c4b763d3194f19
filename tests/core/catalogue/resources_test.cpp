#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/catalogue/standard.h"

namespace convscope::catalogue {
namespace {

double resource(const target::Target& target, const arch::ParameterValues& machine, const std::string& key) {
  for (const artifact::NamedQuantity& item : target.resources(machine))
    if (item.key == key) return item.quantity.value;
  ADD_FAILURE() << target.id() << " says nothing of " << key;
  return 0;
}

arch::ParameterValues machine_with(const target::Target& target, const std::string& name, const std::string& value) {
  arch::ParameterValues machine(target.machine());
  Diagnostics diagnostics;
  EXPECT_TRUE(machine.set(name, value, diagnostics)) << diagnostics.text();
  return machine;
}

TEST(Resources, OfTheThesissMachine) {
  const auto nve = standard()->find_target("nve");
  const arch::ParameterValues machine(nve->machine());
  EXPECT_EQ(resource(*nve, machine, "mac_units"), 16);
  EXPECT_EQ(resource(*nve, machine, "instruction_bits"), 512 * 53);
  EXPECT_EQ(resource(*nve, machine, "on_chip_bits"), 512 * 64 + 512 * 53);
  EXPECT_EQ(resource(*nve, machine, "memory_ports"), 3);
  EXPECT_EQ(resource(*nve, machine, "port_bits"), 128);
  const auto four = machine_with(*nve, "cores", "4");
  for (const auto& item : nve->resources(four))
    EXPECT_EQ(item.quantity.value, 4 * resource(*nve, machine, item.key)) << item.key;
  EXPECT_EQ(resource(*nve, machine_with(*nve, "memory", "two-banks"), "memory_ports"), 5);
}

TEST(Resources, OfThePapersMachine) {
  const auto nmp = standard()->find_target("nmp");
  const arch::ParameterValues machine(nmp->machine());
  EXPECT_EQ(resource(*nmp, machine, "mac_units"), 4 * 8 * 8);
  EXPECT_EQ(resource(*nmp, machine_with(*nmp, "element", "8"), "mac_units"), 4 * 8 * 16);
  EXPECT_EQ(resource(*nmp, machine, "on_chip_bits"), 4 * 8 * 3 * 8192 * 8);
  // Double buffering halves what a tile may take, not the memory.
  EXPECT_EQ(resource(*nmp, machine_with(*nmp, "double_buffering", "on"), "on_chip_bits"), 4 * 8 * 3 * 8192 * 8);
  EXPECT_EQ(resource(*nmp, machine, "memory_ports"), 96);
  const auto sharing = machine_with(*nmp, "shared_buffer", "1024");
  EXPECT_EQ(resource(*nmp, sharing, "on_chip_bits"), (4 * 8 * 3 * 8192 + 1024) * 8);
  EXPECT_EQ(resource(*nmp, sharing, "memory_ports"), 97);
}

}  // namespace
}  // namespace convscope::catalogue
