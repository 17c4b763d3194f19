// Whose program a text is.

#include "core/target/recognize.h"

#include <string>

#include <gtest/gtest.h>

namespace convscope::target {
namespace {

const AssemblyMarks one{"program", {"layer", "kernel"}};
const AssemblyMarks other{".program", {".layer"}};

TEST(Recognize, AssemblyByItsNameAndAnotherDirective) {
  EXPECT_TRUE(is_assembly("program \"p\"\nlayer \"L1\"\n", one));
  EXPECT_TRUE(is_assembly("; a comment\n\n  kernel 3 x 3\r\n\tprogram   \"p\"", one));
  EXPECT_TRUE(is_assembly("what is this?\nprogram \"p\" and more\nlayer what", one)) << "mistakes are for its parser";
  EXPECT_TRUE(is_assembly(std::string(20'000, ';') + "\nprogram \"p\"\nlayer \"L1\"", one));
}

TEST(Recognize, NoOtherTexts) {
  EXPECT_FALSE(is_assembly("", one));
  EXPECT_FALSE(is_assembly("the\nprogram of the concert\nlayer cake\n", one));
  EXPECT_FALSE(is_assembly("program \"Evening\" of music\nfor strings\n", one));
  EXPECT_FALSE(is_assembly("; program \"p\"\n; layer \"L1\"", one));
  EXPECT_FALSE(is_assembly("program\"p\"\nlayers 3", one));
  EXPECT_FALSE(is_assembly("program \"p\"\nlayer", one)) << "without anything behind it";
}

TEST(Recognize, LanguagesApart) {
  const std::string text = "program \"p\"\nlayer \"L1\"\n", dotted = ".program \"p\"\n.layer \"L1\"\n";
  EXPECT_FALSE(is_assembly(text, other));
  EXPECT_FALSE(is_assembly(dotted, one));
  EXPECT_TRUE(is_assembly(dotted, other));
}

TEST(Recognize, ProgramFilesByTheirFormat) {
  EXPECT_TRUE(is_program_file(" \n{\"format\": \"x-program\", \"version\": 9", "x-program"));
  EXPECT_FALSE(is_program_file("an \"x-program\" would be nice", "x-program"));
  EXPECT_FALSE(is_program_file("{\"format\": \"x-programs\"}", "x-program"));
  EXPECT_FALSE(is_program_file("", "x-program"));
}

}  // namespace
}  // namespace convscope::target
