#pragma once
// The words that a host supplies to a program during one strip: columns of an image, and packed coefficients.

#include <cstdint>
#include <optional>
#include <span>

#include "core/nve/architecture/pass_order.h"
#include "core/nve/architecture/program.h"
#include "core/nve/architecture/stored_column.h"
#include "core/reference/convolution.h"

namespace convscope::nve {

class StripInput {
 public:
  /// All must outlive it. `coefficients` are those of the program's layer; pixels outside the image are `border`.
  StripInput(const Program& program, const reference::Tensor<std::uint8_t>& image,
             const reference::Coefficients<std::int16_t>& coefficients, int strip, std::uint8_t border = 0);

  /// Fills a word of pixels_per_word bytes; coefficients as little-endian 16-bit values. `repetition` of units and
  /// ordered words: their pass, counted over all iterations.
  void supply(const StreamWord& item, std::int64_t repetition, std::span<std::uint8_t> word) const;
  /// Where a byte of a pixel word lies in its image; outside where the image is padded.
  struct Place {
    std::int64_t row = 0, column = 0;
  };
  Place place(const StreamWord& item, std::int64_t repetition, int byte) const;
  /// Position in Program::inputs that a pixel word belongs to; -1: zeros of no input.
  int input(const StreamWord& item, std::int64_t repetition) const {
    return item.kind == StreamWord::Kind::unit ? order_->unit(item, repetition).input : item.index;
  }
  /// Output row of an ACT's first result.
  int first_row(const OutputWord& item) const;

 private:
  /// Of the rows that a strip's column takes.
  std::int64_t top() const {
    return (std::int64_t{strip_} * rows_ - first_lane_) * program_.stride_height - program_.padding_top;
  }
  std::int64_t column(const StreamWord& item, std::int64_t repetition) const;
  void supply_pixels(int map, std::int64_t column, int word_of_column, std::span<std::uint8_t> word) const;
  void supply_coefficients(int number, std::span<std::uint8_t> word) const;
  std::int16_t coefficient(const Coefficient& c) const;

  const Program& program_;
  const reference::Tensor<std::uint8_t>& image_;
  const reference::Coefficients<std::int16_t>& coefficients_;
  StoredColumn column_;
  CoefficientSource words_;
  std::optional<PassOrder> order_;
  int first_lane_, rows_, strip_;
  std::uint8_t border_;
};

}  // namespace convscope::nve
