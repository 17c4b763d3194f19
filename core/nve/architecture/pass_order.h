#pragma once
// What a looped program streams. Iterations consist of passes that are alike: the head, and `passes` more. Each takes
// as many *units* and as many *ordered* words of coefficients as any other, so that one rule tells the host what to
// supply, however deep the layer is.
//
// A unit is a column of an input. Those of an iteration are numbered from 0, kernel columns outermost:
//
//   unit x * inputs + i = column x of the kernel, of the i-th input; beyond the last, zeros
//
// The coefficients of an iteration have an order: map by map its bias and its weight for the first row of unit 0, then
// for each further row, unit by unit, the weight of each map (rows phase by phase where columns are de-interleaved).
// Ordered words, full ones, hold them in this order but for as many as there are maps, from number `lead` on, which
// stand in words of their own (Program::coefficient_words) that stay in the buffer. The last ordered word of an
// iteration holds the first coefficients of the next one, too: as many as `lead` is beyond whole words.

#include <cstdint>
#include <vector>

#include "core/nve/architecture/program.h"

namespace convscope::nve {

class PassOrder {
 public:
  /// The program must outlive it. Precondition: `units` > 0, and all maps take all inputs in their order.
  explicit PassOrder(const Program& program);

  /// Passes of an iteration, its head among them.
  std::int64_t passes() const { return passes_; }
  std::int64_t ordered_words_per_pass() const { return ordered_words_; }
  /// Of an iteration.
  std::int64_t ordered_words() const { return ordered_words_ * passes_; }

  /// What stands behind a unit's number.
  struct Unit {
    std::int64_t iteration = 0;
    int input = -1;         ///< position in Program::inputs; -1: zeros
    int kernel_column = 0;  ///< 0 of zeros
  };
  Unit unit(const StreamWord& item, std::int64_t pass) const;
  /// Column of the padded input that a unit takes.
  std::int64_t column(const Unit& unit) const {
    return unit.iteration * program_.stride_width + std::int64_t{unit.kernel_column} * program_.dilation_width;
  }
  /// Number of an ordered word inside its iteration.
  int ordered_word(const StreamWord& item, std::int64_t pass) const;
  /// What it holds at a place; no map: a zero.
  Coefficient coefficient(int ordered_word, int place) const;
  /// Coefficient at a position of the iteration's order, from 0 to `coefficients`.
  Coefficient at(std::int64_t position) const;
  /// Of an iteration, zeros among them.
  std::int64_t coefficients() const { return maps_ * (1 + rows_ * passes_); }

 private:
  const Program& program_;
  std::int64_t passes_, maps_, inputs_, real_units_;
  std::int64_t rows_;             ///< of the kernel, over a pass's units
  std::int64_t ordered_words_;    ///< of a pass
  std::vector<int> kernel_rows_;  ///< in the order in which they are used
};

/// Why a program's members tell no such order, or one too long to be followed; empty if they do.
std::string pass_order_complaint(const Program& program);

/// What a word of coefficients holds, be it one of Program::coefficient_words or, behind those, an ordered one.
class CoefficientSource {
 public:
  explicit CoefficientSource(const Program& program) : program_(program) {
    if (program.units > 0) order_.emplace_back(program);
  }
  /// Number of the word that a write brings in a pass.
  int number(const StreamWord& item, std::int64_t pass) const {
    if (item.kind == StreamWord::Kind::coefficients) return item.index;
    return explicit_words() + order_.front().ordered_word(item, pass);
  }
  /// Nothing in particular at places that hold no coefficient: no map.
  Coefficient at(int word, int place) const {
    if (word >= explicit_words()) return order_.front().coefficient(word - explicit_words(), place);
    const auto& places = program_.coefficient_words[static_cast<std::size_t>(word)];
    return static_cast<std::size_t>(place) < places.size() ? places[static_cast<std::size_t>(place)] : Coefficient{};
  }

 private:
  int explicit_words() const { return static_cast<int>(program_.coefficient_words.size()); }
  const Program& program_;
  std::vector<PassOrder> order_;  ///< one, if the program has units
};

}  // namespace convscope::nve
