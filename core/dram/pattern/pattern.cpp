#include "core/dram/pattern/pattern.h"

namespace convscope::dram {

Lines::Lines(const Pattern& pattern, std::int64_t line_bytes) : pattern_(pattern), line_bytes_(line_bytes) {
  if (pattern_.empty())
    map_ = pattern_.maps = 0;
  else
    begin_run();
}

std::uint64_t Lines::start() const {
  return pattern_.start + static_cast<std::uint64_t>(run_) * static_cast<std::uint64_t>(pattern_.pitch) +
         static_cast<std::uint64_t>(map_) * static_cast<std::uint64_t>(pattern_.map_pitch);
}

void Lines::begin_run() {
  const auto size = static_cast<std::uint64_t>(line_bytes_);
  const std::uint64_t first = start();
  line_ = first / size;
  last_ = (first + static_cast<std::uint64_t>(pattern_.bytes) - 1) / size;
}

void Lines::next() {
  const std::uint64_t before = line_;
  while (line_ == before) {
    if (line_ < last_) {
      ++line_;
      return;
    }
    if (++run_ == pattern_.runs) {
      run_ = 0;
      if (++map_ >= pattern_.maps) return;
    }
    begin_run();
  }
}

std::int64_t count_lines(const Pattern& pattern, std::int64_t line_bytes) {
  std::int64_t count = 0;
  for (Lines lines(pattern, line_bytes); !lines.done(); lines.next()) ++count;
  return count;
}

}  // namespace convscope::dram
