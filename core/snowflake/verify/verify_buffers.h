#pragma once
// Which words of the buffers have been loaded, and which regions vector instructions and loads may still be busy with.
// Private to the verifier.

#include <cstdint>
#include <vector>

#include "core/snowflake/verify/verify_finished.h"

namespace convscope::snowflake::verification {

/// A set of words.
class WordSet {
 public:
  explicit WordSet(std::int64_t words) : bits_(static_cast<std::size_t>((words + 63) / 64)) {}
  void add(std::int64_t first, std::int64_t words);
  void remove(std::int64_t first, std::int64_t words);
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

/// All buffers of one kind: the maps buffers of the CUs or the kernel buffers of the vMACs. Addresses must be inside.
class BufferSet {
 public:
  BufferSet(int buffers, std::int64_t words, int region_words, FinishedLoads& finished);

  std::int64_t words() const { return words_; }
  BufferMask all() const { return all_; }
  /// Steps that looking at these words takes.
  std::int64_t work_of(BufferMask buffers, std::int64_t words) const;

  /// Stretches that nothing has read, in the regions of these words.
  std::int64_t unread_in(BufferMask buffers, std::int64_t first, std::int64_t words) const;

  /// Vector instruction number `vector` reads these words, and waits for all loads of their regions.
  void read(BufferMask buffers, std::int64_t first, std::int64_t words, std::int64_t vector);
  bool loaded(BufferMask buffers, std::int64_t first, std::int64_t words) const;
  /// The first word that one of the buffers lacks; only if there is one.
  std::int64_t first_missing(BufferMask buffers, std::int64_t first, std::int64_t words) const;

  /// The last vector instruction that reads one of the regions that hold these words; -1: none.
  std::int64_t last_reader(BufferMask buffers, std::int64_t first, std::int64_t words) const;
  /// A load of another unit than this one's to some of these words that may still be under way although vector
  /// instructions before number `before` have ended; null if there is none.
  const LoadId* other_load(BufferMask buffers, std::int64_t first, std::int64_t words, const LoadId& id,
                           std::int64_t before) const;
  void load(BufferMask buffers, std::int64_t first, std::int64_t words, const LoadId& id);

 private:
  /// Words of a region that nothing has read since a load brought them; those of a region are disjoint.
  struct Stretch {
    std::int64_t first = 0, end = 0;
    LoadId id;
  };

  static void replace(std::vector<Stretch>& unread, const Stretch& by);
  std::size_t place(std::size_t buffer, std::size_t region) const { return region * loaded_.size() + buffer; }
  void wait(BufferMask buffers, std::size_t region, std::int64_t vector);
  std::size_t region(std::int64_t word) const { return static_cast<std::size_t>(word / region_words_); }
  std::int64_t last_reader_of(std::size_t buffer, std::size_t region) const;

  std::int64_t words_, region_words_;
  BufferMask all_;
  WordSet loaded_by_all_;
  std::vector<WordSet> loaded_;                         ///< by buffer
  std::vector<std::int64_t> read_by_all_;               ///< by region: the last reader of all buffers
  std::vector<std::vector<std::int64_t>> read_by_one_;  ///< by buffer and region
  std::vector<std::vector<Stretch>> unread_;            ///< by region and buffer
  std::vector<BufferMask> unread_in_;                   ///< by region: the buffers that have unread words there
  FinishedLoads& finished_;
};

}  // namespace convscope::snowflake::verification
