#include "core/base/resources.h"

#include <cstdlib>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/atomic_file.h"
#include "core/base/mapped_file.h"

namespace convscope {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Environment made_up(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
}

/// Sets a variable of our own environment for as long as it lives.
class Set {
 public:
  Set(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Set() { ::unsetenv(name_); }
  Set(const Set&) = delete;
  Set& operator=(const Set&) = delete;

 private:
  const char* name_;
};

TEST(Resources, LieBesideTheSourceInABuildTree) {
  ::unsetenv("CONVSCOPE_DATA");
  EXPECT_EQ(data_folder(), CONVSCOPE_SOURCE_DIR);
  EXPECT_EQ(resource_path("presets/x.xml"), std::string(CONVSCOPE_SOURCE_DIR) + "/resources/presets/x.xml");
  Diagnostics diagnostics;
  EXPECT_TRUE(find_data(diagnostics));
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
}

TEST(Resources, FollowTheEnvironment) {
  {
    const Set set("CONVSCOPE_DATA", "/elsewhere");
    EXPECT_EQ(sample_path("networks/n.xml"), "/elsewhere/samples/networks/n.xml");
  }
  const Set set("CONVSCOPE_DATA", "");
  EXPECT_EQ(data_folder(), CONVSCOPE_SOURCE_DIR);
}

TEST(Resources, AreLookedForFromTheProgramOn) {
  EXPECT_THAT(data_places("/opt/a b/bin/convscope", made_up({{"HOME", "/home/u"}})),
              ElementsAre("/opt/a b/share/convscope", "/home/u/.local/share/convscope", "/usr/local/share/convscope",
                          "/usr/share/convscope"));
  EXPECT_THAT(data_places("/convscope", made_up({{"XDG_DATA_HOME", "/h"}, {"XDG_DATA_DIRS", "/x:/y"}})),
              ElementsAre("/share/convscope", "/h/convscope", "/x/convscope", "/y/convscope"));
}

TEST(Resources, AreLookedForInOnePlaceIfThatIsNamed) {
  EXPECT_THAT(data_places("/opt/bin/convscope", made_up({{"CONVSCOPE_DATA", "/named"}, {"XDG_DATA_DIRS", "/x"}})),
              ElementsAre("/named"));
}

TEST(Resources, AreNotLookedForWhereWeHappenToBe) {
  EXPECT_THAT(data_places("", made_up({{"XDG_DATA_HOME", "data"}, {"XDG_DATA_DIRS", ":.:../up::/x:"}})),
              ElementsAre("/x/convscope"));
  EXPECT_THAT(data_places("", made_up({{"HOME", ""}, {"XDG_DATA_DIRS", "relative"}})), ElementsAre());
}

TEST(Resources, AMissingFileOfOursIsReportedWithWhereItIsLookedFor) {
  const Set set("CONVSCOPE_DATA", "/elsewhere");
  for (const std::string& path : {resource_path("presets/nve-thesis.xml"), sample_path("networks/lenet.xml")}) {
    Diagnostics read, mapped;
    EXPECT_FALSE(read_file(path, read));
    EXPECT_FALSE(MappedFile::open(path, mapped));
    for (const std::string& text : {read.text(), mapped.text()})
      EXPECT_THAT(text, AllOf(HasSubstr(path), HasSubstr("No such file"), HasSubstr("looked for in /elsewhere"),
                              HasSubstr("CONVSCOPE_DATA")));
  }
  EXPECT_EQ(data_hint("/elsewhere/resource/x"), "");
  EXPECT_EQ(data_hint("network.xml"), "");
}

TEST(Resources, ThatAreMissingAreAnErrorThatSaysWhereTheyShouldBe) {
  const Set set("CONVSCOPE_DATA", "/elsewhere");
  Diagnostics diagnostics;
  EXPECT_FALSE(find_data(diagnostics));
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_THAT(diagnostics.text(), HasSubstr("CONVSCOPE_DATA: error: it names a folder without resources; expected a "
                                            "folder 'resources' in /elsewhere; hint"));
}

}  // namespace
}  // namespace convscope
