#include "ui/export/report.h"

#include <QAbstractTextDocumentLayout>
#include <QCoreApplication>
#include <QMarginsF>
#include <QPageSize>
#include <QTextDocument>
#include <algorithm>
#include <utility>

#include "core/base/atomic_file.h"
#include "ui/document/workbench.h"
#include "ui/export/report_text.h"

namespace convscope::ui {
namespace {

constexpr int report_dots_per_inch = 96;  // one dot is one logical pixel
constexpr double footer_height = 20, heading_height = 28;
constexpr double smallest_scale = 0.6;
constexpr double text_scale = 0.75;
constexpr int rows_in_a_step = 50;

QSizeF page_size(const QPdfWriter& writer) {
  return {static_cast<double>(writer.width()), static_cast<double>(writer.height())};
}

/// Where text and views go: the page without its footer.
QRectF body(const QPdfWriter& writer) {
  return {QPointF(), page_size(writer) - QSizeF(0, footer_height)};
}

QRectF table_area(const QPdfWriter& writer) {
  return body(writer).adjusted(0, heading_height, 0, -4);
}

/// A view at its own size, made smaller to fit the page as far as that stays legible; of what is larger still, the
/// view shows what it shows in a small window.
double fitting_scale(const ViewPainter& view, const QRectF& area) {
  const QSizeF wanted = view.preferred_size().expandedTo(area.size());
  return std::max(smallest_scale, std::min(area.width() / wanted.width(), area.height() / wanted.height()));
}

}  // namespace

ReportContent report_content(const Workbench& workbench, std::span<const ViewEntry> views) {
  return {workbench.snapshot(), workbench.machine(), workbench.preset(), workbench.messages(), views};
}

ReportWriter::ReportWriter(ReportContent content, RecordView record)
    : content_(std::move(content)), record_(std::move(record)), theme_(light_theme()), buffer_(&bytes_) {
  buffer_.open(QIODevice::WriteOnly);
  writer_ = std::make_unique<QPdfWriter>(&buffer_);
  writer_->setTitle(content_.snapshot.network ? QString::fromStdString(content_.snapshot.network->name) : QString());
  writer_->setCreator(QStringLiteral("ConvScope"));
  writer_->setResolution(report_dots_per_inch);
  writer_->setPageSize(QPageSize(QPageSize::A4));
  writer_->setPageOrientation(QPageLayout::Landscape);
  writer_->setPageMargins(QMarginsF(12, 12, 12, 12), QPageLayout::Millimeter);
}

ReportWriter::~ReportWriter() {
  if (painter_) painter_->end();  // before its device goes
}

/// The part is over: begins the next one.
bool ReportWriter::next(Part part) {
  part_ = part;
  done_ = 0;
  return step();
}

bool ReportWriter::step() {
  switch (part_) {
    case Part::words:
      prepare_words();
      part_ = Part::rows;
      return true;
    case Part::rows:
      if (done_ < rows_->layers()) return prepare_rows(), true;
      table_->lay_out(table_area(*writer_).size());
      return next(Part::word_pages);
    case Part::word_pages:
      if (done_ < words_->pageCount()) return draw_word_page(done_++), true;
      return next(Part::table_pages);
    case Part::table_pages:
      if (done_ < table_->pages()) return draw_table_page(done_++), true;
      return next(Part::views);
    case Part::views:
      if (done_ < static_cast<int>(content_.views.size()))
        return draw_view(content_.views[static_cast<std::size_t>(done_++)]), true;
      part_ = Part::done;
      return false;
    case Part::done:
      return false;
  }
  return false;
}

double ReportWriter::fraction() const {
  const auto part = [this](int all, double begin, double end) {
    return begin + (end - begin) * std::min(1.0, done_ / std::max(1.0, static_cast<double>(all)));
  };
  switch (part_) {
    case Part::words:
      return 0;
    case Part::rows:
      return part(rows_->layers(), 0.02, 0.2);
    case Part::word_pages:
      return 0.2;
    case Part::table_pages:
      return part(table_->pages(), 0.22, 0.5);
    case Part::views:
      return part(static_cast<int>(content_.views.size()), 0.5, 1);
    case Part::done:
      return 1;
  }
  return 1;
}

void ReportWriter::prepare_words() {
  words_ = std::make_unique<QTextDocument>();
  words_->documentLayout()->setPaintDevice(writer_.get());
  words_->setDefaultFont(theme_.label_font());
  words_->setDocumentMargin(0);
  words_->setHtml(report_text(content_));
  words_->setPageSize(body(*writer_).size() / text_scale);
  rows_ = std::make_unique<LayerRows>(content_.snapshot);
  table_ = std::make_unique<ReportTable>(rows_->columns(), theme_, writer_.get());
}

void ReportWriter::prepare_rows() {
  const int last = std::min(rows_->layers(), done_ + rows_in_a_step);
  for (; done_ < last; ++done_) {
    if (auto row = rows_->row(done_); !row.empty()) table_->add(std::move(row));
  }
}

void ReportWriter::begin_page() {
  if (painter_) writer_->newPage();
  if (!painter_) painter_ = std::make_unique<QPainter>(writer_.get());
  ++page_;
}

void ReportWriter::draw_word_page(int page) {
  begin_page();
  const QSizeF size = words_->pageSize();
  painter_->save();
  painter_->scale(text_scale, text_scale);
  painter_->translate(0, -page * size.height());
  QAbstractTextDocumentLayout::PaintContext context;
  context.palette = theme_.palette();
  context.clip = QRectF(0, page * size.height(), size.width(), size.height());
  painter_->setClipRect(context.clip);
  words_->documentLayout()->draw(painter_.get(), context);
  painter_->restore();
  draw_footer({});
}

void ReportWriter::draw_table_page(int page) {
  begin_page();
  const int pages = table_->pages();
  const QString title = QCoreApplication::translate("Report", "Layers");
  draw_heading(pages > 1 ? QStringLiteral("%1 (%2/%3)").arg(title).arg(page + 1).arg(pages) : title);
  table_->paint(*painter_, table_area(*writer_), page);
  draw_footer(rows_->legend());
}

void ReportWriter::draw_view(const ViewEntry& view) {
  std::shared_ptr<const ViewPainter> painter = view.make_painter(content_.snapshot);
  if (!painter->has_content()) return;
  const QRectF area = body(*writer_).adjusted(0, heading_height, 0, 0);
  const double scale = fitting_scale(*painter, area);
  const QSizeF size = area.size() / scale;
  if (!painter->works_on_any_thread()) painter = record_(std::move(painter), size);
  if (!painter) return;
  begin_page();
  draw_heading(view.title);
  painter_->save();
  painter_->translate(area.topLeft());
  painter_->scale(scale, scale);
  painter->paint(*painter_, QRectF(QPointF(), size), theme_);
  painter_->restore();
  draw_footer(view.help);
}

void ReportWriter::draw_heading(const QString& text) {
  painter_->setFont(theme_.label_font(1.4));
  painter_->setPen(theme_.text);
  painter_->drawText(body(*writer_).adjusted(0, 0, 0, -1), Qt::AlignLeft | Qt::AlignTop, text);
}

void ReportWriter::draw_footer(const QString& text) {
  const QSizeF page = page_size(*writer_);
  const QRectF area(0, page.height() - footer_height, page.width(), footer_height);
  painter_->setFont(theme_.label_font(0.75));
  painter_->setPen(theme_.muted_text);
  const QString number = QString::number(page_);
  painter_->drawText(area, Qt::AlignRight | Qt::AlignBottom, number);
  const QFontMetricsF metrics(painter_->font(), writer_.get());
  painter_->drawText(area, Qt::AlignLeft | Qt::AlignBottom,
                     metrics.elidedText(text, Qt::ElideRight, area.width() - 80));
}

QByteArray ReportWriter::finish() {
  if (painter_) painter_->end();
  painter_.reset();
  writer_.reset();
  buffer_.close();
  return bytes_;
}

bool export_report(ReportContent content, const QString& file, Diagnostics& diagnostics) {
  ReportWriter writer(std::move(content), [](std::shared_ptr<const ViewPainter> view, QSizeF) { return view; });
  while (writer.step()) {
  }
  return write_file_atomically(file.toStdString(), writer.finish().toStdString(), diagnostics);
}

}  // namespace convscope::ui
