// What a verifier says of an instruction is told at the line that the instruction has in its text.

#include "core/target/instruction_lines.h"

#include <gtest/gtest.h>

namespace convscope::target {
namespace {

TEST(InstructionLines, FindingsOfInstructionsGetTheirLine) {
  Diagnostics found, placed;
  found.error({"p", 0, "instruction 2, MEMA"}, "a");
  found.warning({"p", 0, "instruction 0 (block 1, word 0)"}, "b");
  found.error({"p", 0, "instruction 3"}, "beyond the text");
  found.error({"p", 0, "instruction"}, "c");
  found.error({"p", 0, "instruction x"}, "d");
  found.error({"p", 0, "instruction 99999999999999999999999"}, "e");
  found.error({"p", 0, "layer 'L1'"}, "f");
  append_at_lines(found, {4, 6, 9}, "text.s", placed);
  ASSERT_EQ(placed.items().size(), found.items().size());
  EXPECT_EQ(placed.items()[0].where, (Location{"text.s", 9, "instruction 2, MEMA"}));
  EXPECT_EQ(placed.items()[1].where, (Location{"text.s", 4, "instruction 0 (block 1, word 0)"}));
  for (std::size_t i = 2; i < 7; ++i) EXPECT_EQ(placed.items()[i], found.items()[i]);
}

TEST(InstructionLines, WhatWasNoTextStaysAsItIs) {
  Diagnostics found, placed;
  for (std::size_t i = 0; i < 2 * Diagnostics::cap; ++i) found.error({"p", 0, "instruction 2"}, "a");
  append_at_lines(found, {}, "text.s", placed);
  EXPECT_EQ(placed.items(), found.items());
  EXPECT_EQ(placed.count(Severity::error), found.count(Severity::error));
}

}  // namespace
}  // namespace convscope::target
