#include "two_blocks.h"

#include <gtest/gtest.h>

#include "core/base/atomic_file.h"
#include "core/snowflake/architecture/assembly.h"

namespace convscope::snowflake::test {

const std::string& two_blocks() {
  static const std::string text = [] {
    Diagnostics diagnostics;
    const std::string file = std::string(CONVSCOPE_SOURCE_DIR) + "/tests/fuzz/corpus/snowflake_program/two_blocks.txt";
    return read_file(file, diagnostics).value_or("");
  }();
  return text;
}

Program parsed(const std::string& assembly) {
  Diagnostics diagnostics;
  const auto program = parse_assembly(assembly, "hand", diagnostics);
  EXPECT_TRUE(program) << diagnostics.text();
  return program.value_or(Program{});
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace convscope::snowflake::test
