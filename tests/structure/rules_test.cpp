// Each rule finds its violation in a small made-up tree, and leaves its lawful neighbour alone.

#include "tests/structure/rules.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace convscope::structure {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RulesTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::temp_directory_path() / ("convscope-rules-" + std::string(info->name()) + std::to_string(::getpid()));
    fs::remove_all(root_);
    write("core/CMakeLists.txt", "foreach(folder base artifact network target one two engine)\nendforeach()\n");
    write("ui/CMakeLists.txt",
          "foreach(folder\n  theme document/sweep document views/layer views/network panels window)\n");
    for (const char* target : {"one", "two"}) write_code(std::string("core/") + target + "/architecture/machine.h", "");
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& content) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << content;
  }
  /// A header or source with a guard, and then the code.
  void write_code(const std::string& path, const std::string& code) const {
    write(path, "#pragma once\n" + code + "\n");
  }
  void write_include(const std::string& path, const std::string& included) const {
    write_code(path, "#include \"" + included + "\"");
  }
  SourceTree tree() const { return read_source_tree(root_); }

  fs::path root_;
};

TEST_F(RulesTest, ReadsFloorsAndTargets) {
  EXPECT_THAT(tree().floors, ElementsAre("base", "artifact", "network", "target", "one", "two", "engine"));
  EXPECT_THAT(tree().ui_floors,
              ElementsAre("theme", "document/sweep", "document", "views/layer", "views/network", "panels", "window"));
  EXPECT_THAT(tree().target_folders, ElementsAre("one", "two"));
}

TEST_F(RulesTest, FindsIncludesUpward) {
  write_include("core/base/low.h", "core/engine/high.h");
  write_include("core/engine/high.h", "core/base/other.h");
  write_include("core/engine/window.h", "ui/window/view.h");
  write_include("ui/window/view.h", "app/window/main.h");
  write_include("app/window/main.h", "core/base/other.h");
  EXPECT_THAT(includes_upward(tree()), ElementsAre(HasSubstr("core/base/low.h:2: includes core/engine/high.h"),
                                                   HasSubstr("core/engine/window.h:2: includes ui/window/view.h"),
                                                   HasSubstr("ui/window/view.h:2")));
}

TEST_F(RulesTest, FindsIncludesUpwardInsideTheWindow) {
  write_include("ui/theme/choice.h", "ui/document/workbench.h");
  write_include("ui/document/workbench.h", "ui/document/sweep/points.h");  // a floor of its own, below
  write_include("ui/document/sweep/points.h", "ui/document/other.h");
  write_include("ui/views/layer/tiling/view.h", "ui/views/layer/common.h");
  write_include("ui/views/layer/tiling/other.h", "ui/panels/table.h");
  write_include("ui/panels/table.h", "ui/document/workbench.h");
  EXPECT_THAT(includes_upward(tree()),
              ElementsAre(HasSubstr("ui/document/sweep/points.h:2"), HasSubstr("ui/theme/choice.h:2"),
                          HasSubstr("ui/views/layer/tiling/other.h:2: includes ui/panels/table.h")));
}

TEST_F(RulesTest, FindsFoldersWithoutFloor) {
  write_code("core/attic/old.h", "");
  EXPECT_THAT(includes_upward(tree()), ElementsAre(HasSubstr("core/attic/old.h: its folder is not listed")));
  write_code("ui/cellar/old.h", "");
  write_code("ui/views/view.h", "");
  EXPECT_THAT(includes_upward(tree()), ElementsAre(HasSubstr("core/attic/old.h"), HasSubstr("ui/cellar/old.h"),
                                                   HasSubstr("ui/views/view.h: its folder is not listed in ui/")));
}

TEST_F(RulesTest, FindsCircles) {
  write_include("core/base/a.h", "core/base/b.h");
  write_include("core/base/b.h", "core/base/c.h");
  write_include("core/base/c.h", "core/base/a.h");
  write_code("core/base/d.h", "#include \"core/base/e.h\"\n#include \"core/base/f.h\"");
  write_include("core/base/e.h", "core/base/f.h");
  write_code("core/base/f.h", "");
  EXPECT_THAT(include_circles(tree()), ElementsAre(HasSubstr("core/base/c.h:2: includes core/base/a.h")));
}

TEST_F(RulesTest, FindsCirclesOfFolders) {
  write_include("ui/document/sweep/a.h", "ui/document/save/b.h");
  write_include("ui/document/save/c.h", "ui/document/sweep/d.h");
  write_code("ui/document/sweep/d.h", "");
  write_code("ui/document/save/b.h", "");
  EXPECT_THAT(include_circles(tree()), IsEmpty());
  EXPECT_THAT(folder_circles(tree(), "ui"),
              ElementsAre(HasSubstr("ui/document/sweep/a.h:2: includes ui/document/save/b.h: closes a circle")));
  EXPECT_THAT(folder_circles(tree(), "core"), IsEmpty());
}

TEST_F(RulesTest, FindsCirclesOfAFolderWithOneInsideIt) {
  write_include("core/base/list.cpp", "core/base/text/lines.h");
  write_include("core/base/text/words.h", "core/base/list.h");
  write_code("core/base/text/lines.h", "");
  write_code("core/base/list.h", "");
  EXPECT_THAT(folder_circles(tree(), "core"),
              ElementsAre(HasSubstr("core/base/text/words.h:2: includes core/base/list.h")));
}

TEST_F(RulesTest, FindsCirclesOfFoldersSeveralLevelsApart) {
  write_include("core/base/text/deep/a.h", "core/artifact/b.h");
  write_include("core/artifact/c/d.h", "core/base/e.h");
  write_code("core/artifact/b.h", "");
  write_code("core/base/e.h", "");
  EXPECT_THAT(folder_circles(tree(), "core"), ElementsAre(HasSubstr("closes a circle of folders in core")));
}

TEST_F(RulesTest, FindsIncludesBetweenTargetsAndReaders) {
  write_include("core/two/two.h", "core/one/architecture/machine.h");
  write_include("core/two/lawful.h", "core/two/architecture/machine.h");
  write_include("core/readers/xml/read.h", "core/readers/onnx/read.h");
  EXPECT_THAT(includes_between_targets(tree()),
              ElementsAre(HasSubstr("core/readers/xml/read.h:2"), HasSubstr("core/two/two.h:2")));
}

TEST_F(RulesTest, FindsQtBelowTheWindow) {
  write_code("core/base/text.h", "#include <QString>");
  write_code("core/base/plain.h", "#include <queue>\n#include <string>");
  write_code("core/base/old.h", "#include <QtCore/qglobal.h>");
  write_include("app/cli/main.cpp", "ui/view.h");
  write_code("app/window/main.cpp", "#include <QApplication>");
  write("core/base/CMakeLists.txt", "target_link_libraries(base Qt6::Core)");
  write("app/CMakeLists.txt", "target_link_libraries(convscope convscope_ui)");
  EXPECT_THAT(qt_below_the_window(tree()),
              ElementsAre(HasSubstr("app/cli/main.cpp:2"), HasSubstr("core/base/old.h:2"),
                          HasSubstr("core/base/text.h:2"), HasSubstr("core/base/CMakeLists.txt: links Qt")));
}

TEST_F(RulesTest, FindsVerifiersThatShareCode) {
  write_include("core/one/verify/direct.cpp", "core/one/passes/pack.h");
  write_include("core/one/verify/network.cpp", "core/network/network.h");
  write_code("core/one/verify/lawful.cpp",
             "#include \"core/one/architecture/machine.h\"\n#include \"core/base/a.h\"\n#include <vector>");
  write_code("core/one/passes/pack.h", "");
  EXPECT_THAT(verifiers_that_share_code(tree()),
              ElementsAre(HasSubstr("direct.cpp:2: includes core/one/passes/pack.h"), HasSubstr("network.cpp:2"),
                          HasSubstr("direct.cpp: reaches core/one/passes/pack.h")));
}

TEST_F(RulesTest, FindsVerifiersThatShareCodeRoundACorner) {
  write_include("core/one/verify/rules.cpp", "core/one/architecture/program.h");
  write_include("core/one/architecture/program.h", "core/one/passes/pack.h");
  write_code("core/one/passes/pack.h", "");
  EXPECT_THAT(verifiers_that_share_code(tree()), ElementsAre(HasSubstr("rules.cpp: reaches core/one/passes/pack.h")));
}

TEST_F(RulesTest, FindsTargetsInTheWindow) {
  write_include("ui/panels/panel.h", "core/one/architecture/machine.h");
  write_include("ui/panels/lawful.h", "core/target/target.h");
  write_code("core/target/target.h", "");
  EXPECT_THAT(targets_in_the_window(tree()), ElementsAre(HasSubstr("ui/panels/panel.h: reaches core/one/")));
}

TEST_F(RulesTest, FindsTargetsInTheWindowRoundACorner) {
  write_include("ui/panels/panel.h", "core/engine/engine.h");
  write_include("core/engine/engine.h", "core/engine/list.h");
  write_include("core/engine/list.h", "core/one/architecture/machine.h");
  EXPECT_THAT(targets_in_the_window(tree()),
              ElementsAre(HasSubstr("ui/panels/panel.h: reaches core/one/architecture")));
}

TEST_F(RulesTest, FindsHiddenTargets) {
  write("core/CMakeLists.txt", "foreach(folder base target readers one two three catalogue engine)\nendforeach()\n");
  write_code("core/catalogue/catalogue.cpp",
             "#include \"core/target/target.h\"\n#include \"core/readers/xml/read.h\"\n"
             "#include \"core/one/one_target.h\"\n#include \"core/three/three_target.h\"");
  write_code("core/one/one_target.h", "class OneTarget : public target::Target {};");
  write_code("core/engine/own.h", "class OwnTarget final : public target::Target {\n};");
  write_code("core/target/target.h", "class Target {};\nclass TargetList : public List {};");
  EXPECT_THAT(hidden_targets(tree()), ElementsAre(HasSubstr("core/catalogue/catalogue.cpp:5: includes core/three/"),
                                                  HasSubstr("core/engine/own.h:2: a target")));
}

TEST_F(RulesTest, FindsViewsThatKnowTheWindow) {
  write_include("ui/views/graph/widget.h", "ui/window/main_window.h");
  write_include("ui/window/main_window.h", "ui/model/view.h");
  write_include("ui/parts/picker.h", "ui/document/workbench.h");
  write_include("ui/plot/chart.h", "ui/model/view_host.h");
  EXPECT_THAT(views_that_know_the_window(tree()),
              ElementsAre(HasSubstr("ui/parts/picker.h:2"), HasSubstr("ui/views/graph/widget.h:2")));
}

TEST_F(RulesTest, FindsKeysOfFiguresOutsideTheirTarget) {
  write_code("core/one/figures.cpp", "{.key = \"words_moved\"}");
  write_code("core/two/figures.cpp", "find(\"words_moved\");");
  write_code("core/figures/tables.cpp", "\"words_moved\"");
  write_code("core/engine/report.cpp", "// \"words_moved\"\nfind(\"one.words_moved\"); find(\"all_words_moved\");");
  write_code("ui/panel.cpp", "find(\"laps\");");
  const FigureKeys keys{{"words_moved", {"one"}}, {"laps", {"one"}}};
  EXPECT_THAT(figure_keys_outside_targets(tree(), keys),
              ElementsAre(HasSubstr("core/engine/report.cpp:3: 'words_moved'"), HasSubstr("core/two/figures.cpp:2")));
}

TEST_F(RulesTest, FindsEveryWayToWriteAColour) {
  for (const char* code :
       {"QColor(255, 0, 0)", "QColor{1,2,3}", "QColor red(255, 0, 0);", "QColor(\"red\")", "auto c = \"#ff8800\";",
        "style(\"color: #abc;\")", "\"#80ff8800\"", "painter.setPen(Qt::red);", "Qt::darkGreen", "Qt::lightGray",
        "qRgb(1, 2, 3)", "QColor::fromRgb(1, 2, 3)", "QColor::fromHsvF(0.5, 1, 1)", "colour.setRgb(1, 2, 3)",
        "QColorConstants::Red", "QColor(QStringLiteral(\"red\"))"}) {
    write_code("ui/panel.cpp", code);
    EXPECT_THAT(literal_colours(tree()), ElementsAre(HasSubstr("ui/panel.cpp:2"))) << code;
  }
}

TEST_F(RulesTest, LeavesLawfulColoursAlone) {
  write_code("ui/theme/theme.cpp", "QColor(255, 0, 0)");
  write_code("core/base/text.cpp", "\"#ff8800\"");
  for (const char* code : {"QColor(theme.read)", "QColor fill = theme.surface;", "// once Qt::red or \"#ff8800\"",
                           "/* QColor(1,2,3)\n Qt::red */", "Qt::transparent", "QColor mix(const QColor& a);",
                           "const char* text = \"layer #12\";", "Qt::DashLine", "colour.setAlphaF(0.5)"}) {
    write_code("ui/panel.cpp", code);
    EXPECT_THAT(literal_colours(tree()), IsEmpty()) << code;
  }
}

TEST_F(RulesTest, StringsAreNoComments) {
  write_code("ui/panel.cpp", "open(\"http://host\"); paint(Qt::red);");
  EXPECT_THAT(literal_colours(tree()), ElementsAre(HasSubstr("ui/panel.cpp:2")));
}

TEST_F(RulesTest, FindsThreadsOutsideJobs) {
  write_code("ui/jobs/threads.cpp", "std::thread(serve).detach(); QMetaObject::invokeMethod(receiver, what);");
  write_code("core/engine/executor.cpp", "std::thread worker;");
  for (const char* code : {"QThreadPool::globalInstance()->start(work);", "std::thread worker(serve);",
                           "QMetaObject::invokeMethod(this, deliver);", "QtConcurrent::run(work);"}) {
    write_code("ui/panel.cpp", code);
    EXPECT_THAT(threads_outside_jobs(tree()), ElementsAre(HasSubstr("ui/panel.cpp:2"))) << code;
  }
  write_code("ui/panel.cpp", "job.start<int>(work, deliver);");
  EXPECT_THAT(threads_outside_jobs(tree()), IsEmpty());
  write_include("ui/jobs/job.h", "ui/model/view.h");
  EXPECT_THAT(threads_outside_jobs(tree()), ElementsAre(HasSubstr("ui/jobs/job.h:2")));
}

TEST_F(RulesTest, FindsHeadersWithoutGuard) {
  write("core/base/bare.h", "int answer();\n");
  write("core/base/commented.h", "// #pragma once\n");
  write("core/base/bare.cpp", "int answer() { return 42; }\n");
  EXPECT_THAT(headers_without_guard(tree()), ElementsAre(HasSubstr("bare.h"), HasSubstr("commented.h")));
}

TEST_F(RulesTest, FindsTestsNamedOtherwise) {
  write_code("tests/core/base/text_test.cpp", "TEST(Text, IsRead) {}");
  write_code("tests/core/base/fixture.cpp", "// TEST(Text, IsRead)\nvoid prepare();");
  write_code("tests/core/base/test_words.cpp", "TEST_P(Words, AreRead) {}");
  write_code("tests/core/base/lines.cpp", "TEST_F(Lines, AreRead) {}");
  write_code("tests/core/base/empty_test.cpp", "void prepare();");
  write_code("core/base/macros.h", "TEST(Text, IsRead) {}");
  EXPECT_THAT(tests_named_otherwise(tree()),
              ElementsAre(HasSubstr("empty_test.cpp: has no test"), HasSubstr("lines.cpp: has tests"),
                          HasSubstr("test_words.cpp: has tests")));
}

TEST_F(RulesTest, FindsLongFiles) {
  const auto lines = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "\n";
    return text;
  };
  write("core/base/long.cpp", lines(601));
  write("core/base/full.cpp", lines(600));
  EXPECT_THAT(long_files(tree()), ElementsAre(HasSubstr("core/base/long.cpp: 601 lines")));
}

TEST_F(RulesTest, CommentedIncludesDoNotCount) {
  write_code("core/base/low.h", "// #include \"core/engine/high.h\"\n/*\n#include \"core/engine/high.h\"\n*/");
  EXPECT_THAT(includes_upward(tree()), IsEmpty());
}

}  // namespace
}  // namespace convscope::structure
