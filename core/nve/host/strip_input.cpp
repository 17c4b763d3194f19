#include "core/nve/host/strip_input.h"

#include <algorithm>

namespace convscope::nve {

StripInput::StripInput(const Program& program, const reference::Tensor<std::uint8_t>& image,
                       const reference::Coefficients<std::int16_t>& coefficients, int strip, std::uint8_t border)
    : program_(program),
      image_(image),
      coefficients_(coefficients),
      column_(program.stored_column()),
      words_(program),
      first_lane_(program.first_lane()),
      rows_(program.rows_per_strip()),
      strip_(strip),
      border_(border) {
  if (program.units > 0) order_.emplace(program);
}

void StripInput::supply(const StreamWord& item, std::int64_t repetition, std::span<std::uint8_t> word) const {
  if (!item.holds_pixels()) return supply_coefficients(words_.number(item, repetition), word);
  const int input = this->input(item, repetition);
  if (input < 0) return std::fill(word.begin(), word.end(), std::uint8_t{0});
  supply_pixels(program_.inputs[static_cast<std::size_t>(input)], column(item, repetition), item.word, word);
}

void StripInput::supply_pixels(int map, std::int64_t column, int word_of_column, std::span<std::uint8_t> word) const {
  const int first = static_cast<int>(top()), at = static_cast<int>(column);
  const network::Size size = image_.shape.size;
  const bool inside = at >= 0 && at < size.width;
  for (int i = 0; i < static_cast<int>(word.size()); ++i) {
    const int row = first + column_.row(word_of_column, i);
    word[static_cast<std::size_t>(i)] = inside && row >= 0 && row < size.height ? image_.at(map, row, at) : border_;
  }
}

std::int64_t StripInput::column(const StreamWord& item, std::int64_t repetition) const {
  if (item.kind == StreamWord::Kind::unit)
    return order_->column(order_->unit(item, repetition)) - program_.padding_left;
  return item.column + repetition * program_.stride_width - program_.padding_left;
}

auto StripInput::place(const StreamWord& item, std::int64_t repetition, int byte) const -> Place {
  return {top() + column_.row(item.word, byte), column(item, repetition)};
}

int StripInput::first_row(const OutputWord& item) const {
  return strip_ * rows_ + item.half * program_.machine.activation_lanes() - first_lane_;
}

void StripInput::supply_coefficients(int number, std::span<std::uint8_t> word) const {
  for (std::size_t place = 0; 2 * place < word.size(); ++place) {
    const Coefficient c = words_.at(number, static_cast<int>(place));
    const auto value = static_cast<std::uint16_t>(c.map < 0 ? 0 : coefficient(c));
    word[2 * place] = static_cast<std::uint8_t>(value & 0xff);
    word[2 * place + 1] = static_cast<std::uint8_t>(value >> 8);
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
