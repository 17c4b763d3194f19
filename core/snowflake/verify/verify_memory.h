#pragma once
// What lies where in DRAM, and what has been written. Private to the verifier.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/snowflake/architecture/program.h"
#include "core/snowflake/verify/verify_buffers.h"

namespace convscope::snowflake::verification {

using KindSet = unsigned;
constexpr KindSet kind_bit(RegionKind kind) {
  return 1U << static_cast<unsigned>(kind);
}

inline constexpr KindSet maps_kinds = kind_bit(RegionKind::input) | kind_bit(RegionKind::maps) |
                                      kind_bit(RegionKind::output) | kind_bit(RegionKind::zeros);
inline constexpr KindSet kernel_kinds = kind_bit(RegionKind::kernels) | kind_bit(RegionKind::zeros);
inline constexpr KindSet written_kinds = kind_bit(RegionKind::maps) | kind_bit(RegionKind::output);

/// The regions of some kinds, to be searched by place.
class RegionIndex {
 public:
  RegionIndex(const Program& program, KindSet kinds);
  /// Calls `visit` with each region that holds all of the words, until it returns false.
  template <typename Visit>
  void each(std::int64_t first, std::int64_t words, Visit visit) const;
  /// Whether one of them holds all of the words.
  bool any(std::int64_t first, std::int64_t words) const;
  /// Whether one of them has some of the words.
  bool meets(std::int64_t first, std::int64_t words) const;

 private:
  struct Entry {
    std::int64_t first = 0, last_end = 0;  ///< the latest end of this entry's region and those before it
    int region = -1;
  };
  std::size_t entries_up_to(std::int64_t first) const;

  const Program& program_;
  std::vector<Entry> entries_;  ///< by first word
};

/// Regions that aren't alive together may share words. The words belong to the host's region at first, and to a region
/// that the machine writes from its first write-back on; what lay there before is gone then.
class Memory {
 public:
  explicit Memory(const Program& program);

  /// What an instruction wants of a region.
  enum class Access { load_maps, load_kernels, write };
  /// A region that holds all of the words and is alive in the layer of the instruction at that address (any, if it
  /// belongs to no layer); null if there is none.
  const Region* find(Access access, int address, std::int64_t first, std::int64_t words);

  void write(const Region& region, std::int64_t first, std::int64_t words);
  /// All of the words have been written, by the host or the machine, and no other region took their place.
  bool holds(const Region& region, std::int64_t first, std::int64_t words) const;
  /// The first word that isn't there, in words and with the reason; only if there is one.
  std::int64_t first_missing(const Region& region, std::int64_t first, std::int64_t words) const {
    return state(region).holds ? written_.first_missing(first, words) : first;
  }
  std::string missing(const Region& region, std::int64_t first, std::int64_t words) const;
  /// Some of the words, which the region has, hold instructions.
  bool has_code(const Region& region, std::int64_t first, std::int64_t words) const {
    return state(region).has_code && has_code(first, words);
  }

  /// The machine writes some of the words, at some time.
  bool changes(std::int64_t first, std::int64_t words) const { return of(Access::write).meets(first, words); }
  /// Position in the code of the instruction that lies at a word of DRAM; -1: none.
  int instruction_at(std::int64_t word) const;

  std::int64_t work = 0;  ///< as Loads::work

 private:
  struct State {
    bool holds = false;     ///< its words are its own
    int taken_by = -1;      ///< the region that was written last at the same place
    bool has_code = false;  ///< blocks lie in it
  };

  State& state(const Region& region) { return states_[static_cast<std::size_t>(&region - program_.regions.data())]; }
  const State& state(const Region& region) const {
    return states_[static_cast<std::size_t>(&region - program_.regions.data())];
  }
  const RegionIndex& of(Access access) const { return regions_[static_cast<std::size_t>(access)]; }
  void begin(const Region& region);
  bool has_code(std::int64_t first, std::int64_t words) const;

  const Program& program_;
  std::array<RegionIndex, 3> regions_;    ///< by access
  std::array<const Region*, 3> found_{};  ///< by access: the last answer
  std::vector<State> states_;             ///< of the program's regions
  std::vector<int> layers_;               ///< of each instruction; -1: of none
  std::vector<CodeBlock> blocks_;         ///< by place in DRAM
  WordSet written_;                       ///< by the machine
};

template <typename Visit>
void RegionIndex::each(std::int64_t first, std::int64_t words, Visit visit) const {
  for (std::size_t i = entries_up_to(first); i > 0 && entries_[i - 1].last_end >= first + words; --i) {
    const Region& region = program_.regions[static_cast<std::size_t>(entries_[i - 1].region)];
    if (region.first_word + region.words >= first + words && !visit(region)) return;
  }
}

}  // namespace convscope::snowflake::verification
