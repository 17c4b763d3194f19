#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/sqlite.h"
#include "core/explore/results/results_front.h"
#include "spaces.h"

namespace convscope::explore::test {
namespace {

using testing::HasSubstr;

std::shared_ptr<const Space> lanes(const std::string& values) {
  return space_of(space_xml("<parameter name='lanes'>" + values + "</parameter>"), MadeUpSources());
}

PointResult row(std::uint64_t point, double cycles) {
  PointResult result;
  result.point = point;
  result.total = figures_with(outcomes_of({}), {{"cycles", cycles}});
  result.networks = {result.total};
  return result;
}

void write(const std::string& path, const std::shared_ptr<const Space>& space, const std::vector<PointResult>& rows) {
  Diagnostics diagnostics;
  const auto file = ResultsFile::create(path, space, {"test 1", "grid", {}}, diagnostics);
  ASSERT_TRUE(file) << diagnostics.text();
  file->add(rows);
}

std::string refused(const std::function<bool(Diagnostics&)>& attempt) {
  Diagnostics diagnostics;
  EXPECT_FALSE(attempt(diagnostics));
  return diagnostics.text();
}

TEST(ResultsRefusal, AFileThatExists) {
  const Folder folder;
  const auto space = lanes("1 2");
  write(folder.path("a"), space, {});
  EXPECT_THAT(refused([&](Diagnostics& d) {
                return ResultsFile::create(folder.path("a"), space, {"test 1", "grid", {}}, d) != nullptr;
              }),
              HasSubstr("the file exists"));
}

TEST(ResultsRefusal, ResultsOfAnotherSpaceStrategyOrShard) {
  const Folder folder;
  const auto space = lanes("1 2");
  write(folder.path("a"), space, {});
  const auto resume = [&](const std::shared_ptr<const Space>& other, const ResultsIdentity& identity) {
    return refused(
        [&](Diagnostics& d) { return ResultsFile::resume(folder.path("a"), other, identity, d) != nullptr; });
  };
  EXPECT_THAT(resume(lanes("1 2 3"), {"test 1", "grid", {}}), HasSubstr("another space"));
  EXPECT_THAT(resume(space, {"test 1", "random seed=1", {}}), HasSubstr("another strategy"));
  EXPECT_THAT(resume(space, {"test 1", "grid", {0, 2}}), HasSubstr("another shard"));
}

/// Changes a file of results as no program of ours does.
void change(const std::string& path, const std::string& sql) {
  Database(path, Database::Access::write).run(sql);
}

TEST(ResultsRefusal, RowsOfAnotherVersionOfTheProgramOrOfTheFormat) {
  const Folder folder;
  const auto space = lanes("1 2");
  const auto resume = [&](const std::string& name, const std::string& program) {
    return refused([&](Diagnostics& d) {
      return ResultsFile::resume(folder.path(name), space, {program, "grid", {}}, d) != nullptr;
    });
  };
  write(folder.path("a"), space, {row(0, 10)});
  EXPECT_THAT(resume("a", "test 2"), HasSubstr("another version of the program: 'test 1'; expected 'test 2'"));
  for (const char* table : {"points", "figures"}) {
    write(folder.path(table), space, {row(0, 10)});
    change(folder.path(table), "ALTER TABLE " + std::string(table) + " RENAME COLUMN seconds TO minutes");
    EXPECT_THAT(resume(table, "test 1"), HasSubstr("the rows of these results are of another format"));
  }
  write(folder.path("newer"), space, {});
  change(folder.path("newer"), "UPDATE meta SET value = 2 WHERE key = 'version'");
  EXPECT_THAT(resume("newer", "test 1"), HasSubstr("another version of the format: '2'"));
}

TEST(ResultsRefusal, MergingWhatOtherVersionsWrote) {
  const Folder folder;
  const auto space = lanes("1 2");
  for (const char* name : {"a", "other program", "other format"}) write(folder.path(name), space, {row(0, 10)});
  change(folder.path("other program"), "UPDATE points SET program = 'test 2', point = 1");
  change(folder.path("other format"),
         "UPDATE points SET point = 1; ALTER TABLE points RENAME COLUMN seconds TO minutes");
  const auto merge = [&](const std::string& other) {
    return refused([&](Diagnostics& d) {
      return merge_results({folder.path("a"), folder.path(other)}, folder.path("merged"), d);
    });
  };
  EXPECT_THAT(merge("other program"),
              HasSubstr("its rows were written by 'test 2', those of the first file by 'test 1'"));
  EXPECT_THAT(merge("other format"), HasSubstr("its rows are of another format"));
}

TEST(ResultsRefusal, ReplacingWhatIsNoResultsFile) {
  const Folder folder;
  const auto space = lanes("1 2");
  write(folder.path("a"), space, {row(0, 10)});
  std::ofstream(folder.path("text")) << std::string(5000, 'x');
  Database(folder.path("database"), Database::Access::create).run("CREATE TABLE meta (key, value)");
  for (const char* name : {"text", "database"}) {
    const std::string before = bytes_of(folder.path(name));
    EXPECT_THAT(refused([&](Diagnostics& d) { return merge_results({folder.path("a")}, folder.path(name), d); }),
                HasSubstr("can't be replaced"));
    EXPECT_EQ(bytes_of(folder.path(name)), before);
  }
}

TEST(ResultsRefusal, TwoSweepsAtOneFile) {
  const Folder folder;
  const auto space = lanes("1 2");
  Diagnostics diagnostics;
  const auto first = ResultsFile::create(folder.path("a"), space, {"test 1", "grid", {}}, diagnostics);
  EXPECT_THAT(refused([&](Diagnostics& d) {
                return ResultsFile::resume(folder.path("a"), space, {"test 1", "grid", {}}, d) != nullptr;
              }),
              HasSubstr("another sweep writes to it"));
}

TEST(ResultsRefusal, WhatIsNoResultsFile) {
  const Folder folder;
  std::ofstream(folder.path("text")) << std::string(5000, 'x');
  const auto space = lanes("1 2");
  EXPECT_THAT(refused([&](Diagnostics& d) {
                return ResultsFile::resume(folder.path("text"), space, {"test 1", "grid", {}}, d) != nullptr;
              }),
              HasSubstr("no results can be written"));
  for (const std::string& path : {folder.path("text"), folder.path("missing")})
    EXPECT_THAT(refused([&](Diagnostics& d) { return read_front(path, {}, d).has_value(); }), HasSubstr(path));
  EXPECT_FALSE(std::filesystem::exists(folder.path("missing")));
}

TEST(ResultsRefusal, MergingWhatDoesNotBelongTogether) {
  const Folder folder;
  write(folder.path("a"), lanes("1 2"), {row(0, 10)});
  write(folder.path("b"), lanes("1 2 3"), {row(1, 10)});
  write(folder.path("c"), lanes("1 2"), {row(0, 11)});
  const auto merge = [&](const std::string& other) {
    return refused([&](Diagnostics& d) {
      return merge_results({folder.path("a"), folder.path(other)}, folder.path("merged"), d);
    });
  };
  EXPECT_THAT(merge("b"), HasSubstr("its inputs is"));
  EXPECT_THAT(merge("c"), HasSubstr("point 0 differs"));
  EXPECT_THAT(merge("missing"), HasSubstr("no such file"));
  EXPECT_FALSE(std::filesystem::exists(folder.path("merged")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("missing")));
}

TEST(ResultsFront, IsReadFromTheFileAlone) {
  const Folder folder;
  write(folder.path("a"), lanes("1 2 3"), {row(0, 10), row(1, 5), row(2, 7)});
  Diagnostics diagnostics;
  const auto report = read_front(folder.path("a"), {}, diagnostics);
  ASSERT_TRUE(report) << diagnostics.text();
  ASSERT_EQ(report->rows.size(), 1u);
  EXPECT_EQ(report->seen, 3u);
  EXPECT_THAT(front_csv(*report), HasSubstr("counting.lanes"));
  EXPECT_THAT(front_json(*report), HasSubstr("\"cycles\": 5"));
  EXPECT_THAT(front_text(*report), HasSubstr("3 of 3 points seen (100 %)"));
  const auto all = read_front(folder.path("a"), {{}, {}, true}, diagnostics);
  ASSERT_EQ(all->rows.size(), 3u);
  EXPECT_FALSE(all->rows[1].on_front);
  const auto most = read_front(folder.path("a"), {{{"cycles", true}}, {}, false}, diagnostics);
  EXPECT_EQ(std::get<std::int64_t>(most->rows[0].values[0]), 0);
}

}  // namespace
}  // namespace convscope::explore::test
