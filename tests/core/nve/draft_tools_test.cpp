// Loops scheduled by hand: what breaks no rule becomes a program that computes the layer.

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "core/nve/simulation_options.h"
#include "core/schedule/draft/draft_rules.h"
#include "core/schedule/draft/help.h"
#include "core/target/drafts.h"
#include "tests/core/nve/layers.h"

namespace convscope::nve::test {
namespace {

// The 3x3 filter on a small frame.
std::shared_ptr<const target::CompiledLayer> filter(const Switches& switches) {
  return compile(make_layer(3, 3, 1, {20, 9}, {{0}}, 1), switches);
}

target::FinishedDraft finished(const target::DraftTools& tools, const schedule::Draft& draft,
                               Diagnostics& diagnostics) {
  const NveSimulationTools simulation;
  return tools.finish(draft, target::OptionValues(simulation.options()), {}, diagnostics);
}

double figure_of(const target::FinishedDraft& made, const std::string& key) {
  for (const artifact::NamedQuantity& figure : made.figures)
    if (figure.key == key) return figure.quantity.value;
  ADD_FAILURE() << "no figure " << key;
  return 0;
}

TEST(DraftTools, TheCompilersOwnScheduleBecomesItsOwnProgram) {
  const network::Layer layers[] = {make_layer(3, 3, 1, {20, 9}, {{0}}, 1), make_layer(6, 6, 2, {20, 9}, {{0}, {0}}, 1),
                                   make_layer(1, 1, 1, {20, 9}, {{0, 1, 2}}, 3),
                                   make_layer(5, 5, 2, {20, 9}, {{0, 1}, {1, 2}}, 3)};
  for (const network::Layer& layer : layers)
    for (const Switches& switches : {none, packing, modulo, fusion, thesis_layout, optimal}) {
      const auto compiled = compile(layer, switches);
      ASSERT_TRUE(compiled->mapped()) << compiled->reason();
      for (int p = 0; p < compiled->program_count(); ++p) {
        const auto tools = target::draft_tools(*compiled, p);
        ASSERT_TRUE(tools);
        EXPECT_TRUE(violations(tools->automatic()).empty());
        Diagnostics diagnostics;
        const target::FinishedDraft made = finished(*tools, tools->automatic(), diagnostics);
        ASSERT_TRUE(made.verified) << diagnostics.text();
        EXPECT_EQ(made.program, compiled->program_file(p));
        EXPECT_TRUE(made.simulation.matches);
      }
    }
}

TEST(DraftTools, FromNothingToTheFiltersIntervalOfTen) {
  const auto tools = target::draft_tools(*filter(modulo), 0);
  ASSERT_TRUE(tools);
  EXPECT_EQ(tools->problem()->bound(), 10);
  schedule::Budget budget(schedule::help_steps);
  const schedule::Help help = place_rest(schedule::empty_draft(tools->problem(), 10), budget);
  ASSERT_TRUE(help.draft) << help.text;
  Diagnostics diagnostics;
  const target::FinishedDraft made = finished(*tools, *help.draft, diagnostics);
  ASSERT_TRUE(made.verified) << diagnostics.text();
  EXPECT_TRUE(made.simulation.ran);
  EXPECT_TRUE(made.simulation.matches);
  EXPECT_EQ(figure_of(made, "initiation_interval"), 10);
  const schedule::Help less = next_better(*help.draft, budget);
  EXPECT_EQ(less.kind, schedule::Help::Kind::impossible);
  EXPECT_NE(less.text.find("no schedule has an interval below 10"), std::string::npos) << less.text;
}

TEST(DraftTools, AnySlackMayBeUsed) {
  const auto tools = target::draft_tools(*filter(fusion), 0);
  schedule::Draft draft = tools->automatic();
  for (std::int64_t row = 0; row < 4; ++row) draft = *with_row_inserted(draft, 3 * row).draft;
  schedule::Budget budget(schedule::help_steps);
  const schedule::Help help = next_better(draft, budget);
  const schedule::Draft& taken = violations(draft).empty() ? draft : *help.draft;
  Diagnostics diagnostics;
  const target::FinishedDraft made = finished(*tools, taken, diagnostics);
  ASSERT_TRUE(made.verified) << diagnostics.text();
  EXPECT_TRUE(made.simulation.matches);
}

TEST(DraftTools, RefusesWhatIsNoSchedule) {
  const auto tools = target::draft_tools(*filter(modulo), 0);
  const schedule::Draft automatic = tools->automatic();
  const auto refusal = [&](const schedule::Draft& draft) {
    Diagnostics diagnostics;
    const target::FinishedDraft made = finished(*tools, draft, diagnostics);
    EXPECT_FALSE(made.verified);
    EXPECT_TRUE(made.program.empty());
    return diagnostics.text();
  };
  EXPECT_NE(refusal(schedule::empty_draft(tools->problem(), 10)).find("have no cycle yet"), std::string::npos);
  EXPECT_NE(refusal(*with_interval(automatic, 9).draft).find("is used"), std::string::npos);
  schedule::Draft far = automatic;
  const int last = tools->problem()->operations() - 1;
  far = *moved(far, with_tied(*far.problem, {last}), 900'000 / far.interval() * far.interval()).draft;
  EXPECT_FALSE(refusal(far).empty());
  schedule::Draft wide = *with_interval(automatic, schedule::longest_interval).draft;
  EXPECT_FALSE(refusal(wide).empty());
  const auto other = target::draft_tools(*compile(make_layer(5, 5, 1, {20, 9}, {{0}}, 1), modulo), 0);
  EXPECT_NE(refusal(other->automatic()).find("another problem"), std::string::npos);
}

TEST(DraftTools, ThereAreNoneOfWhatIsNotThere) {
  const auto layer = filter(modulo);
  EXPECT_FALSE(target::draft_tools(*layer, 1));
  EXPECT_FALSE(target::draft_tools(*layer, -1));
}

TEST(DraftTools, NamesOfOperationsAreUniqueAndFiguresFollow) {
  const auto tools = target::draft_tools(*compile(make_layer(3, 3, 1, {20, 9}, {{0}, {0}}, 1), fusion), 0);
  std::set<std::string> names;
  for (const schedule::Operation& each : tools->problem()->problem().operations)
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
  EXPECT_EQ(tools->operations().size(), names.size());
  const auto figures = tools->steady_figures(schedule::empty_draft(tools->problem(), 18));
  ASSERT_EQ(figures.size(), 1u);
  EXPECT_EQ(figures[0].quantity.value, 16.0);
}

}  // namespace
}  // namespace convscope::nve::test
