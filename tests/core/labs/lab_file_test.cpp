#include "core/labs/lab_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convscope::labs {
namespace {

using testing::HasSubstr;

const std::string start = R"(<lab name="a" title="A lab" network="n.xml"><machine target="nve"/>)";
const std::string task = R"(<task name="t" title="T"><require>verified</require></task>)";

std::optional<Lab> read(const std::string& xml, Diagnostics& diagnostics) {
  return read_lab(xml, "lab.xml", diagnostics);
}

TEST(LabFile, HoldsWhatALabIs) {
  Diagnostics diagnostics;
  const auto lab = read(R"(<lab name="ports" title="Ports
      and conflicts" network="n.xml" minutes="20">
  <machine target="nve" preset="nve-thesis" level="modulo"><parameter name="lanes" value="8"/></machine>
  <allow level="none modulo"/><allow parameter="lanes" from="4" to="32"/>
  <budget steps="1000" mebibytes="512"/>
  <question name="q" unit="cycles"><text>How many?</text></question>
  <question name="c"><text>Which?</text><choice name="x">This</choice><choice name="y">That</choice></question>
  <program name="p" layer="L1" program="2"><text>Yours</text></program>
  <tiling name="m" layer="L1"/>
  <task name="t" title="Do it" points="2.5"><text>Now &amp; here.</text><hint>Look</hint>
    <require otherwise="no">near(answer('q'), start.cycles('L1'), 0.5) and program.matches('p')</require></task>
</lab>)",
                        diagnostics);
  ASSERT_TRUE(lab) << diagnostics.text();
  EXPECT_EQ(lab->title, "Ports and conflicts");
  EXPECT_EQ(lab->machine.parameters.front().value, "8");
  EXPECT_EQ(lab->allowances[1].to, 32);
  EXPECT_EQ(lab->budget.steps, 1000);
  EXPECT_EQ(lab->questions[1].choices.size(), 2u);
  EXPECT_EQ(lab->programs.front().program, 2);
  EXPECT_EQ(lab->tasks.front().text, "Now & here.");
  EXPECT_EQ(lab->points(), 2.5);
  EXPECT_THAT(lab->tasks.front().requirements.front().expression.names(),
              testing::ElementsAre("answer('q')", "start.cycles('L1')", "program.matches('p')"));
  const auto again = read(write_lab(*lab), diagnostics);
  EXPECT_TRUE(again && *again == *lab);
}

TEST(LabFile, TellsEveryMistakeWithItsLine) {
  struct Case {
    std::string xml, message;
  };
  const std::vector<Case> cases{
      {"<space/>", "this is no lab"},
      {start + "</lab>", "no task"},
      {"<lab name=\"a\" title=\"A\" network=\"n\">" + task + "</lab>", "no machine"},
      {"<lab name=\"a/../b\" title=\"A\" network=\"n\"><machine target=\"nve\"/>" + task + "</lab>", "is no name"},
      {start + task + task + "</lab>", "given twice"},
      {start + task + "<nonsense/></lab>", "unknown element"},
      {start + task + "words</lab>", "text outside"},
      {start + task + "<allow/></lab>", "neither or both"},
      {start + task + "<allow parameter=\"lanes\" from=\"8\" to=\"4\"/></lab>", "range is empty"},
      {start + task + "<budget steps=\"-1\"/></lab>", "no such number"},
      {start + task + "<budget steps=\"nan\"/></lab>", "no such number"},
      {start + task + "<question name=\"q\"/></lab>", "asks nothing"},
      {start + "<task name=\"t\" title=\"T\"/></lab>", "requires nothing"},
      {start + "<task name=\"t\" title=\"T\"><require>cycles &lt;</require></task></lab>", "is no expression"},
      {start + "<task name=\"t\" title=\"T\"><require>answer('q') = 1</require></task></lab>", "no question 'q'"},
      {start + "<task name=\"t\" title=\"T\"><require>program.matches('q')</require></task></lab>", "no program 'q'"},
      {start + "<task name=\"t\" title=\"T\"><require>tiling.fits('q')</require></task></lab>", "no tiling 'q'"},
      {start + task + "<machine target=\"nve\"/></lab>", "second machine"},
      {"<!DOCTYPE lab [<!ENTITY a \"aaaa\">]>" + start + task + "<x>&a;</x></lab>", "unknown element"},
      {std::string(largest_lab + 1, ' '), "a lab of"}};
  for (const Case& each : cases) {
    Diagnostics diagnostics;
    EXPECT_FALSE(read(each.xml, diagnostics)) << each.message;
    EXPECT_THAT(diagnostics.text(), HasSubstr(each.message));
  }
}

TEST(FigureName, IsTakenApart) {
  const FigureName name = figure_name("start.cycles('L 3')");
  EXPECT_EQ(name.whose, "start");
  EXPECT_EQ(name.figure, "cycles");
  EXPECT_EQ(name.subject, "L 3");
  EXPECT_EQ(figure_name("tile.TR('a')").figure, "tile.TR");
  EXPECT_EQ(figure_name("starting").whose, "");
}

}  // namespace
}  // namespace convscope::labs
