#include "core/arch/machine_table.h"

#include <gtest/gtest.h>

#include "tests/core/arch/round_trip.h"

namespace convscope::arch {
namespace {

enum class Heat { grill, bake };

struct Slot {
  int slices = 1;
  bool operator==(const Slot&) const = default;
};

struct Body {
  int lanes = 16;
  bool operator==(const Body&) const = default;
};

struct Toaster : Body {
  double clock_hz = 1.1 * 1e6;
  Heat heat = Heat::bake;
  bool timer = true;
  int tray = 8;  ///< of a slot
  Slot slot;
  bool operator==(const Toaster&) const = default;
};

/// `tray` is entered for both slots with a timer.
MachineTable<Toaster>::Row tray() {
  return {[](Toaster& toaster, double value) { toaster.tray = static_cast<int>(value) / (toaster.timer ? 2 : 1); },
          [](const Toaster& toaster) { return toaster.tray * (toaster.timer ? 2 : 1); }};
}

MachineTable<Toaster> make_table() {
  MachineTable<Toaster> table("toaster", "Toaster");
  table.group("Datapath")
      .power_of_two({"lanes", "Vector lanes", "", "How many."}, &Toaster::lanes, {4, 64})
      .power_of_two({"tray", "Tray", "mm", "Of both."}, tray(), {4, 64})
      .integer({"slices", "Slices", "", "Of a slot."}, [](Toaster& toaster) -> int& { return toaster.slot.slices; },
               {1, 9, 2});
  table.group("System")
      .real({"clock", "Clock", "MHz", "How fast."}, {&Toaster::clock_hz, 1e6}, {0.1, 200, 0.1})
      .choice({"heat", "Heat", "", "Which."}, &Toaster::heat, {{"bake", Heat::bake}, {"grill", Heat::grill}})
      .choice({"timer", "Timer", "", "Whether."}, &Toaster::timer, {{"off", false}, {"on", true}})
      .constraint({{"lanes"}, "enough lanes", [](const ParameterValues& v) { return v.get("lanes") > 4; }});
  return table;
}

const MachineTable<Toaster>& table() {
  static const MachineTable<Toaster> made = make_table();
  return made;
}

TEST(MachineTable, DescribesItsRowsInOrder) {
  const MachineDescription& description = *table().description();
  EXPECT_EQ(description.target, "toaster");
  EXPECT_EQ(description.title, "Toaster");
  ASSERT_EQ(description.parameters.size(), 6u);
  const ParameterDescription& slices = description.parameters[2];
  EXPECT_EQ(slices.name, "slices");
  EXPECT_EQ(slices.label, "Slices");
  EXPECT_EQ(slices.group, "Datapath");
  EXPECT_EQ(slices.help, "Of a slot.");
  EXPECT_EQ(slices.step, 2);
  EXPECT_TRUE(description.parameters[0].powers_of_two);
  const ParameterDescription& clock = description.parameters[3];
  EXPECT_EQ(clock.kind, ParameterKind::real);
  EXPECT_EQ(clock.unit, "MHz");
  EXPECT_EQ(clock.group, "System");
  EXPECT_EQ(description.parameters[4].choices, (std::vector<std::string>{"bake", "grill"}));
  EXPECT_EQ(description.constraints.size(), 1u);
}

TEST(MachineTable, TakesDefaultsFromTheMachine) {
  const ParameterValues values(table().description());
  EXPECT_EQ(values.get("lanes"), 16);
  EXPECT_EQ(values.get("tray"), 16) << "8 for each of two";
  EXPECT_EQ(values.get("clock"), 1.1);
  EXPECT_EQ(values.get_choice("heat"), "bake");
  EXPECT_EQ(values.get_choice("timer"), "on");
}

TEST(MachineTable, MakesAMachine) {
  ParameterValues values(table().description());
  Diagnostics diagnostics;
  for (const auto& [name, text] : {std::pair("lanes", "32"),
                                   {"tray", "4"},
                                   {"slices", "7"},
                                   {"clock", "66.6"},
                                   {"heat", "grill"},
                                   {"timer", "off"}})
    EXPECT_TRUE(values.set(name, text, diagnostics)) << diagnostics.text();
  const Toaster toaster = table().machine(values);
  EXPECT_EQ(toaster.lanes, 32);
  EXPECT_EQ(toaster.tray, 4) << "the timer, which comes later, is off";
  EXPECT_EQ(toaster.slot.slices, 7);
  EXPECT_EQ(toaster.clock_hz, 66.6 * 1e6);
  EXPECT_EQ(toaster.heat, Heat::grill);
  EXPECT_FALSE(toaster.timer);
}

TEST(MachineTable, GoesThereAndBack) {
  expect_round_trips<Toaster>(
      table().description(), [](const ParameterValues& values) { return table().machine(values); },
      [](const Toaster& toaster) { return table().values(toaster); },
      [](const std::string&, const Toaster&) { return true; });
}

TEST(Unscaled, IsWhatWasScaled) {
  for (const double value : {14.0, 17.066, 0.1, 66.6, 1e-3, 0.0, 12345.6})
    for (const double scale : {1e9, 1e6, 1e-9, 1.0}) EXPECT_EQ(unscaled(value * scale, scale), value) << scale;
}

}  // namespace
}  // namespace convscope::arch
