#pragma once
// A parameter's range as positions of a slider: by its step, by doubling, or by equal ratios where the range is wide.

#include "core/arch/parameters.h"

namespace convscope::ui {

class SliderScale {
 public:
  explicit SliderScale(const arch::ParameterDescription& description);

  /// Positions run from 0 to this one.
  int last() const { return last_; }
  /// An allowed value. Positions outside are clamped.
  double value(int position) const;
  /// The position nearest to a value.
  int position(double value) const;

 private:
  enum class Kind { linear, doubling, ratio };

  arch::ParameterDescription description_;
  Kind kind_ = Kind::linear;
  int last_ = 0;
};

}  // namespace convscope::ui
