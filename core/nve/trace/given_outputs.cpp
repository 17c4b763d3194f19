#include "core/nve/trace/given_outputs.h"

#include "core/artifact/state.h"

namespace convscope::nve {

GivenOutputs::GivenOutputs(const Program& program)
    : activation_lanes_(program.machine.activation_lanes()),
      first_lane_(program.first_lane()),
      rows_(program.rows_per_strip()),
      width_(program.out_width) {
  const auto columns = static_cast<std::size_t>(width_), rows = static_cast<std::size_t>(rows_);
  for (const OutputMap& map : program.maps) {
    numbers_.push_back(map.map);
    maps_[map.map] = {std::vector<std::uint8_t>(columns * rows), std::vector<std::int64_t>(columns * 2, never)};
  }
}

std::int64_t GivenOutputs::pixels(const Program& program) {
  return static_cast<std::int64_t>(program.maps.size()) * program.out_width * program.rows_per_strip();
}

void GivenOutputs::keep(const OutputWord& item, std::int64_t column, std::int64_t cycle,
                        std::span<const std::uint8_t> results) {
  Map& map = maps_.at(numbers_[static_cast<std::size_t>(item.map)]);
  map.cycles[static_cast<std::size_t>(column * 2 + item.half)] = cycle;
  for (int i = 0; i < activation_lanes_; ++i) {
    const int row = first_row(item) + i;
    if (row >= 0 && row < rows_)
      map.pixels[static_cast<std::size_t>(row * width_ + column)] = results[static_cast<std::size_t>(i)];
  }
}

std::int64_t GivenOutputs::at(int map, std::int64_t row, std::int64_t column, std::int64_t cycle) const {
  const Map& given = maps_.at(map);
  const std::int64_t half = (row + first_lane_) / activation_lanes_;
  if (given.cycles[static_cast<std::size_t>(column * 2 + half)] > cycle) return artifact::no_value;
  return given.pixels[static_cast<std::size_t>(row * width_ + column)];
}

}  // namespace convscope::nve
