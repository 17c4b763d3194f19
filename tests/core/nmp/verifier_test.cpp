#include <gtest/gtest.h>

#include "core/nmp/simulate/simulator.h"
#include "core/nmp/verify/verify_program.h"
#include "hand_program.h"

namespace convscope::nmp {
namespace {

std::string refusal_of(const Program& program) {
  Diagnostics diagnostics;
  const VerifiedRun run = verify_program(program, diagnostics, {200'000});
  EXPECT_EQ(run.ok, !diagnostics.has_errors());
  return diagnostics.text();
}

TEST(NmpVerifier, AcceptsWhatIsOrdered) {
  const Program program = hand_program();
  Diagnostics diagnostics;
  const VerifiedRun run = verify_program(program, diagnostics);
  EXPECT_TRUE(run.ok) << diagnostics.text();
  EXPECT_EQ(run.instructions, simulate(program).instructions);
  EXPECT_EQ(run.transfers, 5);
  EXPECT_EQ(run.convolutions, 2);
}

struct Wrong {
  const char* line;
  const char* by;
  Rule rule;
};

TEST(NmpVerifier, RefusesEachKindOfMistake) {
  for (const Wrong& w : {
           Wrong{"nmp_conv2d 3, x6, x7", ".word 0x1", Rule::illegal_word},
           {"nmp_wait 3, x8", "nmp_wait 3, x0", Rule::illegal_operand},
           {"nmp_cfg C34, x0, x13", "nmp_cfg C34, x0, x0", Rule::illegal_operand},
           {"nmp_post 5, x8", "nmp_post 5, x9", Rule::illegal_operand},
           {"lui x7, 0x30000           # MB2", "lui x7, 0x30002", Rule::memory_end},
           {"nmp_load3d 1, x1, x6, 1", "nmp_load3d 1, x6, x6, 1", Rule::outside_region},
           {"nmp_store3d 4, x2, x7, 2", "nmp_store3d 4, x1, x7, 2", Rule::outside_region},
           {"nmp_conv2d 3, x6, x7", "nmp_conv2d 3, x6, x7\n nmp_wait 3, x8\n addi x6, x6, 4\n nmp_conv2d 3, x6, x7",
            Rule::never_written},
           {"nmp_wait 0, x8", "addi x0, x0, 0", Rule::posts_left},  // the DMA is in order, and all sync
           {"nmp_wait 1, x8", "addi x0, x0, 0", Rule::race},
           {"nmp_wait 3, x8", "addi x0, x0, 0", Rule::race},
           {"nmp_conv2d 3, x6, x7", "nmp_conv2d 4, x6, x7", Rule::deadlock},
           {"nmp_post 5, x8", "addi x0, x0, 0", Rule::deadlock},
           {"both:", "both:\n beq x3, x0, .+8\n nmp_sync", Rule::halts_early},
           {"nmp_wait 4, x8", "addi x0, x0, 0", Rule::posts_left},
           {"addi x18, x18, 0x201", "lui x18, 0x2003\n addi x18, x18, -255\n addi x16, x0, 2\n nmp_cfg C40, x8, x16",
            Rule::wide_sum},
           {"nmp_load3d 1, x1, x6, 1", "nmp_load3d 1, x1, x6, 1\n nmp_wait 1, x8\n nmp_load3d 1, x1, x6, 1",
            Rule::traffic},
           {"nmp_store3d 4, x2, x7, 2", "nmp_store3d 4, x2, x7, 1", Rule::output_missing},
           {"ecall", "jal x0, .+0", Rule::step_budget},
       }) {
    Program program = hand_program(with_line(hand_code(), w.line, w.by));
    if (w.rule == Rule::traffic) program.traffic = hand_program().traffic;
    const std::string text = refusal_of(program);
    EXPECT_NE(text.find(std::string(rule_code(w.rule)) + ": "), std::string::npos) << w.by << ": " << text;
  }
  Program program = hand_program();
  program.data.pop_back();
  EXPECT_NE(refusal_of(program).find("malformed: "), std::string::npos);
}

TEST(NmpVerifier, NamesBothAccessesAndTheByte) {
  const std::string text = refusal_of(hand_program(with_line(hand_code(), "nmp_wait 1, x8", "addi x0, x0, 0")));
  EXPECT_NE(text.find("instruction 44 (TLE 0 TLT 0, its 44.): race: byte 0 of MB1 of TLE 0 TLT 0 is written by the DMA "
                      "of TLE 0 TLT 0 (instruction 41), and nothing says who is first"),
            std::string::npos)
      << text;
}

/// Three TLTs; TLT 0 multicasts in two steps, of which the others each take part in one. `frees` posts a step's FREE.
Program two_multicasts(const std::string& first, const std::string& second, const std::string& posts) {
  Program program = hand_program();
  program.machine.tlts = 3;
  program.layers.clear();
  program.ranges.clear();
  program.data = {{0, 3}, {1, 0}, {2, 0}};
  const Program coded = hand_program(R"(
  lw x1, 0(x0)
  lui x5, 0x10000
  addi x8, x0, 1
  addi x7, x0, 2
  addi x9, x0, 32
  nmp_cfg C0, x9, x0
)" + posts + R"(
  bne x1, x0, end
)" + first + "\n  nmp_cfg C4, x10, x0\n  nmp_load 0, x0, x5, 0, multicast\n" +
                                     second + R"(
  nmp_cfg C4, x10, x0
  nmp_load 1, x0, x5, 0, multicast
end:
  ecall
)");
  program.code = coded.code;
  return program;
}

// Where only TLTs with work in a step answer, the second's answer may stand in for the first's: TLT 0 then writes MB0
// of a TLT that isn't ready. Nothing need go wrong in the run at hand.
TEST(NmpVerifier, RefusesAnswersOfThoseWithWorkAlone) {
  const std::string own_answers = R"(
  beq x1, x0, .+8
  nmp_post 5, x8)";
  const std::string text = refusal_of(
      two_multicasts("  nmp_wait 5, x8\n  addi x10, x0, 2", "  nmp_wait 5, x8\n  addi x10, x0, 4", own_answers));
  EXPECT_NE(text.find("post-order: "), std::string::npos) << text;
  // Each waits for both: no answer can stand in for another.
  const std::string both = R"(
  beq x1, x0, .+8
  nmp_post 5, x8)";
  const std::string ordered =
      refusal_of(two_multicasts("  nmp_wait 5, x7\n  addi x10, x0, 6", "  addi x10, x0, 6", both));
  EXPECT_EQ(ordered.find("post-order: "), std::string::npos) << ordered;
}

TEST(NmpVerifier, RefusesAnswersThatComeTooEarly) {
  const std::string twice = R"(
  beq x1, x0, .+12
  nmp_post 5, x8
  nmp_post 5, x8)";
  const std::string text = refusal_of(two_multicasts("  nmp_wait 5, x7\n  addi x10, x0, 6", "  nmp_wait 5, x7", twice));
  EXPECT_NE(text.find("post-order: "), std::string::npos) << text;
}

}  // namespace
}  // namespace convscope::nmp
