#include "ui/views/network/quantization/quantization_inputs.h"

#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>

namespace convscope::ui {

QuantizationInputs::QuantizationInputs(QWidget* parent)
    : QWidget(parent),
      path_(new QLineEdit(this)),
      mean_(number(QStringLiteral("quantization-mean"), tr("mean "), tr("What is subtracted from a pixel of 0 to 255"),
                   -1e6)),
      scale_(number(QStringLiteral("quantization-scale"), tr("scale "), tr("What a pixel is then divided by"), 0.001)) {
  path_->setObjectName(QStringLiteral("quantization-images"));
  path_->setAccessibleName(tr("Folder of images"));
  path_->setToolTip(tr("Folder of PNG, JPEG, PPM or PGM files to calibrate and measure with; empty: made-up inputs"));
  path_->setPlaceholderText(tr("Made-up inputs"));
  path_->setClearButtonEnabled(true);
  path_->setMaximumWidth(200);
  auto* browse = new QToolButton(this);
  browse->setText(tr("Images…"));
  browse->setObjectName(QStringLiteral("quantization-browse"));
  browse->setToolTip(tr("Choose a folder of images"));
  browse->setAccessibleName(browse->toolTip());
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  for (QWidget* part : {static_cast<QWidget*>(path_), static_cast<QWidget*>(browse), static_cast<QWidget*>(mean_),
                        static_cast<QWidget*>(scale_)})
    row->addWidget(part);
  set_folder({});
  connect(path_, &QLineEdit::editingFinished, this, [this] { changed(); });
  connect(path_, &QLineEdit::textChanged, this, [this](const QString& text) {
    if (text.isEmpty()) changed();  // the clear button ends no editing
  });
  connect(browse, &QToolButton::clicked, this, [this] { choose(); });
  for (QDoubleSpinBox* box : {mean_, scale_}) connect(box, &QDoubleSpinBox::valueChanged, this, [this] { changed(); });
}

QDoubleSpinBox* QuantizationInputs::number(const QString& name, const QString& prefix, const QString& help,
                                           double least) {
  auto* box = new QDoubleSpinBox(this);
  box->setObjectName(name);
  box->setPrefix(prefix);
  box->setAccessibleName(help);
  box->setToolTip(help);
  box->setDecimals(3);
  box->setRange(least, 1e6);
  box->setKeyboardTracking(false);
  box->setMaximumWidth(130);
  return box;
}

reference::ImageFolder QuantizationInputs::folder() const {
  return {path_->text().toStdString(), {mean_->value(), scale_->value()}};
}

void QuantizationInputs::set_folder(const reference::ImageFolder& folder) {
  const QSignalBlocker path(path_), mean(mean_), scale(scale_);
  const QString text = QString::fromStdString(folder.path);
  if (path_->text() != text) path_->setText(text);
  mean_->setValue(folder.pixels.mean);
  scale_->setValue(folder.pixels.scale);
  mean_->setVisible(!folder.path.empty());
  scale_->setVisible(!folder.path.empty());
}

void QuantizationInputs::choose() {
  const QString chosen = QFileDialog::getExistingDirectory(this, tr("A folder of images"), path_->text());
  if (chosen.isEmpty()) return;
  path_->setText(chosen);
  changed();
}

void QuantizationInputs::changed() {
  set_folder(folder());
  if (on_change) on_change();
}

}  // namespace convscope::ui
