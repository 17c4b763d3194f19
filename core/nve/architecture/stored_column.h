#pragma once
// How one pixel column of a strip lies in buffer words, in image order or de-interleaved by row phase.

#include <vector>

#include "core/nve/architecture/machine.h"

namespace convscope::nve {

/// Words of one column. In image order, word w holds the rows from w * pixels per word on. Polyphase: rows are sorted
/// by phase (row mod vertical stride), phases one after the other, each in as many words as a column of stride 1 needs
/// for the kernel rows of that phase; neighbouring lanes take neighbouring pixels then. Words beyond the last belong to
/// it. A kernel whose rows lie `dilation` rows apart spans that many more; polyphase columns know no dilation.
class StoredColumn {
 public:
  StoredColumn(const SchedulingMachine& machine, int kernel_height, int vertical_stride, bool polyphase,
               int dilation = 1);

  /// Of one phase, or of the whole column in image order.
  const RegisterLayout& registers() const { return registers_; }
  int phases() const { return phases_; }
  /// Rows of the kernel that lie in a phase.
  int kernel_rows(int phase) const { return (kernel_height_ - phase + step_ - 1) / step_; }
  /// Pixels from the first to the last row of the kernel in a phase.
  int span(int phase) const { return (kernel_rows(phase) - 1) * dilation_ + 1; }
  /// Largest span of any phase: what the image register has to hold for a lane.
  int largest_span() const { return span(0); }
  int words() const { return first_word_.back(); }
  int first_word(int phase) const { return first_word_[static_cast<std::size_t>(phase)]; }
  int phase_of(int word) const;
  /// Position of a word inside its phase.
  int place(int word) const { return word - first_word(phase_of(word)); }
  /// Row of the column that a pixel of a word holds.
  int row(int word, int pixel) const {
    return phase_of(word) + (place(word) * registers_.pixels_per_word + pixel) * step_;
  }
  /// Port that must read a word: 0 for A, 1 for B.
  int port(int word) const { return registers_.port(place(word)); }

 private:
  RegisterLayout registers_;
  int kernel_height_, dilation_, step_, phases_;
  std::vector<int> first_word_;  ///< by phase; one more for the end
};

}  // namespace convscope::nve
