#pragma once
// What lies where in DRAM, and what has been written. Private to the verifier.

#include <cstdint>
#include <vector>

#include "core/snowflake/architecture/program.h"
#include "core/snowflake/verify/verify_buffers.h"

namespace convscope::snowflake::verification {

using KindSet = unsigned;
constexpr KindSet kind_bit(RegionKind kind) {
  return 1U << static_cast<unsigned>(kind);
}

class Memory {
 public:
  explicit Memory(const Program& program);

  /// A region of one of these kinds that holds all of the words; null if there is none. Quick if it is that of the call
  /// before.
  const Region* region_of(std::int64_t first, std::int64_t words, KindSet kinds);

  void write(std::int64_t first, std::int64_t words) { written_.add(first, words); }
  bool written(std::int64_t first, std::int64_t words) const { return written_.has_all(first, words); }
  std::int64_t first_unwritten(std::int64_t first, std::int64_t words) const {
    return written_.first_missing(first, words);
  }

  /// Position in the code of the instruction that lies at a word of DRAM; -1: none.
  int instruction_at(std::int64_t word) const;

 private:
  const Program& program_;
  std::vector<CodeBlock> blocks_;    ///< by place in DRAM
  std::vector<const Region*> last_;  ///< by kinds
  WordSet written_;
};

}  // namespace convscope::snowflake::verification
