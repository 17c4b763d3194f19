#pragma once
// What a quantization is measured with: made-up inputs, or the images of a folder.

#include <QWidget>
#include <functional>

#include "core/reference/image_folder.h"

class QDoubleSpinBox;
class QLineEdit;

namespace convscope::ui {

/// A folder, typed or chosen, and how its pixels become numbers; these are shown only while there is a folder.
class QuantizationInputs : public QWidget {
 public:
  explicit QuantizationInputs(QWidget* parent);

  reference::ImageFolder folder() const;
  /// Tells nobody.
  void set_folder(const reference::ImageFolder& folder);
  std::function<void()> on_change;

 private:
  QDoubleSpinBox* number(const QString& name, const QString& prefix, const QString& help, double least);
  void choose();
  void changed();

  QLineEdit* path_;
  QDoubleSpinBox *mean_, *scale_;
};

}  // namespace convscope::ui
