#include "ui/export/export_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>

#include "core/base/atomic_file.h"
#include "ui/document/workbench.h"
#include "ui/export/export.h"
#include "ui/export/recorded_view.h"
#include "ui/model/view.h"

namespace convscope::ui {
namespace {

struct Format {
  const char *suffix, *title;
};
constexpr Format formats[] = {{"svg", "SVG, vector graphics"},
                              {"pdf", "PDF, vector graphics"},
                              {"png", "PNG, pixels"},
                              {"csv", "CSV, the data behind the picture"}};
constexpr int largest_side = 10000;

QSpinBox* side_box(const char* name, const QString& spoken, QWidget* parent) {
  auto* box = new QSpinBox(parent);
  box->setObjectName(QLatin1String(name));
  box->setAccessibleName(spoken);
  box->setRange(50, largest_side);
  box->setSuffix(QStringLiteral(" px"));
  return box;
}

QString folder_for_files() {
  const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  return QDir(documents).exists() ? documents : QDir::currentPath();
}

}  // namespace

ExportDialog::ExportDialog(Workbench& workbench, std::span<const ViewEntry> views, const QString& view, QSize on_screen,
                           QWidget* parent)
    : QDialog(parent),
      workbench_(workbench),
      views_(views),
      view_(new QComboBox(this)),
      format_(new QComboBox(this)),
      theme_(new QComboBox(this)),
      width_(side_box("export-width", tr("Width"), this)),
      height_(side_box("export-height", tr("Height"), this)),
      scale_(new QDoubleSpinBox(this)),
      file_(new QLineEdit(this)),
      answer_(new QLabel(this)) {
  setObjectName("export-dialog");
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Export a view"));
  may_replace = [this](const QString& file) {
    const QString question = tr("%1 is there already. Replace it?").arg(QDir::toNativeSeparators(file));
    return QMessageBox::question(this, windowTitle(), question) == QMessageBox::Yes;
  };
  build(on_screen);
  choose_view(view);
}

ExportDialog::~ExportDialog() = default;

void ExportDialog::build(QSize on_screen) {
  view_->setObjectName("export-view");
  for (const ViewEntry& entry : views_) view_->addItem(entry.title, entry.id);
  format_->setObjectName("export-format");
  for (const Format& each : formats) format_->addItem(tr(each.title), QLatin1String(each.suffix));
  theme_->setObjectName("export-theme");
  for (const Theme* each : {&light_theme(), &dark_theme()}) {
    theme_->addItem(each->dark ? tr("Dark") : tr("Light"), each->name);
  }
  theme_->setCurrentIndex(theme_->findData(workbench_.theme().name));
  width_->setValue(on_screen.width());
  height_->setValue(on_screen.height());
  scale_->setObjectName("export-scale");
  scale_->setRange(0.25, largest_export_scale);
  scale_->setSingleStep(0.5);
  scale_->setValue(2);
  file_->setObjectName("export-file");
  answer_->setObjectName("export-answer");
  answer_->setWordWrap(true);

  auto* form = new QFormLayout(this);
  form->addRow(tr("&View"), view_);
  form->addRow(tr("F&ormat"), format_);
  form->addRow(tr("&Colours"), theme_);
  add_size_row(*form);
  form->addRow(tr("Pixels per &unit"), scale_);
  auto* choose = new QPushButton(tr("Choose…"), this);
  auto* row = new QHBoxLayout;
  row->addWidget(file_, 1);
  row->addWidget(choose);
  auto* caption = new QLabel(tr("&File"), this);
  caption->setBuddy(file_);
  form->addRow(caption, row);
  form->addRow(answer_);
  buttons_ = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
  form->addRow(buttons_);
  connect(view_, &QComboBox::activated, this, [this] { choose_view(view_->currentData().toString()); });
  connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
  connect(choose, &QPushButton::clicked, this, &ExportDialog::choose_file);
  connect(buttons_, &QDialogButtonBox::accepted, this, &ExportDialog::write);
  connect(buttons_, &QDialogButtonBox::rejected, this, [this] {
    writing_.forget();
    reject();
  });
}

void ExportDialog::add_size_row(QFormLayout& form) {
  auto* legible = new QPushButton(tr("All of it"), this);
  legible->setObjectName("export-legible");
  legible->setToolTip(tr("The size at which everything is legible"));
  auto* row = new QHBoxLayout;
  row->addWidget(width_);
  row->addWidget(new QLabel(QStringLiteral("×"), this));
  row->addWidget(height_);
  row->addWidget(legible);
  auto* caption = new QLabel(tr("Si&ze"), this);
  caption->setBuddy(width_);
  form.addRow(caption, row);
  connect(legible, &QPushButton::clicked, this, [this] {
    prepare(measuring_, [this](const std::shared_ptr<const ViewPainter>& painter) {
      const QSize size = painter->preferred_size().toSize();
      width_->setValue(size.width());
      height_->setValue(size.height());
    });
  });
}

const ViewEntry& ExportDialog::chosen_view() const {
  return views_[static_cast<std::size_t>(view_->currentIndex())];
}

void ExportDialog::choose_view(const QString& id) {
  view_->setCurrentIndex(std::max(0, view_->findData(id)));
  const QString folder = file_->text().isEmpty() ? folder_for_files() : QFileInfo(file_->text()).absolutePath();
  file_->setText(folder + '/' + chosen_view().id + '.' + format_->currentData().toString());
  refresh();
}

/// The file's suffix follows the format; what has no size or colours doesn't offer them.
void ExportDialog::refresh() {
  const QString suffix = format_->currentData().toString();
  const QFileInfo file(file_->text());
  file_->setText(file.absolutePath() + '/' + file.completeBaseName() + '.' + suffix);
  const bool picture = suffix != QStringLiteral("csv");
  for (QWidget* each : std::initializer_list<QWidget*>{theme_, width_, height_, scale_}) each->setEnabled(picture);
}

void ExportDialog::choose_file() {
  const QString suffix = format_->currentData().toString();
  const QString chosen = QFileDialog::getSaveFileName(this, tr("Export to"), file_->text(),
                                                      QStringLiteral("%1 (*.%2)").arg(suffix.toUpper(), suffix));
  if (chosen.isEmpty()) return;
  file_->setText(chosen);
  agreed_ = chosen;
}

bool ExportDialog::agreed() {
  return file_->text() == agreed_ || !QFileInfo::exists(file_->text()) || may_replace(file_->text());
}

void ExportDialog::prepare(LatestJob& job, std::function<void(std::shared_ptr<const ViewPainter>)> take) {
  job.start<std::shared_ptr<const ViewPainter>>(
      [make = chosen_view().make_painter, snapshot = workbench_.snapshot()](const std::stop_token&) {
        return std::shared_ptr<const ViewPainter>(make(snapshot));
      },
      std::move(take));
}

void ExportDialog::write() {
  if (!agreed()) return;
  const QString title = chosen_view().title;
  const Theme& theme = theme_by_name(theme_->currentData().toString());
  const ExportRequest request{file_->text(), QSize(width_->value(), height_->value()), scale_->value()};
  buttons_->button(QDialogButtonBox::Save)->setEnabled(false);
  answer_->setText(tr("Writing…"));
  prepare(writing_, [this, title, &theme, request](std::shared_ptr<const ViewPainter> painter) {
    const bool picture = QFileInfo(request.file).suffix().compare(QStringLiteral("csv"), Qt::CaseInsensitive) != 0;
    if (picture && !painter->works_on_any_thread()) painter = record(std::move(painter), QSizeF(request.size), theme);
    render(std::move(painter), title, theme, request);
  });
}

void ExportDialog::render(std::shared_ptr<const ViewPainter> painter, const QString& title, const Theme& theme,
                          const ExportRequest& request) {
  writing_.start<Diagnostics>(
      [painter = std::move(painter), title, &theme, request](const std::stop_token& closed) {
        Diagnostics diagnostics;
        const auto content = render_painter(*painter, title, theme, request, diagnostics);
        if (content && !closed.stop_requested())
          write_file_atomically(request.file.toStdString(), *content, diagnostics);
        return diagnostics;
      },
      [this](const Diagnostics& diagnostics) { written(diagnostics); });
}

void ExportDialog::written(const Diagnostics& diagnostics) {
  buttons_->button(QDialogButtonBox::Save)->setEnabled(true);
  answer_->setText(QString::fromStdString(diagnostics.text()));
  if (!diagnostics.has_errors()) accept();
}

}  // namespace convscope::ui
