#pragma once
// What a transfer asks of a DRAM: runs of bytes at a pitch, in maps at another pitch.

#include <cstdint>

namespace convscope::dram {

/// A box of an image as it lies in DRAM: `maps` x `runs` runs of `bytes` bytes. Pitches are from start to start and
/// matter only where there is more than one. Sizes are at least 1 or the pattern is empty.
struct Pattern {
  std::uint64_t start = 0;
  std::int64_t bytes = 0;
  std::int64_t runs = 1, pitch = 0;
  std::int64_t maps = 1, map_pitch = 0;
  bool write = false;
  bool operator==(const Pattern&) const = default;

  bool empty() const { return bytes <= 0 || runs <= 0 || maps <= 0; }
  std::int64_t useful_bytes() const { return empty() ? 0 : bytes * runs * maps; }
};

/// The lines of a pattern in order; of two runs that follow one another in one line, that line comes once.
class Lines {
 public:
  Lines(const Pattern& pattern, std::int64_t line_bytes);
  bool done() const { return map_ >= pattern_.maps; }
  /// First byte of the line that is next.
  std::uint64_t address() const { return line_ * static_cast<std::uint64_t>(line_bytes_); }
  void next();

 private:
  void begin_run();
  std::uint64_t start() const;

  Pattern pattern_;
  std::int64_t line_bytes_, run_ = 0, map_ = 0;
  std::uint64_t line_ = 0, last_ = 0;
};

/// How many lines a pattern has.
std::int64_t count_lines(const Pattern& pattern, std::int64_t line_bytes);

}  // namespace convscope::dram
