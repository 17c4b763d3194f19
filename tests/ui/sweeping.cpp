#include "tests/ui/sweeping.h"

#include <gtest/gtest.h>

namespace convscope::ui::test {

std::string made_up_space(const std::string& inside, const std::string& levels) {
  return "<space name='made-up'><network file='" + sample("speed_sign").toStdString() +
         "'/>\n<machines target='made-up' levels='" + levels + "'>\n" + inside +
         "\n</machines>\n<objective name='cycles'/></space>";
}

std::string nve_space() {
  return "<space name='nve'><network file='" + sample("face_detection").toStdString() +
         "'/><machines target='nve' presets='nve-thesis' levels='fusion'>"
         "<parameter name='lanes' from='4' to='32'/><parameter name='bandwidth'>200 400 800</parameter>"
         "</machines></space>";
}

std::shared_ptr<const explore::Space> space_of(const Workbench& workbench, const std::string& xml) {
  Diagnostics diagnostics;
  const CachedSources sources(workbench.catalogue(), {}, std::make_shared<ReadSources>(), {});
  auto space = explore::read_space(xml, "space.xml", sources, diagnostics);
  EXPECT_TRUE(space.has_value()) << diagnostics.text();
  return space ? std::make_shared<const explore::Space>(std::move(*space)) : nullptr;
}

std::shared_ptr<const explore::SweepTable> sweep_and_wait(Workbench& workbench, const SweepPlan& plan) {
  workbench.exploration().start_sweep(plan);
  EXPECT_TRUE(wait_until([&] { return !workbench.exploration().sweeping(); }));
  return workbench.exploration().state()->sweep;
}

std::shared_ptr<const explore::SweepTable> made_up_table(std::size_t rows) {
  auto table = std::make_shared<explore::SweepTable>();
  table->title = "made-up";
  table->objectives = explore::default_objectives();
  table->reasons = {"", "layer 'L3': too many output maps"};
  table->size = table->seen = rows;
  table->state = "finished";
  using explore::ColumnKind;
  table->columns = {
      {"made-up.lanes", "Lanes", "", ColumnKind::machine, false, Origin::derived, {}, {}, 1, 64},
      {"level", "Level", "", ColumnKind::machine, false, Origin::derived, {"plain", "better"}, {}, 0, 1},
      {"seconds", "Time", "s", ColumnKind::objective, false, Origin::estimate, {}, {}, 1e-3, 2},
      {"on_chip_bits", "Memory on chip", "bit", ColumnKind::objective, false, Origin::derived, {}, {}, 1, 1e7}};
  for (std::size_t row = 0; row < rows; ++row) {
    const auto number = static_cast<double>((row * 7919) % 100'003);
    table->points.push_back(row);
    table->on_front.push_back(row % 1000 == 0 ? 1 : 0);
    table->comparable.push_back(row % 7 != 6 || row % 1000 == 0 ? 1 : 0);
    table->reason.push_back(table->comparable.back() != 0 ? 0 : 1);
    table->columns[0].values.push_back(static_cast<double>(1 + row % 64));
    table->columns[1].values.push_back(static_cast<double>(row % 2));
    table->columns[2].values.push_back(1e-3 + number * 1e-5);
    table->columns[3].values.push_back(1e7 - number * 50);
  }
  return table;
}

}  // namespace convscope::ui::test
