#pragma once
// A TLT's RISC-V core between custom words: RV32I on 32 registers and the own data RAM. What custom words do to the
// machine is the simulator's business, and the verifier's; only configuration registers are written here.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/nmp/architecture/configuration.h"
#include "core/nmp/architecture/instruction.h"

namespace convscope::nmp {

/// Code, decoded once; words that are no instructions are empty.
using DecodedCode = std::vector<std::optional<Instruction>>;
DecodedCode decode(const std::vector<EncodedInstruction>& code);

class Core {
 public:
  /// `data`: the data RAM's first words; the rest is 0.
  Core(const DecodedCode& code, const std::vector<std::uint32_t>& data);

  /// Runs to the next custom word but `cfg`, or `ecall`, which is not executed, or until `limit` instructions have run
  /// or one is refused. The number of instructions that ran, `cfg` included.
  std::int64_t run(std::int64_t limit);
  /// What comes next, after `run`: null if it stopped for another reason.
  const Instruction* next() const { return stopped_; }
  /// Past the custom word.
  void pass() { pc_ += 4; }

  /// Why the instruction at `position` can't run; empty if all is well.
  const std::string& refusal() const { return refusal_; }
  int position() const { return static_cast<int>(pc_ / 4); }

  std::uint32_t x(int number) const { return x_[static_cast<std::size_t>(number)]; }
  const Configuration& configuration() const { return configuration_; }
  /// 32 bits of the data RAM, for biases; nothing beyond its end or unaligned.
  std::optional<std::uint32_t> data_word(std::uint32_t byte) const;
  /// What has come from DRAM; must lie inside the data RAM, at a multiple of 4.
  void set_data(std::uint32_t byte, std::span<const std::uint32_t> words);

 private:
  void step(const Instruction& instruction);
  void arithmetic(const Instruction& instruction, std::uint32_t right);
  void load(const Instruction& instruction);
  void store(const Instruction& instruction);
  bool taken(const Instruction& instruction) const;
  bool in_data(std::uint32_t address, std::uint32_t size, const char* what);
  void set(int number, std::uint32_t value) {
    if (number != 0) x_[static_cast<std::size_t>(number)] = value;
  }

  const DecodedCode* code_;
  std::array<std::uint32_t, 32> x_{};
  std::uint32_t pc_ = 0;
  Configuration configuration_{};
  std::vector<std::uint8_t> data_;
  const Instruction* stopped_ = nullptr;
  std::string refusal_;
};

}  // namespace convscope::nmp
