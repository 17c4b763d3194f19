#include "ui/window/input_size_bar.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

namespace convscope::ui {
namespace {

QString question(const QString& file, const OpenSizes& open) {
  const QString name = QFileInfo(file).fileName();
  if (open.image) return InputSizeBar::tr("%1 leaves the size of its images open.").arg(name);
  if (open.batch) return InputSizeBar::tr("%1 leaves the number of images open.").arg(name);
  return InputSizeBar::tr("Input of %1").arg(name);
}

}  // namespace

InputSizeBar::InputSizeBar(Workbench& workbench, QWidget* parent)
    : QFrame(parent), workbench_(workbench), question_(new QLabel(this)) {
  setObjectName("input-size-bar");
  setAccessibleName(tr("Input size"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::AlternateBase);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 4, 8, 4);
  question_->setObjectName("input-size-question");
  // A long name shall not make the window wider.
  question_->setWordWrap(true);
  question_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  row->addWidget(question_, 1);
  row->addSpacing(12);
  height_ = add_field(*row, "input-height", tr("&Height"), largest_side);
  width_ = add_field(*row, "input-width", tr("&Width"), largest_side);
  batch_ = add_field(*row, "input-batch", tr("&Batch"), largest_batch);
  add_buttons(*row);
  connect(&workbench, &Workbench::network_opened, this, &InputSizeBar::opened);
  hide();
}

QSpinBox* InputSizeBar::add_field(QBoxLayout& row, const QString& name, const QString& label, int largest) {
  auto* caption = new QLabel(label, this);
  auto* field = new QSpinBox(this);
  field->setObjectName(name);
  field->setAccessibleName(QString(label).remove('&'));
  field->setRange(1, largest);
  field->setKeyboardTracking(false);
  field->setAlignment(Qt::AlignRight);
  caption->setBuddy(field);
  row.addWidget(caption);
  row.addWidget(field);
  connect(field, &QSpinBox::textChanged, this, &InputSizeBar::refresh_buttons);
  return field;
}

void InputSizeBar::add_buttons(QBoxLayout& row) {
  apply_ = new QPushButton(tr("&Apply"), this);
  apply_->setObjectName("input-size-apply");
  apply_->setToolTip(tr("Reads the network anew with these sizes (Enter)"));
  keep_ = new QPushButton(tr("&Keep"), this);
  keep_->setObjectName("input-size-keep");
  keep_->setToolTip(tr("Keeps the sizes; Edit, Input size… changes them later (Escape)"));
  row.addWidget(apply_);
  row.addWidget(keep_);
  connect(apply_, &QPushButton::clicked, this, &InputSizeBar::apply);
  connect(keep_, &QPushButton::clicked, this, &InputSizeBar::close_bar);
}

void InputSizeBar::opened() {
  const QString file = QString::fromStdString(workbench_.network()->source_file);
  const OpenSizes& open = workbench_.open_sizes();
  const bool another = file != file_;
  file_ = file;
  emit available_changed(workbench_.input_sizes().has_value());
  show_sizes();
  const bool ask_for_image = open.image && !asked_.contains(file);
  const bool ask_for_batch = open.batch && !open.image && !asked_for_batch_;
  if (ask_for_image || ask_for_batch) {
    asked_.insert(file);
    asked_for_batch_ = true;
    show();
  } else if (another || applying_) {
    hide();
  }
  applying_ = false;
}

void InputSizeBar::show_sizes() {
  const auto sizes = workbench_.input_sizes();
  if (!sizes) return hide();
  const OpenSizes& open = workbench_.open_sizes();
  question_->setText(question(file_, open));
  for (QSpinBox* field : {height_, width_}) {
    field->setEnabled(open.image);
    field->setToolTip(open.image ? tr("Pixels") : tr("The file states the size of its images"));
  }
  batch_->setToolTip(tr("Images at a time"));
  // A size that the file states is not known here; a wrong figure would be worse than none.
  for (QSpinBox* field : {height_, width_}) field->setSpecialValueText(open.image ? QString() : QStringLiteral("–"));
  const network::Size image = sizes->image.value_or(network::Size{1, 1});
  height_->setValue(image.height);
  width_->setValue(image.width);
  batch_->setValue(sizes->batch);
  refresh_buttons();
}

void InputSizeBar::ask() {
  if (!workbench_.input_sizes()) return;
  show_sizes();
  show();
  QSpinBox* first = height_->isEnabled() ? height_ : batch_;
  first->setFocus(Qt::ShortcutFocusReason);
  first->selectAll();
}

network::InputSizes InputSizeBar::wanted() const {
  network::InputSizes sizes = workbench_.input_sizes().value_or(network::InputSizes{});
  // What is being typed counts, not what was taken over last.
  const auto typed = [](const QSpinBox& field) {
    bool is_number = false;
    const int value = field.locale().toInt(field.cleanText(), &is_number);
    return is_number ? value : field.value();
  };
  if (sizes.image) sizes.image = network::Size{typed(*height_), typed(*width_)};
  sizes.batch = typed(*batch_);
  return sizes;
}

void InputSizeBar::refresh_buttons() {
  const auto sizes = workbench_.input_sizes();
  apply_->setEnabled(sizes && *sizes != wanted());
}

void InputSizeBar::apply() {
  if (!apply_->isEnabled()) return close_bar();
  applying_ = true;
  workbench_.set_input_sizes(wanted());
}

void InputSizeBar::close_bar() {
  hide();
  show_sizes();
}

void InputSizeBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return close_bar();
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return apply();
  QFrame::keyPressEvent(event);
}

}  // namespace convscope::ui
