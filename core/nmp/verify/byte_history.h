#pragma once
// Who wrote each byte of a memory last, and what each agent read of it since. Private to the verifier.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/nmp/verify/clocks.h"

namespace convscope::nmp::verification {

/// An access that another one doesn't go with.
struct Conflict {
  enum class Kind : std::uint8_t { never_written, written, read } kind = Kind::written;
  std::int64_t byte = 0;
  Epoch other;  ///< the write, or the read, that is not ordered before
};

class ByteHistory {
 public:
  explicit ByteHistory(std::int64_t size) : size_(size), segments_(1) {}

  /// Bytes [begin, end), by a step of an agent that has these clocks. The first conflict, if there is one.
  std::optional<Conflict> read(std::int64_t begin, std::int64_t end, const Epoch& step, const Clocks& clocks);
  std::optional<Conflict> write(std::int64_t begin, std::int64_t end, const Epoch& step, const Clocks& clocks);
  /// The first of these bytes that nothing has written.
  std::optional<std::int64_t> unwritten(std::int64_t begin, std::int64_t end) const;

 private:
  /// Bytes with one past, up to the next segment's.
  struct Segment {
    std::int64_t begin = 0;
    Epoch writer;
    std::vector<Epoch> readers;  ///< since it was written, the last of each agent
  };
  /// The segment that begins there, made if it didn't.
  std::size_t cut(std::int64_t at);

  std::int64_t size_;
  std::vector<Segment> segments_;  ///< sorted; the first begins at 0
};

}  // namespace convscope::nmp::verification
