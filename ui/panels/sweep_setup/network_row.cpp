#include "ui/panels/sweep_setup/network_row.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

namespace convscope::ui {
namespace {

constexpr int number_width = 8, size_width = 11;  // characters

}  // namespace

NetworkRow::NetworkRow(const ViewHost& host, const explore::DraftNetwork& network, int index, QWidget* parent)
    : SetupRow(host, QStringLiteral("network-%1").arg(index), tr("this network"), parent), file_(network.file) {
  const auto file = QString::fromStdString(network.file);
  auto* label = new QLabel(QFileInfo(file).fileName(), this);
  label->setObjectName(objectName() + "-file");
  label->setToolTip(file);
  label->setTextFormat(Qt::PlainText);
  fields().addWidget(label, 1);
  const auto add = [&](const QString& title, const QString& name, const QString& tip, const QString& usual, int width) {
    auto* caption = new QLabel(title, this);
    fields().addWidget(caption);
    QLineEdit* field = add_field(name, tip, usual, width);
    caption->setBuddy(field);
    return field;
  };
  weight_ = add(tr("weight"), "weight", tr("How often it runs beside the others"), "1", number_width);
  batch_ = add(tr("batch"), "batch", tr("Images at a time, if its file leaves that open"), "1", number_width);
  size_ = add(tr("input"), "size", tr("Size of its images, HEIGHTxWIDTH, if its file leaves that open"),
              tr("as in file"), size_width);
  add_remove_button();
  weight_->setText(QString::fromStdString(network.weight));
  batch_->setText(QString::fromStdString(network.batch));
  size_->setText(QString::fromStdString(network.input_size));
}

explore::DraftNetwork NetworkRow::value() const {
  return {file_, weight_->text().toStdString(), batch_->text().toStdString(), size_->text().toStdString()};
}

}  // namespace convscope::ui
