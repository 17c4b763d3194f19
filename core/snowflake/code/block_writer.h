#pragma once
// A block as instructions, piece by piece: code that loops, streams kernels or is unrolled is put together of these.

#include <vector>

#include "core/snowflake/code/block_code.h"
#include "core/snowflake/code/registers.h"
#include "core/snowflake/code/window_code.h"

namespace convscope::snowflake {

inline constexpr int buffer_word = reg::scratch[0];  ///< where kernels are loaded to

Atom atom_of(const Code& code);
int bank_sum(const Block& block);
Strip rows_of(const Block& block, const Strip& strip, int first, int rows);

/// The fewest rows with as many vectors as the queue holds, and the others.
struct Parts {
  std::vector<Strip> before, after;
};
Parts cut(const Block& block, int queue);

class BlockWriter {
 public:
  BlockWriter(const Block& block, const ComputeMachine& machine) : block_(block), machine_(machine) {}
  void setup(Code& code, int turn, int slot) const;
  void slot_setup(Code& code, int slot) const;
  void biases(Code& code, bool configure) const;
  void strips(Code& code, const std::vector<Strip>& list, bool configure, int first_window) const;
  bool loads() const;
  void placed_loads(Code& code, const PlacedKernels& kernels) const;
  /// Where the block's kernel begins, when nothing reads that any more.
  void late_fillers(Code& code) const;
  void kernel_loads(Code& code, const KernelLoad& load, bool go_on) const;
  void own_loads(Code& code) const;
  void slot_steps(Code& code) const;
  /// Whether loads come first, behind fillers, as the block's own vectors are too few to wait by.
  bool fillers_first() const;
  Code whole() const;

 private:
  void last_kernel_loads(Code& code) const;
  /// The next tile in each turn but the last, which loads what the next block starts with.
  void looped_kernel_loads(Code& code) const;
  void looped_loads(Code& code) const;
  void slot_body(Code& code, bool configure) const;

  const Block& block_;
  const ComputeMachine& machine_;
};

}  // namespace convscope::snowflake
