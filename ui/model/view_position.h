#pragma once
// What part of a picture its user looks at, as text that only the picture understands: what sessions keep.

#include <QString>

namespace convscope::ui {

class ViewPosition {
 public:
  virtual ~ViewPosition() = default;
  /// Empty if there is nothing to keep.
  virtual QString position() const = 0;
  /// Taken by the next picture if that shows the same thing as then; text that is not understood changes nothing.
  virtual void restore_position(const QString& position) = 0;
};

}  // namespace convscope::ui
