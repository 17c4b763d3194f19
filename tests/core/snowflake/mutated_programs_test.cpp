// Damaged programs: nothing hangs, what the simulator refuses the verifier had refused, and what the verifier lets pass
// computes the same however long loads take, right or wrong; comparing outputs tells which.
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "compiled_layer.h"
#include "core/snowflake/architecture/assembly.h"
#include "core/snowflake/host/run.h"
#include "core/snowflake/verify/verify_program.h"
#include "two_blocks.h"

namespace convscope::snowflake {
namespace {

constexpr std::uint64_t data_seed = 5;

/// Changes an instruction, or two neighbours, in one of the ways in which code generators go wrong.
class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  void damage(Program& program) {
    auto& code = program.code;
    const std::size_t at = random_() % (code.size() - 1);
    switch (random_() % 6) {
      case 0:
        code[at] ^= 1U << random_() % 32;
        break;
      case 1:
        code[at] = 0;
        break;
      case 2:
        std::swap(code[at], code[at + 1]);
        break;
      case 3:
        code[at + 1] = code[at];
        break;
      default:
        change_operand(code[at]);
    }
  }

 private:
  int around(int value, int distance) {
    return value + static_cast<int>(random_() % (2 * static_cast<unsigned>(distance) + 1)) - distance;
  }

  void change_operand(EncodedInstruction& word) {
    auto instruction = decode(word);
    if (!instruction) return;
    switch (random_() % 4) {
      case 0:
        instruction->rs1 = static_cast<std::uint8_t>(random_() % registers);
        break;
      case 1:
        instruction->rd = static_cast<std::uint8_t>(random_() % registers);
        break;
      case 2:
        instruction->immediate = around(instruction->immediate, 1);
        break;
      default:
        instruction->immediate = around(instruction->immediate, 64);
    }
    if (operator_in_range(*instruction)) word = encode(*instruction);
  }

  std::mt19937 random_;
};

/// Loads and stores that take many times as long.
Machine slow(Machine machine) {
  machine.load_latency = 700;
  machine.unit_bandwidth = machine.bandwidth = 0.2e9;
  return machine;
}

struct Tally {
  int mutants = 0, verified = 0, wrong = 0, wrong_but_verified = 0;
};

class MutatedPrograms : public testing::Test {
 protected:
  void damage(const Program& program, int mutants, unsigned seed) {
    Diagnostics diagnostics;
    const VerifiedRun intact = verify_program(program, diagnostics);
    ASSERT_TRUE(intact.ok) << diagnostics.text();
    budget_ = 20 * intact.instructions + 100'000;
    Mutator mutator(seed);
    for (int i = 0; i < mutants; ++i) {
      Program mutant = program;
      mutator.damage(mutant);
      if (mutant.code != program.code) check(mutant, i);
      if (HasFatalFailure()) return;
    }
  }

  Tally tally_;

 private:
  void check(const Program& mutant, int number) {
    ++tally_.mutants;
    Diagnostics found, none;
    const bool verified = verify_program(mutant, found, {budget_}).ok;
    ASSERT_EQ(verified, !found.has_errors());
    const auto run = run_and_compare(mutant, data_seed, none, {budget_});
    ASSERT_TRUE(run) << none.text();
    tally_.verified += verified;
    tally_.wrong += !run->equal();
    tally_.wrong_but_verified += verified && !run->equal();
    if (verified) check_verified(mutant, *run, number);
  }

  void check_verified(Program mutant, const ComparedRun& run, int number) {
    mutant.machine = slow(mutant.machine);
    Diagnostics none;
    const auto later = run_and_compare(mutant, data_seed, none, {budget_});
    ASSERT_TRUE(later) << none.text();
    for (const ComparedRun* each : {&run, &*later})
      ASSERT_FALSE(each->result.refusal) << number << ": verified, but " << each->text() << '\n'
                                         << print_assembly(mutant);
    for (std::size_t i = 0; i < run.outputs.size(); ++i)
      ASSERT_EQ(run.outputs[i].values, later->outputs[i].values) << number << '\n' << print_assembly(mutant);
  }

  std::int64_t budget_ = 0;
};

LayerSpec layer(int size, int kernel, int channels, int outputs) {
  LayerSpec spec;
  spec.height = spec.width = size;
  spec.kernel_height = spec.kernel_width = kernel;
  spec.channels = channels;
  spec.outputs = outputs;
  spec.padding = kernel / 2;
  return spec;
}

Machine another_machine() {
  Machine machine;
  machine.cus = 2;
  machine.vmacs = 2;
  machine.macs = 8;
  machine.queue = 5;
  machine.delay_slots = 2;
  machine.load_units = 2;
  machine.result_latency = 2;
  return machine;
}

TEST_F(MutatedPrograms, NothingWrongPassesUnseen) {
  LayerSpec bypass = layer(6, 3, 16, 32);
  bypass.bypass = bypass.relu = true;
  LayerSpec strided = layer(9, 5, 16, 16);
  strided.stride_height = strided.stride_width = 2;
  LayerSpec raw = layer(8, 3, 3, 48);
  raw.raw_input = true;
  LayerSpec most = layer(7, 3, 32, 32), mean = layer(6, 3, 16, 16);
  most.kind = LayerKind::max_pool;
  mean.kind = LayerKind::average_pool;
  unsigned seed = 1;
  for (const LayerSpec& spec : {layer(5, 1, 32, 48), layer(6, 3, 16, 64), bypass, strided, raw, most, mean}) {
    const CompiledSingle compiled = compile_single(spec, seed % 2 != 0 ? Machine{} : another_machine());
    ASSERT_EQ(compiled.refused, "") << spec.text();
    damage(compiled.program, 75, seed++);
    if (HasFatalFailure()) return;
  }
  damage(test::parsed(test::two_blocks()), 75, seed);
  EXPECT_GE(tally_.mutants, 500);
  EXPECT_GT(tally_.wrong, tally_.mutants / 2) << "else mutations are too mild to say anything";
  EXPECT_LT(tally_.wrong_but_verified, tally_.wrong / 2) << "what the rules let pass, only its results tell";
}

}  // namespace
}  // namespace convscope::snowflake
