#pragma once
// Which words of the buffers have been loaded, and which regions vector instructions and loads may still be busy with.
// Private to the verifier.

#include <array>
#include <cstdint>
#include <vector>

namespace convscope::snowflake::verification {

/// A set of words that only grows.
class WordSet {
 public:
  explicit WordSet(std::int64_t words) : bits_(static_cast<std::size_t>((words + 63) / 64)) {}
  void add(std::int64_t first, std::int64_t words);
  /// Adds what all of some sets have.
  void add_common(const std::vector<WordSet>& sets, std::int64_t first, std::int64_t words);
  bool has_all(std::int64_t first, std::int64_t words) const;
  /// The first word that is missing; only if one is.
  std::int64_t first_missing(std::int64_t first, std::int64_t words) const;
  bool has(std::int64_t word) const { return bits_[static_cast<std::size_t>(word / 64)] >> (word % 64) & 1U; }

 private:
  std::vector<std::uint64_t> bits_;
};

/// Bit b: buffer b.
using BufferMask = std::uint64_t;

/// Loads have numbers in the order of dispatch, one count for each unit; so have vector instructions.
struct LoadId {
  int unit = 0;
  std::int64_t number = 0;   ///< of this unit
  std::int64_t vectors = 0;  ///< vector instructions that were dispatched before it
};

/// All buffers of one kind: the maps buffers of the CUs or the kernel buffers of the vMACs. Addresses must be inside.
class BufferSet {
 public:
  BufferSet(int buffers, std::int64_t words, int region_words);

  std::int64_t words() const { return words_; }
  BufferMask all() const { return all_; }
  /// Steps that looking at these words takes, and at all there is.
  std::int64_t work_of(BufferMask buffers, std::int64_t words) const;
  std::int64_t work_of_all() const { return static_cast<std::int64_t>(loads_.size() * read_by_all_.size()); }

  /// Vector instruction number `vector` reads these words.
  void read(BufferMask buffers, std::int64_t first, std::int64_t words, std::int64_t vector);
  bool loaded(BufferMask buffers, std::int64_t first, std::int64_t words) const;
  /// The first word that one of the buffers lacks; only if there is one.
  std::int64_t first_missing(BufferMask buffers, std::int64_t first, std::int64_t words) const;

  /// The last vector instruction that reads one of the regions that hold these words; -1: none.
  std::int64_t last_reader(BufferMask buffers, std::int64_t first, std::int64_t words) const;
  /// A load of another unit to some of these words that nothing has read since; null if there is none.
  const LoadId* unread_load(BufferMask buffers, std::int64_t first, std::int64_t words, int unit) const;
  void load(BufferMask buffers, std::int64_t first, std::int64_t words, const LoadId& id);
  /// Whether some vector instruction before number `before` read what this unit's load of that number, or a later one,
  /// brought: then the load is over.
  bool confirms(const LoadId& id, std::int64_t before) const;
  /// Of each unit: the last load that is known to be over since another took its place, which waited for its readers.
  const std::array<std::int64_t, 4>& replaced() const { return replaced_; }

 private:
  /// The words of a region that a unit loaded last.
  struct UnitLoad {
    std::int64_t first = 0, end = 0;
    LoadId id;
  };
  using RegionLoads = std::array<UnitLoad, 4>;

  std::size_t region(std::int64_t word) const { return static_cast<std::size_t>(word / region_words_); }
  std::int64_t last_reader_of(std::size_t buffer, std::size_t region) const;

  std::int64_t words_, region_words_;
  BufferMask all_;
  WordSet loaded_by_all_;
  std::vector<WordSet> loaded_;                         ///< by buffer
  std::vector<std::int64_t> read_by_all_;               ///< by region: the last reader of all buffers
  std::vector<std::vector<std::int64_t>> read_by_one_;  ///< by buffer and region
  std::vector<std::vector<RegionLoads>> loads_;         ///< by buffer and region
  std::array<std::int64_t, 4> replaced_{};
};

}  // namespace convscope::snowflake::verification
