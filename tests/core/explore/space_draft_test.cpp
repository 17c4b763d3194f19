// Spaces while they are written: fields become text and text becomes fields.

#include "core/explore/space/space_draft.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/atomic_file.h"
#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "spaces.h"

namespace convscope::explore::test {
namespace {

using testing::HasSubstr;

SpaceDraft small_draft() {
  SpaceDraft draft;
  draft.name = "small";
  draft.networks = {{"3", "2", "", ""}};
  DraftMachines machines{"counting", {"counting"}, {}, {}, {}};
  machines.parameters.push_back({"lanes", DraftForm::list, "1 2 4", {}, {}, {}, false, {}});
  machines.parameters.push_back({"bandwidth", DraftForm::range, {}, "10", "100", "30", false, {}});
  machines.constraints.push_back({"bandwidth > lanes and lanes < 8", "too \"lean\" & thin"});
  draft.machines = {machines};
  draft.objectives = {{"cycles", ""}, {"utilization", "most"}};
  return draft;
}

TEST(SpaceDraft, BecomesTextAndIsReadBack) {
  Diagnostics diagnostics;
  const auto read = read_draft(write_draft(small_draft()).xml, "space.xml", diagnostics);
  ASSERT_TRUE(read) << diagnostics.text();
  EXPECT_EQ(*read, small_draft());
}

TEST(SpaceDraft, SaysWhatItsFieldsSay) {
  const MadeUpSources sources;
  const auto space = space_of(write_draft(small_draft()).xml, sources);
  ASSERT_TRUE(space);
  EXPECT_EQ(space->size(), 12U);
  EXPECT_EQ(space->networks.front().weight, 2);
  EXPECT_EQ(space->families.front().rules.front().reason, "too \"lean\" & thin");
}

TEST(SpaceDraft, KeepsEachSampleAsItIs) {
  for (const auto& file : std::filesystem::directory_iterator(sample_path("spaces"))) {
    Diagnostics diagnostics;
    const std::string path = file.path().string();
    const auto space = read_space_file(path, catalogue::standard(), diagnostics);
    const auto draft = read_draft(*read_file(path, diagnostics), path, diagnostics);
    ASSERT_TRUE(space && draft) << diagnostics.text();
    const auto sources = file_sources(file.path().parent_path().string(), catalogue::standard());
    const auto again = space_of(write_draft(*draft).xml, *sources);
    ASSERT_TRUE(again);
    ASSERT_EQ(again->size(), space->size());
    for (std::uint64_t i = 0; i < space->size(); i += 17) {
      EXPECT_EQ(again->point(i).machine, space->point(i).machine);
      EXPECT_EQ(again->point(i).removed, space->point(i).removed);
    }
  }
}

TEST(SpaceDraft, KnowsWhichFieldALineCameFrom) {
  SpaceDraft draft = small_draft();
  draft.machines[0].parameters[1].from = "200";
  const DraftText text = write_draft(draft);
  Diagnostics diagnostics;
  EXPECT_FALSE(read_space(text.xml, "space.xml", MadeUpSources(), diagnostics));
  ASSERT_FALSE(diagnostics.empty());
  const auto line = static_cast<std::size_t>(diagnostics.items().front().where.line);
  EXPECT_EQ(text.lines.at(line - 1), (DraftPlace{DraftPlace::Part::parameter, 1, 0}));
  EXPECT_THAT(diagnostics.text(), HasSubstr("is empty"));
}

TEST(SpaceDraft, StaysOnItsLineWhateverIsTyped) {
  SpaceDraft draft = small_draft();
  draft.name = "a\nb <&\" c";
  draft.machines[0].constraints[0].expression = "lanes\n<\n8";
  const DraftText text = write_draft(draft);
  EXPECT_EQ(static_cast<std::size_t>(std::count(text.xml.begin(), text.xml.end(), '\n')), text.lines.size());
  const MadeUpSources sources;
  EXPECT_EQ(space_of(text.xml, sources)->name, "a b <&\" c");
}

TEST(SpaceDraft, IsSeenFromOtherFolders) {
  SpaceDraft draft = small_draft();
  draft.networks = {{"../networks/a.xml", {}, {}, {}}, {"/else/b.onnx", {}, {}, {}}};
  draft.machines[0].presets = {"named", "own/preset.xml"};
  const SpaceDraft absolute = moved(draft, "/data/spaces", {});
  EXPECT_EQ(absolute.networks[0].file, "/data/networks/a.xml");
  EXPECT_EQ(absolute.machines[0].presets[0], "named");
  EXPECT_EQ(absolute.machines[0].presets[1], "/data/spaces/own/preset.xml");
  EXPECT_EQ(moved(absolute, {}, "/data/spaces").networks[0].file, draft.networks[0].file);
}

TEST(SpaceDraft, RefusesWhatItHasNoFieldFor) {
  for (const char* text : {"<preset/>", "<space name='a'><network file='3' speed='2'/></space>",
                           "<space name='a'><machines target='counting'><wheel/></machines></space>", "no space"}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(read_draft(text, "space.xml", diagnostics)) << text;
    EXPECT_TRUE(diagnostics.has_errors());
  }
}

}  // namespace
}  // namespace convscope::explore::test
