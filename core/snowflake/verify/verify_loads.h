#pragma once
// Rules of loads into buffers and instruction banks. Private to the verifier.

#include <array>
#include <cstdint>
#include <vector>

#include "core/snowflake/verify/verify_code.h"
#include "core/snowflake/verify/verify_memory.h"

namespace convscope::snowflake::verification {

/// The two instruction banks: which instruction of the code each word holds.
class InstructionBanks {
 public:
  explicit InstructionBanks(const Program& program);

  void load(int word, int instruction) { idle()[static_cast<std::size_t>(word)] = instruction; }
  /// Instruction that a word of the idle bank holds; -1: none.
  int at(int word) const { return banks_[static_cast<std::size_t>(1 - running_)][static_cast<std::size_t>(word)]; }
  void swap() { running_ = 1 - running_; }

 private:
  std::vector<int>& idle() { return banks_[static_cast<std::size_t>(1 - running_)]; }
  std::array<std::vector<int>, 2> banks_;
  int running_ = 0;
};

/// An LD with the values of its registers.
struct Load {
  int address = 0;  ///< of the instruction
  LoadField field;
  bool all = false;
  std::int64_t to = 0, from = 0, words = 0;
};

class Loads {
 public:
  Loads(const Program& program, Report& report);

  void run(const Load& load, std::int64_t vectors);
  /// A vector instruction, number `vector`, writes back; a load that still reads the words would get some of each.
  void written(int address, std::int64_t first, std::int64_t words, std::int64_t vector);
  /// A jump has waited for the loads of its bank.
  void jumped();

  FinishedLoads finished;
  BufferSet maps, kernels;
  Memory memory;
  InstructionBanks banks;
  std::int64_t loads = 0;         ///< that ran
  std::int64_t work = 0;          ///< that checking them took; a step is about as much as one of scalar code
  std::int64_t bank_version = 0;  ///< changes whenever the banks may

 private:
  struct BankLoad {
    std::int64_t first = 0, end = 0;
    LoadId id;
  };

  /// A load of words that the machine itself writes, until it is known to be over.
  struct Source {
    std::int64_t first = 0, end = 0;
    LoadId id;
  };

  void add_source(const Load& load, const LoadId& id);
  void load_buffer(const Load& load, BufferSet& buffers, BufferMask which, const LoadId& id);
  void load_instructions(const Load& load, const LoadId& id);
  bool has_length(const Load& load, std::int64_t unit);
  bool has_source(const Load& load);
  BufferMask kernel_buffers(const Load& load) const;

  const Program& program_;
  Report& report_;
  std::array<std::int64_t, 4> numbers_{};  ///< loads of each unit
  std::vector<BankLoad> bank_loads_;       ///< since the last jump
  std::vector<Source> sources_;
  std::size_t many_sources_ = 16;  ///< so many that it is time to forget some
};

}  // namespace convscope::snowflake::verification
