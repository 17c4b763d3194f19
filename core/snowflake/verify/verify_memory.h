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

/// The regions of some kinds, to be searched by place.
class RegionIndex {
 public:
  RegionIndex(const Program& program, KindSet kinds);
  /// One that holds all of the words; null if there is none.
  const Region* find(std::int64_t first, std::int64_t words) const;

 private:
  struct Entry {
    std::int64_t first = 0;
    const Region* longest = nullptr;  ///< of this entry's region and those before it, the one that ends last
  };
  std::vector<Entry> entries_;  ///< by first word
};

inline constexpr KindSet maps_kinds = kind_bit(RegionKind::input) | kind_bit(RegionKind::maps) |
                                      kind_bit(RegionKind::output) | kind_bit(RegionKind::zeros);
inline constexpr KindSet kernel_kinds = kind_bit(RegionKind::kernels) | kind_bit(RegionKind::zeros);
inline constexpr KindSet written_kinds = kind_bit(RegionKind::maps) | kind_bit(RegionKind::output);

class Memory {
 public:
  explicit Memory(const Program& program);

  const RegionIndex maps, kernels, outputs;  ///< that loads of maps and of kernels may read, and that may be written

  void write(std::int64_t first, std::int64_t words) { written_.add(first, words); }
  bool written(std::int64_t first, std::int64_t words) const { return written_.has_all(first, words); }
  std::int64_t first_unwritten(std::int64_t first, std::int64_t words) const {
    return written_.first_missing(first, words);
  }

  /// Position in the code of the instruction that lies at a word of DRAM; -1: none.
  int instruction_at(std::int64_t word) const;

 private:
  std::vector<CodeBlock> blocks_;  ///< by place in DRAM
  WordSet written_;
};

}  // namespace convscope::snowflake::verification
