#pragma once
// What a strip gives out, and when: the columns of its output maps.

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "core/nve/architecture/program.h"

namespace convscope::nve {

class GivenOutputs {
 public:
  explicit GivenOutputs(const Program& program);

  /// Pixels that are kept, at most: of all maps, in one strip.
  static std::int64_t pixels(const Program& program);
  /// Row of the strip of an ACT's first result; may be negative.
  int first_row(const OutputWord& item) const { return item.half * activation_lanes_ - first_lane_; }
  void keep(const OutputWord& item, std::int64_t column, std::int64_t cycle, std::span<const std::uint8_t> results);
  /// As it is at the end of a cycle; artifact::no_value if it isn't computed yet.
  /// `map` is the layer's.
  std::int64_t at(int map, std::int64_t row, std::int64_t column, std::int64_t cycle) const;

 private:
  struct Map {
    std::vector<std::uint8_t> pixels;  ///< [row of the strip][column]
    std::vector<std::int64_t> cycles;  ///< [column][half]
  };
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  int activation_lanes_, first_lane_, rows_;
  std::int64_t width_;
  std::vector<int> numbers_;  ///< by position in Program::maps: the layer's map, which may stand at several
  std::map<int, Map> maps_;
};

}  // namespace convscope::nve
