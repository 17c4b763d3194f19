#include "core/nve/host/strip_input.h"

#include <algorithm>

namespace convscope::nve {

StripInput::StripInput(const Program& program, const reference::Tensor<std::uint8_t>& image,
                       const reference::Coefficients<std::int16_t>& coefficients, int strip)
    : program_(program),
      image_(image),
      coefficients_(coefficients),
      column_(program.stored_column()),
      first_lane_(program.first_lane()),
      rows_(program.rows_per_strip()),
      strip_(strip) {}

void StripInput::supply(const StreamWord& item, std::int64_t repetition, std::span<std::uint8_t> word) const {
  if (item.kind == StreamWord::Kind::coefficients) return supply_coefficients(item, word);
  const int map = program_.inputs[static_cast<std::size_t>(item.index)];
  const int first = static_cast<int>(top()), at = static_cast<int>(column(item, repetition));
  for (int i = 0; i < static_cast<int>(word.size()); ++i)
    word[static_cast<std::size_t>(i)] = image_.padded(map, first + column_.row(item.word, i), at);
}

auto StripInput::place(const StreamWord& item, std::int64_t repetition, int byte) const -> Place {
  return {top() + column_.row(item.word, byte), column(item, repetition)};
}

int StripInput::first_row(const OutputWord& item) const {
  return strip_ * rows_ + item.half * program_.machine.activation_lanes() - first_lane_;
}

void StripInput::supply_coefficients(const StreamWord& item, std::span<std::uint8_t> word) const {
  std::fill(word.begin(), word.end(), std::uint8_t{0});
  std::size_t at = 0;
  for (const Coefficient& c : program_.coefficient_words[static_cast<std::size_t>(item.index)]) {
    const auto value = static_cast<std::uint16_t>(c.map < 0 ? 0 : coefficient(c));
    word[at++] = static_cast<std::uint8_t>(value & 0xff);
    word[at++] = static_cast<std::uint8_t>(value >> 8);
  }
}

std::int16_t StripInput::coefficient(const Coefficient& c) const {
  const auto map = static_cast<std::size_t>(program_.maps[static_cast<std::size_t>(c.map)].map);
  if (c.ordinal == 0) return coefficients_.bias[map];
  const int weight = c.ordinal - 1;
  const int row = weight % program_.kernel_height;
  const int column = weight / program_.kernel_height % program_.kernel_width;
  const int connection = weight / (program_.kernel_height * program_.kernel_width);
  return coefficients_.weights[map][static_cast<std::size_t>(
      (connection * program_.kernel_height + row) * program_.kernel_width + column)];
}

}  // namespace convscope::nve
