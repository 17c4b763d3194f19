#include "mutants.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "core/nmp/architecture/assembly.h"

namespace convscope::nmp {
namespace {

constexpr EncodedInstruction nothing = 0x00000013;  // addi x0, x0, 0

/// Positions of instructions of these kinds.
std::vector<int> positions(const Program& program, bool (*wanted)(Operation)) {
  std::vector<int> found;
  for (std::size_t i = 0; i < program.code.size(); ++i)
    if (const auto instruction = decode(program.code[i]); instruction && wanted(instruction->operation))
      found.push_back(static_cast<int>(i));
  return found;
}

bool orders(Operation operation) {
  return operation >= Operation::wait;
}
bool works(Operation operation) {
  return operation >= Operation::load && operation <= Operation::conv2d;
}
bool has_semaphore(Operation operation) {
  return is_custom(operation) && operation != Operation::cfg && operation != Operation::sync;
}
bool turns_halves(Operation operation) {
  return operation == Operation::xor_;
}
bool branches(Operation operation) {
  return operation >= Operation::beq && operation <= Operation::bgeu;
}

class Change {
 public:
  Change(const Program& program, RandomProblems& random) : random_(random), mutant_{"", program} {}

  Mutant make() {
    using Way = void (Change::*)();
    static constexpr std::array<Way, 14> ways{
        &Change::leave_out_order, &Change::leave_out_order, &Change::leave_out_work, &Change::other_semaphore,
        &Change::other_register,  &Change::other_register,  &Change::other_shape,    &Change::swap,
        &Change::flip_bit,        &Change::other_data,      &Change::other_branch,   &Change::halt,
        &Change::other_plan,      &Change::same_half};
    (this->*ways[static_cast<std::size_t>(random_.pick(static_cast<int>(ways.size())))])();
    return mutant_;
  }

 private:
  int any(bool (*wanted)(Operation)) {
    const std::vector<int> all = positions(mutant_.program, wanted);
    return all.empty() ? -1 : all[static_cast<std::size_t>(random_.pick(static_cast<int>(all.size())))];
  }
  EncodedInstruction& word(int position) { return mutant_.program.code[static_cast<std::size_t>(position)]; }
  void replace(int position, EncodedInstruction by, const char* how) {
    mutant_.what =
        fmt::format("{} at {}: {} ({})", how, position, instruction_text(word(position)), instruction_text(by));
    word(position) = by;
  }

  void leave_out(int position) {
    if (position >= 0) replace(position, nothing, "left out");
  }
  void leave_out_order() { leave_out(any(orders)); }
  void leave_out_work() { leave_out(any(works)); }
  void same_half() { leave_out(any(turns_halves)); }
  void other_semaphore() {
    const int position = any(has_semaphore);
    if (position < 0) return;
    auto instruction = *decode(word(position));
    instruction.rd = static_cast<std::uint8_t>(random_.pick(7));
    replace(position, encode(instruction), "other semaphore");
  }
  void other_register() {
    const int position = any(is_custom);
    auto instruction = *decode(word(position));
    if (instruction.operation == Operation::sync) return;
    const bool second = instruction.operation < Operation::wait && random_.pick(2) == 0;
    (second ? instruction.rs2 : instruction.rs1) = static_cast<std::uint8_t>(random_.pick(32));
    replace(position, encode(instruction), "other register");
  }
  void other_shape() {
    const int position = any(works);
    if (position < 0) return;
    auto instruction = *decode(word(position));
    if (instruction.operation == Operation::conv2d) return;
    const bool multicast = instruction.operation <= Operation::load_3d && random_.pick(2) == 0;
    const bool ring = transfer_function(instruction.funct7).ring && random_.pick(2) == 0;
    instruction.funct7 = funct7_of({random_.pick(4), multicast, ring});
    replace(position, encode(instruction), "other shape");
  }
  void swap() {
    const int position = random_.pick(static_cast<int>(mutant_.program.code.size()) - 1);
    mutant_.what = fmt::format("swapped at {}: {}", position, instruction_text(word(position)));
    std::swap(word(position), word(position + 1));
  }
  void flip_bit() {
    const int position = random_.pick(static_cast<int>(mutant_.program.code.size()));
    replace(position, word(position) ^ 1U << random_.pick(32), "a bit flipped");
  }
  void other_data() {
    auto& words = mutant_.program.data[static_cast<std::size_t>(random_.pick(mutant_.program.tlts()))];
    if (words.empty()) return;
    const int position = random_.pick(static_cast<int>(words.size()));
    const std::uint32_t change = 1U << random_.pick(12);
    mutant_.what = fmt::format("data word {}", position);
    words[static_cast<std::size_t>(position)] += random_.pick(2) == 0 ? change : 0U - change;
  }
  void other_branch() {
    const int position = any(branches);
    if (position >= 0) replace(position, word(position) ^ 1U << 12, "branch turned round");
  }
  void halt() { replace(random_.pick(static_cast<int>(mutant_.program.code.size())), 0x00000073, "halts"); }
  void other_plan() {
    const auto kind = static_cast<std::size_t>(random_.pick(static_cast<int>(traffic_kinds)));
    mutant_.program.traffic[kind] += 2;
    mutant_.what = fmt::format("planned traffic {}", kind);
  }

  RandomProblems& random_;
  Mutant mutant_;
};

}  // namespace

Mutant mutant_of(const Program& program, RandomProblems& random) {
  Mutant mutant;
  while (mutant.what.empty()) mutant = Change(program, random).make();
  return mutant;
}

}  // namespace convscope::nmp
