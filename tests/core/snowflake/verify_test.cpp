// The verifier: a correct program passes, and one mutation of it for each rule is refused.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/atomic_file.h"
#include "core/snowflake/host/run.h"
#include "core/snowflake/verify/verify_program.h"
#include "two_blocks.h"

namespace convscope::snowflake {
namespace {

using testing::HasSubstr;

using test::parsed, test::replaced;

const std::string& correct() {
  return test::two_blocks();
}

TEST(SnowflakeVerifier, CorrectProgramPasses) {
  Diagnostics diagnostics;
  const VerifiedRun run = verify_program(parsed(correct()), diagnostics);
  EXPECT_TRUE(run.ok) << diagnostics.text();
  EXPECT_EQ(run.jumps, 1);
  EXPECT_EQ(run.loads, 4);
  EXPECT_EQ(run.vectors, 1 + 2 + 4 + 1);
  EXPECT_GT(run.instructions, 40);
  const auto compared = run_and_compare(parsed(correct()), 3, diagnostics);
  ASSERT_TRUE(compared) << diagnostics.text();
  EXPECT_TRUE(compared->equal()) << compared->text();
}

struct Mutation {
  const char* name;
  Rule rule;
  const char* from;
  const char* to;
  const char* complaint;
};

class SnowflakeVerifierRule : public testing::TestWithParam<Mutation> {};

TEST_P(SnowflakeVerifierRule, RefusesItsMutation) {
  const Mutation& mutation = GetParam();
  Diagnostics diagnostics;
  EXPECT_FALSE(verify_program(parsed(replaced(correct(), mutation.from, mutation.to)), diagnostics, {100'000}).ok);
  EXPECT_THAT(diagnostics.text(), HasSubstr(std::string(rule_code(mutation.rule)) + ": "));
  EXPECT_THAT(diagnostics.text(), HasSubstr(mutation.complaint));
  for (const Diagnostic& diagnostic : diagnostics.items()) {
    EXPECT_FALSE(diagnostic.expected.empty()) << diagnostic.text();
    EXPECT_EQ(diagnostic.where.file, "hand");
    EXPECT_FALSE(diagnostic.where.element.empty());
  }
}

const Mutation mutations[] = {
    {"IllegalOpcode", Rule::illegal_opcode, "  nop\n", "  .word 0xd0000000\n", "opcode 13 in 0xd0000000"},
    {"StrayBits", Rule::stray_bits, "  nop\n", "  .word 0x00000800\n", "0x00000800 has bits where opcode 0"},
    {"Selector", Rule::illegal_operand, "vmov.bias r4, 0", "vmov.bias r4, 2", "VMOV with selector 2"},
    {"BypassSelector", Rule::illegal_operand, "vmov.bias r4, 0", "vmov.bypass r4, 4", "VMOV with selector 4"},
    {"Target", Rule::illegal_operand, "  nop\n", "  .word 0xc000000c\n", "LD with target 3"},
    {"Cu", Rule::illegal_operand, "0, maps, 0, 0", "0, maps, 1, 0", "LD names CU 1; expected 0 to 0"},
    {"Vmac", Rule::illegal_operand, "1, kernels, 0, 0", "1, kernels, 0, 2", "LD names vMAC 2; expected 0 to 0"},
    {"Unit", Rule::illegal_operand, ".machine vmacs 1", ".machine vmacs 1\n.machine load_units 2",
     "LD names load unit 2; expected 0 to 1"},
    {"BlockSize", Rule::block_size, ".block dram_word=4096", ".block dram_word=4096 count=0", "0 instructions"},
    {"BlockInDram", Rule::block_place, "dram_word=4608", "dram_word=4098", "words of DRAM from 4098"},
    {"BlockOutside", Rule::block_place, "dram_word=4608", "dram_word=2048", "lies at word 2048 of DRAM"},
    {"BlocksShareCode", Rule::block_place, ".block dram_word=4608", ".block dram_word=4608 first=10 count=4",
     "instructions from"},
    {"BranchInSlot", Rule::branch_in_slot, "  addi r7, r7, 16", "  bgt r8, r0, loop", "branch in a delay slot"},
    {"HaltInSlot", Rule::branch_in_slot, "  addi r7, r7, 16", "  halt", "branch in a delay slot"},
    {"BranchAcross", Rule::branch_leaves_block, "bgt r8, r0, loop", "bgt r8, r0, fill", "branch to instruction 31"},
    {"JumpBeyondBank", Rule::branch_leaves_block, "beq.bank r0, r0, 0", "beq.bank r0, r0, 512", "jump to word 512"},
    {"SlotsBeyondBlock", Rule::branch_leaves_block, "  nop\n  nop\n.block dram_word=4608", ".block dram_word=4608",
     "delay slots end at instruction 24"},
    {"Pairs", Rule::raw_pairs, "  addi r1, r1, 16\n  nop\n  nop", "  addi r1, r1, 16\n  add r14, r7, r1\n  nop",
     "2 pairs of write and read"},
    {"LoadBehindJump", Rule::load_in_jump_slot, "beq.bank r0, r0, 0\n  nop",
     "beq.bank r0, r0, 0\n  ld r0, r28, r2, 2, instructions, 0, 0", "instructions are loaded behind jump"},
    {"JumpNotTaken", Rule::jump_not_taken, "beq.bank r0, r0, 0", "beq.bank r3, r0, 0", "whose condition doesn't hold"},
    {"BankNotLoaded", Rule::jump_unloaded, "ld r1, r28, r2, 2, instructions, 0, 0", "nop", "jump to word 0 of a bank"},
    {"BankHalfLoaded", Rule::jump_unloaded, "movi r2, 46 ", "movi r2, 44 ", "jump to word 0 of a bank"},
    {"RunsOff", Rule::runs_off, "  halt", "  nop", "runs past the block's last instruction"},
    {"EndlessLoop", Rule::endless_loop, "addi r13, r13, -1", "addi r13, r13, 0", "comes back again and again"},
    {"StepBudget", Rule::step_budget, "addi r13, r13, -1", "addi r13, r13, 1", "still running after"},
    {"TraceLength", Rule::trace_length, "max.wb r11, r10, 32", "max.wb r11, r10, 31", "31 words in vectors of 16"},
    {"MixedKinds", Rule::mixed_traces, "  nop\n  max.wb r11", "  mac.coop r11, r10, r0, 16\n  max.wb r11",
     "adds in another way than the traces before it"},
    {"MixedCus", Rule::mixed_traces, "  nop\n  nop\n  max.wb r11", "  max r11, r10, 16\n  movi r26, 0\n  max.wb r11",
     "adds on other CUs than the traces before it"},
    {"CuMask", Rule::cu_mask, "movi r26, 0x810", "movi r26, 0x830", "its mask names CU 1; expected CUs 0 to 0"},
    {"ReadBeyondBuffer", Rule::buffer_end, "movi r10, 16384", "movi r10, 65520", "reads maps words 65520 to 65551"},
    {"ReadBeforeBuffer", Rule::buffer_end, "movi r1, 0", "movi r1, -1", "reads maps words -1 to 14"},
    {"KernelBeyondBuffer", Rule::buffer_end, "mac.indp.wb r7, r1, r0, 16", "mac.indp.wb r7, r1, r0, 529",
     "reads kernel words 0 to 8463; expected 0 to 8447"},
    {"LoadBeyondBuffer", Rule::buffer_end, "movi r10, 16384", "movi r10, 65505", "LD to buffer words 65505 to 65536"},
    {"LoadBeyondBank", Rule::buffer_end, "movi r1, 0\n", "movi r1, 1000\n", "of an instruction bank"},
    {"NeverLoaded", Rule::never_loaded, "movi r3, 32", "movi r3, 16", "reads maps word 16, which no LD has brought"},
    {"KernelNeverLoaded", Rule::never_loaded, "movi r5, 272", "movi r5, 271", "reads kernel word 271"},
    {"EarlyLoad", Rule::early_load, "movi r10, 16384", "movi r10, 0", "of whose regions a vector instruction reads"},
    {"LoadRace", Rule::load_race, "movi r7, 1024",
     "ld r10, r0, r3, 0, maps, 0, 0\n  movi r10, 4096\n  "
     "ld r10, r0, r3, 0, maps, 0, 0\n  ld r10, r0, r3, 1, maps, 0, 0\n  movi r7, 1024",
     "LD of unit 1 to words that unit 0 is perhaps still loading"},
    {"BankRace", Rule::load_race, "ld r1, r28, r2, 2, instructions, 0, 0",
     "ld r1, r28, r2, 2, instructions, 0, 0\n  ld r1, r28, r2, 1, instructions, 0, 0", "to a bank that unit 2"},
    {"LoadOfNothing", Rule::load_length, "movi r3, 32", "movi r3, 0", "LD of 0 words; expected at least 1"},
    {"OddInstructions", Rule::load_length, "movi r2, 46 ", "movi r2, 45 ", "LD of 45 words; expected two"},
    {"LoadBeyondRegion", Rule::load_source, "movi r3, 32", "movi r3, 33", "LD of words 0 to 32"},
    {"LoadBeyondDram", Rule::load_source, "movi r4, 256", "movi r4, 8000", "LD of words 8000 to 8271"},
    {"LoadOfTheWrongKind", Rule::load_source, "movi r9, 1024", "movi r9, 256", "one region of input, maps, output"},
    {"LoadOfNoCode", Rule::load_source, "movi r28, 4608", "movi r28, 4610", "words of blocks"},
    {"NeverWritten", Rule::never_written, "movi r8, 2", "movi r8, 1",
     "LD of word 16 of region 'between', which nothing has written"},
    {"OutputPlace", Rule::output_place, "movi r11, 2048", "movi r11, 2049", "CU 0 writes words 2049 to 2064 of DRAM"},
    {"WriteRace", Rule::write_race, "  nop\n  nop\n  max.wb r11", "  nop\n  max.wb r9, r0, 32\n  max.wb r11",
     "writes words 1024 to 1039 of DRAM, which unit 0 is perhaps still loading"},
    {"OutputMissing", Rule::output_missing, "max.wb r11, r10, 32", "max r11, r10, 32",
     "nothing writes channel 0 of the output's row 0, column 0"},
};

INSTANTIATE_TEST_SUITE_P(Each, SnowflakeVerifierRule, testing::ValuesIn(mutations),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(SnowflakeVerifier, EveryRuleHasATestAndACode) {
  std::set<Rule> tested;
  for (const Mutation& mutation : mutations) tested.insert(mutation.rule);
  EXPECT_EQ(tested.size(), static_cast<std::size_t>(rule_count));
  std::set<std::string_view> codes;
  for (int i = 0; i < rule_count; ++i) codes.insert(rule_code(static_cast<Rule>(i)));
  EXPECT_EQ(codes.size(), static_cast<std::size_t>(rule_count));
}

TEST(SnowflakeVerifier, EveryRuleIsDocumented) {
  Diagnostics diagnostics;
  const auto page = read_file(std::string(CONVSCOPE_SOURCE_DIR) + "/docs/snowflake-program.md", diagnostics);
  ASSERT_TRUE(page) << diagnostics.text();
  for (int i = 0; i < rule_count; ++i)
    EXPECT_THAT(*page, HasSubstr('`' + std::string(rule_code(static_cast<Rule>(i))) + '`'));
}

TEST(SnowflakeVerifier, LoadAfterAQueueOfOthersPasses) {
  const std::string reused = replaced(correct(), "movi r10, 16384", "movi r10, 0");
  const auto with_fillers = [&](int fillers) {
    // The fillers run before the LD that takes the place of what the MACs read.
    std::string text = replaced(reused, "  ld r10, r9, r3, 0, maps, 0, 0\n", "");
    text = replaced(text, "max.wb", "ld r10, r9, r3, 0, maps, 0, 0\n  max.wb");
    Diagnostics diagnostics;
    return verify_program(parsed(replaced(text, "movi r13, 4", "movi r13, " + std::to_string(fillers))), diagnostics)
        .ok;
  };
  EXPECT_FALSE(with_fillers(15));
  EXPECT_TRUE(with_fillers(16)) << "so many that the queue can't hold a reader any more";
}

TEST(SnowflakeVerifier, NamesPlaceAndLayer) {
  Diagnostics diagnostics;
  verify_program(parsed(replaced(correct(), "movi r11, 2048", "movi r11, 2049")), diagnostics);
  EXPECT_THAT(diagnostics.text(), HasSubstr("instruction 38 (block 1, word 13) of layer 'p': output-place:"));
}

/// The example of docs/snowflake-encoding.md, in its only block with a machine.
TEST(SnowflakeVerifier, DocumentedExampleComputesItsLayer) {
  Diagnostics diagnostics;
  const auto page = read_file(std::string(CONVSCOPE_SOURCE_DIR) + "/docs/snowflake-encoding.md", diagnostics);
  ASSERT_TRUE(page) << diagnostics.text();
  const std::size_t begin = page->find(".machine cus 1"), end = page->find("```", begin);
  const Program program = parsed(page->substr(begin, end - begin));
  EXPECT_TRUE(verify_program(program, diagnostics).ok) << diagnostics.text();
  const auto run = run_and_compare(program, 3, diagnostics);
  ASSERT_TRUE(run) << diagnostics.text();
  EXPECT_TRUE(run->equal()) << run->text();
}

TEST(SnowflakeVerifier, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  Diagnostics diagnostics;
  const Program program = parsed(replaced(correct(), "addi r13, r13, -1", "addi r13, r13, 1"));
  EXPECT_ANY_THROW(verify_program(program, diagnostics, {}, source.get_token()));
}

}  // namespace
}  // namespace convscope::snowflake
